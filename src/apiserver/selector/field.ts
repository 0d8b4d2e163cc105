import { lookup } from '../../base/index.ts';
import { badRequest } from '../../api/index.ts';
import type { KindInfo, KubeObject } from '../../api/index.ts';

/** Tells whether an object matches. */
export type FieldMatch = (object: KubeObject) => boolean;

/** A parsed field selector. */
export interface FieldSelection {
  readonly match: FieldMatch;
  /** Set when the selector demands one name, or one namespace: the list need not be scanned. */
  readonly name?: string;
  readonly namespace?: string;
}

interface Requirement {
  readonly field: string;
  readonly value: string;
  readonly negated: boolean;
}

const involvedObject = ['kind', 'namespace', 'name', 'uid', 'apiVersion', 'resourceVersion', 'fieldPath'];

/** The fields, beyond name and namespace, by which lists of built-in kinds can be selected. */
const selectable: Readonly<Record<string, readonly string[]>> = {
  '/pods': [
    'spec.nodeName',
    'spec.restartPolicy',
    'spec.schedulerName',
    'spec.serviceAccountName',
    'spec.hostNetwork',
    'status.phase',
    'status.podIP',
    'status.podIPs',
    'status.nominatedNodeName',
  ],
  '/events': [
    ...involvedObject.map((name) => `involvedObject.${name}`),
    'reason',
    'reportingComponent',
    'source',
    'type',
  ],
  'events.k8s.io/events': [
    ...involvedObject.map((name) => `regarding.${name}`),
    'reason',
    'reportingController',
    'type',
  ],
  '/nodes': ['spec.unschedulable'],
  '/namespaces': ['status.phase'],
  '/secrets': ['type'],
  '/services': ['spec.clusterIP', 'spec.type'],
  '/replicationcontrollers': ['status.replicas'],
  'apps/replicasets': ['status.replicas'],
  'batch/jobs': ['status.successful'],
  'certificates.k8s.io/certificatesigningrequests': ['spec.signerName'],
};

/** Parses `metadata.name=x,status.phase!=Running` for a kind; undefined when everything passes. */
export function parseFieldSelector(text: string, kind: KindInfo): FieldSelection | undefined {
  if (text.trim() === '') return undefined;
  const requirements = split(text).map(requirement);
  const extra = selectable[`${kind.group}/${kind.plural}`];
  for (const { field } of requirements) checkField(field, kind, extra);
  const wanted = (field: string): string | undefined =>
    requirements.find((one) => one.field === field && !one.negated)?.value;
  const name = wanted('metadata.name');
  const namespace = wanted('metadata.namespace');
  return {
    match: (object) => requirements.every((one) => (fieldText(object, one.field) === one.value) !== one.negated),
    ...(name !== undefined && { name }),
    ...(namespace !== undefined && { namespace }),
  };
}

/**
 * The one name that a field selector demands, for authorization; undefined when it demands none or cannot be read.
 * Reads the selector as the list itself does: two readings of one text could be made to differ.
 */
export function selectedName(text: string): string | undefined {
  try {
    return split(text)
      .map(requirement)
      .find(({ field, negated }) => field === 'metadata.name' && !negated)?.value;
  } catch {
    return undefined;
  }
}

function checkField(field: string, kind: KindInfo, extra: readonly string[] | undefined): void {
  if (field === 'metadata.name' || (field === 'metadata.namespace' && kind.namespaced)) return;
  if (extra?.includes(field) || kind.selectableFields?.includes(field)) return;
  if (extra || kind.custom) throw badRequest(`field label not supported: ${field}`);
  throw badRequest(`"${field}" is not a known field selector: only "metadata.name", "metadata.namespace"`);
}

/** Commas and equals signs inside values are escaped with a backslash. */
function split(text: string): string[] {
  return text.split(/(?<!\\),/).filter((part) => part !== '');
}

function requirement(text: string): Requirement {
  const form = /^([^!=]+)(!=|==|=)(.*)$/s.exec(text);
  if (!form) throw badRequest(`invalid selector: '${text}'; can't understand '${text}'`);
  const value = (form[3] ?? '').replaceAll(/\\([\\,=])/g, '$1');
  return { field: (form[1] ?? '').trim(), value, negated: form[2] === '!=' };
}

function fieldText(object: KubeObject, field: string): string {
  if (field === 'metadata.name') return object.metadata.name;
  if (field === 'metadata.namespace') return object.metadata.namespace ?? '';
  const special = computed[field];
  if (special) return special(object);
  return textAt(object, field.split('.')) || (absent[field] ?? '');
}

/** A scalar as text; anything else as nothing. */
function textAt(object: unknown, path: readonly string[]): string {
  const value = at(object, path);
  return isScalar(value) ? String(value) : '';
}

function isScalar(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

function at(object: unknown, path: readonly string[]): unknown {
  let value = object;
  for (const step of path) value = (value as Record<string, unknown> | undefined | null)?.[step];
  return value;
}

/** The value of a field that is not set. */
const absent: Readonly<Record<string, string>> = lookup({
  'spec.hostNetwork': 'false',
  'spec.unschedulable': 'false',
  'status.replicas': '0',
  'status.successful': '0',
});

const computed: Readonly<Record<string, (object: KubeObject) => string>> = lookup({
  source: (event) => textAt(event, ['source', 'component']) || textAt(event, ['reportingComponent']),
  'status.successful': (job) => textAt(job, ['status', 'succeeded']) || '0',
  'status.podIPs': (pod) => textAt(pod, ['status', 'podIP']),
});
