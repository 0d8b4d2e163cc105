import type { KubeObject } from '../../api/index.ts';
import { humanDuration } from './age.ts';
import { ageColumn, boolean, type CellColumn, column, integer, nameColumn, wide } from './column.ts';
import { formatSelector } from './labels.ts';
import { type ReadonlyPart, at, flag, joined, list, number, size, text } from './read.ts';

function subjects(
  kind: string,
  nameOf: (subject: ReadonlyPart) => string = (subject) => text(subject, 'name'),
): CellColumn['cell'] {
  return (binding) =>
    list(binding, 'subjects')
      .filter((subject) => text(subject, 'kind') === kind)
      .map(nameOf)
      .join(', ');
}

const bindingColumns: readonly CellColumn[] = [
  nameColumn,
  column('Role', (object) => `${text(object, 'roleRef.kind')}/${text(object, 'roleRef.name')}`),
  ageColumn,
  wide(column('Users', subjects('User'))),
  wide(column('Groups', subjects('Group'))),
  wide(
    column(
      'ServiceAccounts',
      subjects('ServiceAccount', (one) => `${text(one, 'namespace')}/${text(one, 'name')}`),
    ),
  ),
];

const webhookColumns: readonly CellColumn[] = [
  nameColumn,
  integer('Webhooks', (object) => list(object, 'webhooks').length),
  ageColumn,
];

function signingStatus(request: KubeObject): string {
  const types = new Set(list(request, 'status.conditions').map((one) => text(one, 'type')));
  const decision = ['Denied', 'Approved'].find((type) => types.has(type)) ?? 'Pending';
  const failed = types.has('Failed') ? ',Failed' : '';
  return `${decision}${failed}${text(request, 'status.certificate') ? ',Issued' : ''}`;
}

function requestedDuration(request: KubeObject): string {
  const seconds = at(request, 'spec.expirationSeconds');
  return typeof seconds === 'number' ? humanDuration(seconds * 1000) : '<none>';
}

function nodeStatus(node: KubeObject): string {
  const ready = list(node, 'status.conditions').findLast((one) => text(one, 'type') === 'Ready');
  const word = ready ? (text(ready, 'status') === 'True' ? 'Ready' : 'NotReady') : 'Unknown';
  return flag(node, 'spec.unschedulable') ? `${word},SchedulingDisabled` : word;
}

const rolePrefix = 'node-role.kubernetes.io/';

function nodeRoles({ metadata }: KubeObject): string {
  const roles = Object.entries(metadata.labels ?? {}).map(([key, value]) => {
    if (key.startsWith(rolePrefix)) return key.slice(rolePrefix.length);
    return key === 'kubernetes.io/role' ? value : '';
  });
  return joined([...new Set(roles)].filter((role) => role !== '').sort());
}

function nodeAddress(type: string): CellColumn['cell'] {
  return (node) =>
    text(
      list(node, 'status.addresses').find((one) => text(one, 'type') === type),
      'address',
      '<none>',
    );
}

const nodeInfo = (name: string, key: string): CellColumn =>
  wide(column(name, (node) => text(node, `status.nodeInfo.${key}`, '<unknown>')));

function quota(isLimit: boolean): CellColumn['cell'] {
  return (object) => {
    const hard = quantities(at(object, 'status.hard'));
    const used = quantities(at(object, 'status.used'));
    return Object.keys(hard)
      .filter((resource) => resource.startsWith('limits.') === isLimit)
      .sort()
      .map((resource) => `${resource}: ${used[resource] ?? '0'}/${hard[resource] ?? '0'}`)
      .join(', ');
  };
}

function quantities(value: unknown): Readonly<Record<string, string | number>> {
  return (value ?? {}) as Readonly<Record<string, string | number>>;
}

function availability(service: KubeObject): string {
  const condition = list(service, 'status.conditions').find((one) => text(one, 'type') === 'Available');
  const status = text(condition, 'status', 'Unknown');
  const reason = text(condition, 'reason');
  return status === 'True' || !reason ? status : `${status} (${reason})`;
}

function serviceOf(apiService: KubeObject): string {
  const service = at(apiService, 'spec.service');
  return service === undefined ? 'Local' : `${text(service, 'namespace')}/${text(service, 'name')}`;
}

function paramKind(policy: KubeObject): string {
  const kind = at(policy, 'spec.paramKind');
  return kind === undefined ? '<unset>' : `${text(kind, 'apiVersion')}/${text(kind, 'kind')}`;
}

function paramRef(binding: KubeObject): string {
  const name = text(binding, 'spec.paramRef.name');
  if (name) return `${text(binding, 'spec.paramRef.namespace', '*')}/${name}`;
  const selector = at(binding, 'spec.paramRef.selector');
  return selector === undefined ? '<unset>' : formatSelector(selector);
}

/** Columns of the kinds that administrators look at, by group and plural. */
export const administrationColumns: Readonly<Record<string, readonly CellColumn[]>> = {
  '/namespaces': [nameColumn, column('Status', (object) => text(object, 'status.phase')), ageColumn],
  '/nodes': [
    nameColumn,
    column('Status', nodeStatus),
    column('Roles', nodeRoles),
    ageColumn,
    column('Version', (object) => text(object, 'status.nodeInfo.kubeletVersion')),
    wide(column('Internal-IP', nodeAddress('InternalIP'))),
    wide(column('External-IP', nodeAddress('ExternalIP'))),
    nodeInfo('OS-Image', 'osImage'),
    nodeInfo('Kernel-Version', 'kernelVersion'),
    nodeInfo('Container-Runtime', 'containerRuntimeVersion'),
  ],
  '/configmaps': [nameColumn, column('Data', (object) => size(object, 'data') + size(object, 'binaryData')), ageColumn],
  '/secrets': [
    nameColumn,
    column('Type', (object) => text(object, 'type', 'Opaque')),
    column('Data', (object) => size(object, 'data')),
    ageColumn,
  ],
  '/serviceaccounts': [nameColumn, column('Secrets', (object) => list(object, 'secrets').length), ageColumn],
  '/resourcequotas': [nameColumn, column('Request', quota(false)), column('Limit', quota(true)), ageColumn],
  'rbac.authorization.k8s.io/rolebindings': bindingColumns,
  'rbac.authorization.k8s.io/clusterrolebindings': bindingColumns,
  'certificates.k8s.io/certificatesigningrequests': [
    nameColumn,
    ageColumn,
    column('SignerName', (object) => text(object, 'spec.signerName', '<none>')),
    column('Requestor', (object) => text(object, 'spec.username')),
    column('RequestedDuration', requestedDuration),
    column('Condition', signingStatus),
  ],
  'coordination.k8s.io/leases': [
    nameColumn,
    column('Holder', (object) => text(object, 'spec.holderIdentity')),
    ageColumn,
  ],
  'scheduling.k8s.io/priorityclasses': [
    nameColumn,
    integer('Value', (object) => number(object, 'value')),
    boolean('Global-Default', (object) => flag(object, 'globalDefault')),
    ageColumn,
    column('PreemptionPolicy', (object) => text(object, 'preemptionPolicy')),
  ],
  'node.k8s.io/runtimeclasses': [nameColumn, column('Handler', (object) => text(object, 'handler')), ageColumn],
  'admissionregistration.k8s.io/mutatingwebhookconfigurations': webhookColumns,
  'admissionregistration.k8s.io/validatingwebhookconfigurations': webhookColumns,
  'admissionregistration.k8s.io/validatingadmissionpolicies': [
    nameColumn,
    integer('Validations', (object) => list(object, 'spec.validations').length),
    column('ParamKind', paramKind),
    ageColumn,
  ],
  'admissionregistration.k8s.io/validatingadmissionpolicybindings': [
    nameColumn,
    column('PolicyName', (object) => text(object, 'spec.policyName')),
    column('ParamRef', paramRef),
    ageColumn,
  ],
  'apiregistration.k8s.io/apiservices': [
    nameColumn,
    column('Service', serviceOf),
    column('Available', availability),
    ageColumn,
  ],
};
