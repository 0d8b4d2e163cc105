/**
 * Publishes the schemas and operations of all kinds as OpenAPI v3, one document a group version, and as v2 in one.
 * It decides nothing: what it says comes from the catalog, so that custom resources appear and go with it.
 * Start with openapiResponse; operations.ts is what both versions say, v3.ts and v2.ts how they say it.
 */
import { kindsIn, unknownResource } from '../../api/index.ts';
import type { Catalog } from '../../api/index.ts';
import { header } from '../../auth/index.ts';
import { perOwner } from '../../base/index.ts';
import { documentV2, documentV3, encodeV2, hashOfKinds } from '../../schema/index.ts';
import { documentOf as bytesDocument, documentResponse, jsonDocument } from './cached-document.ts';
import type { Document } from './cached-document.ts';
import type { HubRequest, HubResponse } from '../http.ts';

const json = 'application/json';
const prefix = '/openapi/v3/';

/** A group version that has a document, by its path below /openapi/v3/, as `apis/apps/v1`. */
interface VersionPart {
  readonly group: string;
  readonly version: string;
  readonly hash: string;
}

const partsOf = perOwner((catalog: Catalog): ReadonlyMap<string, VersionPart> => {
  const parts = catalog.groups.flatMap(({ group, versions }) =>
    versions.map((version): [string, VersionPart] => {
      const hash = hashOfKinds(catalog, kindsIn(catalog, group, version));
      return [group ? `apis/${group}/${version}` : `api/${version}`, { group, version, hash }];
    }),
  );
  return new Map(parts);
});

/** Documents by hash, newest last: a change of one custom resource leaves those of all other groups as they are. */
const made = new Map<string, Document>();
const kept = 200;

function documentOf(catalog: Catalog, { group, version, hash }: VersionPart): Document {
  const found = made.get(hash);
  if (found) return found;
  const body = Buffer.from(JSON.stringify(documentV3(catalog, kindsIn(catalog, group, version))));
  const document = { body, hash };
  made.set(hash, document);
  for (const [oldest] of made) {
    if (made.size <= kept) break;
    made.delete(oldest);
  }
  return document;
}

const indexOf = perOwner((catalog: Catalog): Document => {
  const paths: Record<string, object> = {};
  for (const [path, { hash }] of partsOf(catalog, '')) {
    paths[path] = { serverRelativeURL: `${prefix}${path}?hash=${hash}` };
  }
  return jsonDocument({ paths });
});

/** Clients ask for it with an `@` before the version, which is not a valid media type and must not come back. */
const protobuf = 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf';
const isProtobuf = /application\/com\.github\.proto-openapi\.spec\.v2[@.]v1\.0\+protobuf/;

/** The document of v2 in both forms; it covers all groups, so every change of the catalog makes a new one. */
const wholeV2 = perOwner((catalog: Catalog, form): Document => {
  const value = documentV2(catalog);
  return form === 'protobuf' ? bytesDocument(encodeV2(value)) : jsonDocument(value);
});

/**
 * Answers /openapi/v2, /openapi/v3 and what is below it; undefined for any other path.
 * Throws 404 for a document that is not there.
 */
export function openapiResponse(catalog: Catalog, request: HubRequest): HubResponse | undefined {
  const { path, method } = request;
  if (method !== 'GET') return undefined;
  if (path === '/openapi/v2') return responseV2(catalog, request);
  if (path === '/openapi/v3' || path === prefix) return documentResponse(request, indexOf(catalog, ''), json);
  return path.startsWith(prefix) ? partResponse(catalog, request) : undefined;
}

function responseV2(catalog: Catalog, request: HubRequest): HubResponse {
  const binary = isProtobuf.test(header(request, 'accept'));
  return documentResponse(request, wholeV2(catalog, binary ? 'protobuf' : 'json'), binary ? protobuf : json);
}

function partResponse(catalog: Catalog, request: HubRequest): HubResponse {
  const name = request.path.slice(prefix.length).replace(/\/$/, '');
  const part = partsOf(catalog, '').get(name);
  if (!part) throw unknownResource();
  const asked = new URLSearchParams(request.query).get('hash');
  if (asked !== null && asked !== part.hash) {
    return { status: 301, headers: { location: `${prefix}${name}?hash=${part.hash}` } };
  }
  const response = documentResponse(request, documentOf(catalog, part), json);
  return asked === null ? response : forever(response);
}

/** A document that is requested by its hash never changes. */
function forever(response: HubResponse): HubResponse {
  return { ...response, headers: { ...response.headers, 'cache-control': 'public, immutable' } };
}
