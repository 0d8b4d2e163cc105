/**
 * Tells clients what the hub serves, from the catalog alone.
 * It keeps no state but the documents it has made, which go with their catalog.
 * Start with discoveryResponse; api-lists.ts makes the documents.
 */
import { unknownResource } from '../../api/index.ts';
import type { Catalog } from '../../api/index.ts';
import { header } from '../../auth/index.ts';
import { perOwner } from '../../base/index.ts';
import { documentResponse, jsonDocument } from './cached-document.ts';
import type { HubRequest, HubResponse } from '../http.ts';
import { aggregatedList, aggregatedType, coreVersions, groupList, groupOf, resourceList } from './api-lists.ts';
import type { AggregatedVersion } from './api-lists.ts';

const json = 'application/json';

const aggregated = perOwner((catalog: Catalog, key) => {
  const [root, version] = key.split(' ') as ['api' | 'apis', AggregatedVersion];
  return jsonDocument(aggregatedList(catalog, root, version));
});

const legacy = perOwner((catalog: Catalog, path) => {
  const [, root, first = '', second = ''] = path.split('/');
  const value = root === 'api' ? resourceList(catalog, '', first) : inGroups(catalog, first, second);
  return value ? jsonDocument(value) : null;
});

function inGroups(catalog: Catalog, group: string, version: string): object | undefined {
  if (!group) return groupList(catalog);
  return version ? resourceList(catalog, group, version) : groupOf(catalog, group);
}

/**
 * Answers /api, /api/<version>, /apis, /apis/<group> and /apis/<group>/<version>; undefined for any other path.
 * Throws 404 for a group or version that is not served.
 */
export function discoveryResponse(catalog: Catalog, request: HubRequest): HubResponse | undefined {
  const path = request.path.endsWith('/') ? request.path.slice(0, -1) : request.path;
  const parts = path.split('/');
  const [, root] = parts;
  if (!isDiscovery(root, parts.length) || request.method !== 'GET') return undefined;
  if (parts.length === 2) return rootResponse(catalog, root, request);
  const document = legacy(catalog, path);
  if (!document) throw unknownResource();
  return documentResponse(request, document, json);
}

function isDiscovery(root: string | undefined, parts: number): root is 'api' | 'apis' {
  return (root === 'api' && parts <= 3) || (root === 'apis' && parts <= 4);
}

function rootResponse(catalog: Catalog, root: 'api' | 'apis', request: HubRequest): HubResponse {
  const version = askedFor(header(request, 'accept'));
  if (version) return documentResponse(request, aggregated(catalog, `${root} ${version}`), aggregatedType(version));
  if (root === 'apis') return documentResponse(request, legacy(catalog, '/apis') ?? jsonDocument({}), json);
  return documentResponse(request, jsonDocument(coreVersions(catalog, header(request, 'host'))), json);
}

/** The first clause of an Accept header that names a version of aggregated discovery before plain JSON. */
function askedFor(accept: string): AggregatedVersion | undefined {
  for (const clause of accept.split(',')) {
    const [type = '', ...parameters] = clause.split(';').map((part) => part.trim());
    if (type !== json && type !== '*/*') continue;
    if (!parameters.some((one) => one.startsWith('as='))) return undefined;
    const version = versionOf(new Set(parameters));
    if (version) return version;
  }
  return undefined;
}

function versionOf(parameters: ReadonlySet<string>): AggregatedVersion | undefined {
  if (!parameters.has('g=apidiscovery.k8s.io') || !parameters.has('as=APIGroupDiscoveryList')) return undefined;
  if (parameters.has('v=v2')) return 'v2';
  return parameters.has('v=v2beta1') ? 'v2beta1' : undefined;
}
