import { selectsLabels } from '../../api/index.ts';
import type { Catalog, KubeObject, LabelSelector } from '../../api/index.ts';
import { namespacesResource } from '../../kinds/index.ts';
import type { HubParts } from '../call.ts';
import type { AdmissionReview } from '../request/admission.ts';

/** One rule of a policy or webhook: which requests it is about. */
export interface RequestRule {
  readonly operations?: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly apiVersions?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly scope?: string;
}

/** The requests that a policy, a binding or a webhook is about; absent parts match everything. */
export interface Matching {
  readonly rules?: readonly RequestRule[];
  readonly excluded?: readonly RequestRule[];
  readonly matchPolicy?: string;
  readonly namespaceSelector?: LabelSelector;
  readonly objectSelector?: LabelSelector;
}

/** The parts of the hub that matching reads. */
export type MatchParts = Pick<HubParts, 'objects' | 'catalog'>;

/** Tells whether the request is one of these. */
export function matches(matching: Matching, review: AdmissionReview, parts: MatchParts): boolean {
  const { rules, excluded = [], matchPolicy, namespaceSelector = {}, objectSelector = {} } = matching;
  const versions = matchPolicy === 'Exact' ? [review.kind.version] : versionsOf(review, parts.catalog());
  const isAbout = (rule: RequestRule): boolean => isRuleAbout(rule, review, versions);
  if (rules && !rules.some(isAbout)) return false;
  if (excluded.some(isAbout)) return false;
  return selectsNamespace(namespaceSelector, review, parts) && selectsObject(objectSelector, review);
}

/** All served versions of the kind: a rule about one of them is about the same objects. */
function versionsOf({ kind }: AdmissionReview, { kinds }: Catalog): string[] {
  const same = kinds.filter(({ group, plural }) => group === kind.group && plural === kind.plural);
  return [kind.version, ...same.map(({ version }) => version)];
}

function isRuleAbout(rule: RequestRule, review: AdmissionReview, versions: readonly string[]): boolean {
  const { operation, kind } = review;
  const { operations = [], apiGroups = [], apiVersions = [], scope = '*' } = rule;
  if (scope !== '*' && (scope === 'Namespaced') !== kind.namespaced) return false;
  if (!includes(operations, operation) || !includes(apiGroups, kind.group)) return false;
  return versions.some((version) => includes(apiVersions, version)) && isResourceOf(rule, review);
}

function isResourceOf({ resources = [], resourceNames = [] }: RequestRule, review: AdmissionReview): boolean {
  const { kind, subresource, name } = review;
  const resource = subresource === '' ? kind.plural : `${kind.plural}/${subresource}`;
  if (resourceNames.length > 0 && !resourceNames.includes(name)) return false;
  return resources.some((pattern) => isResource(pattern, resource));
}

function includes(values: readonly string[], value: string): boolean {
  return values.includes('*') || values.includes(value);
}

/** A bare name or `*` means no subresource; behind a slash stands a subresource, or `*` for all and none. */
function isResource(pattern: string, resource: string): boolean {
  const [wanted, wantedPart] = pattern.split('/');
  const [name, part] = resource.split('/');
  if (wanted !== '*' && wanted !== name) return false;
  return wantedPart === '*' || wantedPart === part;
}

/** Objects of the whole cluster match every selector of namespaces; a Namespace matches by its own labels. */
function selectsNamespace(selector: LabelSelector, review: AdmissionReview, parts: MatchParts): boolean {
  if (isEmpty(selector)) return true;
  const { kind, namespace, object, old } = review;
  if (kind.group === '' && kind.plural === namespacesResource.plural) {
    return selectsLabels(selector, (object ?? old)?.metadata.labels);
  }
  if (!kind.namespaced) return true;
  return selectsLabels(selector, namespaceOf(namespace, parts)?.metadata.labels);
}

/** The namespace of a request. */
export function namespaceOf(name: string, { objects }: Pick<MatchParts, 'objects'>): KubeObject | undefined {
  return name === '' ? undefined : objects.get(namespacesResource, '', name);
}

function selectsObject(selector: LabelSelector, { object, old }: AdmissionReview): boolean {
  if (isEmpty(selector)) return true;
  return [object, old].some((one) => one !== undefined && selectsLabels(selector, one.metadata.labels));
}

function isEmpty({ matchLabels = {}, matchExpressions = [] }: LabelSelector): boolean {
  return Object.keys(matchLabels).length === 0 && matchExpressions.length === 0;
}
