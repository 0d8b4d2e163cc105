import { builtinCatalog, crds, gatesRef, isOwnGroup, memberSecretNamespace } from '../../api/index.ts';
import type { KubeObject } from '../../api/index.ts';
import { peopleRoles } from '../../auth/index.ts';
import { isTemplateKind } from '../../engine/index.ts';
import { certificateSecret, configurationName } from '../webhook-certificates.ts';
import { installedLabels, programs } from './words.ts';
import type { InstallWords, Program, TemplateKind } from './words.ts';

type PermissionField = 'apiGroups' | 'resources' | 'verbs' | 'resourceNames' | 'nonResourceURLs';
type Permission = Partial<Readonly<Record<PermissionField, readonly string[]>>>;

const apiVersion = 'rbac.authorization.k8s.io/v1';
const apiGroup = 'rbac.authorization.k8s.io';
const follow = ['get', 'list', 'watch'];
/** The label of ClusterRoles that add kinds of templates. */
export const templateRoleLabel = 'rbac.sluice.dev/aggregate-to-templates';

const on = (group: string, resources: readonly string[], verbs: readonly string[]): Permission => ({
  apiGroups: [group],
  resources,
  verbs,
});

/**
 * The permissions of the programs: the least with which every controller works. Templates are read and get labels and annotations, and
 * their status is written; nobody creates or deletes them. Namespaces of members are made and removed.
 */
export function roles(words: InstallWords): readonly KubeObject[] {
  const { namespace } = words;
  const here = { namespace, home: namespace };
  return [
    clusterRole('sluice-controllers', controllerRules()),
    {
      ...clusterRole('sluice-templates', []),
      aggregationRule: { clusterRoleSelectors: [{ matchLabels: { [templateRoleLabel]: 'true' } }] },
    } as KubeObject,
    clusterRole('sluice-templates-usual', templateRules(words)),
    clusterRole('sluice-webhook', webhookRules()),
    ...peopleRoles().map(({ name, rules }) => clusterRole(name, rules)),
    clusterBinding('sluice-controllers', 'controllers', namespace),
    clusterBinding('sluice-templates', 'controllers', namespace),
    // The hub may not gather the rules of labelled roles: that is a controller of kube-controller-manager.
    clusterBinding('sluice-templates-usual', 'controllers', namespace),
    clusterBinding('sluice-webhook', 'webhook', namespace),
    ...inNamespace(here, 'controllers', [on('coordination.k8s.io', ['leases'], [...follow, 'create', 'update'])]),
    ...inNamespace(here, 'webhook', [
      on('', ['secrets'], ['create']),
      { ...on('', ['secrets'], ['get', 'update']), resourceNames: [certificateSecret] },
    ]),
    // Agents of members renew their leases there.
    ...inNamespace({ namespace: memberSecretNamespace, home: namespace }, 'controllers', [
      on('coordination.k8s.io', ['leases'], [...follow, 'create', 'patch', 'update']),
    ]),
    ...inNamespace({ namespace: gatesRef.namespace, home: namespace }, 'controllers', [
      on('', ['configmaps'], ['create']),
      { ...on('', ['configmaps'], ['get', 'patch']), resourceNames: [gatesRef.name] },
    ]),
  ];
}

/** The namespaces of an installation: its own, and those that Karmada's names reserve. */
export function namespaces({ namespace }: Pick<InstallWords, 'namespace'>): readonly KubeObject[] {
  return [
    namespaceOf(namespace, { 'pod-security.kubernetes.io/enforce': 'restricted' }),
    namespaceOf(memberSecretNamespace),
    namespaceOf(gatesRef.namespace),
  ];
}

function namespaceOf(name: string, labels: object = {}): KubeObject {
  const metadata = { name, labels: { ...installedLabels, 'karmada.io/system': 'true', ...labels } };
  return { apiVersion: 'v1', kind: 'Namespace', metadata };
}

function controllerRules(): readonly Permission[] {
  return [
    ...ownRules(),
    on('work.karmada.io', ['resourcebindings', 'clusterresourcebindings', 'works'], ['create', 'delete', 'patch']),
    on('', ['namespaces'], ['create', 'delete']),
    on('', ['events'], ['create', 'get', 'patch', 'update']),
    ...agentRules(),
    on('apiextensions.k8s.io', ['customresourcedefinitions'], follow),
  ];
}

/**
 * Agents of members get roles of their own from the controllers. The hub lets them grant no more than they have themselves, so
 * they have here what an agent needs; and they approve the certificates of agents.
 */
function agentRules(): readonly Permission[] {
  const csr = 'certificatesigningrequests';
  return [
    on(apiGroup, ['roles', 'rolebindings', 'clusterroles', 'clusterrolebindings'], ['create', 'update']),
    on('work.karmada.io', ['works/secrets'], ['get']),
    on('certificates.k8s.io', [csr], [...follow, 'create']),
    on('certificates.k8s.io', [`${csr}/selfclusteragent`], ['create']),
    on('certificates.k8s.io', [`${csr}/approval`], ['update']),
    { ...on('certificates.k8s.io', ['signers'], ['approve']), resourceNames: ['kubernetes.io/kube-apiserver-client'] },
  ];
}

/** Our own kinds: read, and written with their status. Owners need the last rule where the hub asks for it. */
function ownRules(): readonly Permission[] {
  const byGroup = new Map<string, string[]>();
  for (const { spec } of crds()) {
    if (!isOwnGroup(spec.group)) continue;
    byGroup.set(spec.group, [...(byGroup.get(spec.group) ?? []), spec.names.plural]);
  }
  return [...byGroup].flatMap(([group, plurals]) => [
    on(group, plurals, [...follow, 'update', 'patch']),
    on(
      group,
      plurals.flatMap((plural) => [`${plural}/status`, `${plural}/finalizers`]),
      ['get', 'update', 'patch'],
    ),
  ]);
}

interface Template extends TemplateKind {
  readonly status: boolean;
}

function templateRules({ templates, privilegedTemplates }: InstallWords): readonly Permission[] {
  const builtin = builtinCatalog().kinds.filter(
    ({ group, version, kind, verbs }) =>
      isTemplateKind({ apiVersion: group ? `${group}/${version}` : version, kind }) &&
      ['list', 'watch', 'patch'].every((verb) => verbs.includes(verb)),
  );
  const own = crds().filter(({ spec }) => !isOwnGroup(spec.group));
  const all: readonly Template[] = [
    ...builtin,
    ...own.map(({ spec }) => ({ group: spec.group, plural: spec.names.plural, status: true })),
    ...templates.map((template) => ({ ...template, status: true })),
  ];
  const groups = [...new Set(all.map(({ group }) => group))].sort();
  return groups.flatMap((group) =>
    rulesOf(
      group,
      all.filter((one) => one.group === group),
      privilegedTemplates,
    ),
  );
}

/** Groups whose objects rule the hub itself: who may write them may do everything there. */
const rulingGroups: ReadonlySet<string> = new Set([
  apiGroup,
  'admissionregistration.k8s.io',
  'apiregistration.k8s.io',
  'certificates.k8s.io',
  'flowcontrol.apiserver.k8s.io',
]);

/** A claim is a write of labels, so whoever may claim a ruling object may change it: that takes the consent of the administrator. */
function rulesOf(group: string, templates: readonly Template[], privileged: boolean): readonly Permission[] {
  const isRuling = ({ plural }: Template): boolean => rulingGroups.has(group) || (group === '' && plural === 'nodes');
  const ruling = namesOf(templates.filter(isRuling));
  const others = namesOf(templates.filter((one) => !isRuling(one)));
  const writable = [...others, ...(privileged ? ruling : [])].sort();
  const reporting = new Set(templates.filter(({ status }) => status).map(({ plural }) => plural));
  const withStatus = writable.filter((plural) => reporting.has(plural)).map((plural) => `${plural}/status`);
  // The hub lets only those change a role who may change any role.
  const claim = group === apiGroup ? ['patch', 'escalate', 'bind'] : ['patch'];
  return [
    on(group, namesOf(templates), follow),
    ...(writable.length > 0 ? [on(group, writable, claim)] : []),
    ...(withStatus.length > 0 ? [on(group, withStatus, ['update', 'patch'])] : []),
  ];
}

const namesOf = (templates: readonly Template[]): readonly string[] =>
  [...new Set(templates.map(({ plural }) => plural))].sort();

function webhookRules(): readonly Permission[] {
  return [
    on('cluster.karmada.io', ['clusters'], follow),
    on('config.karmada.io', ['resourceinterpretercustomizations'], follow),
    on('authorization.k8s.io', ['subjectaccessreviews'], ['create']),
    {
      ...on(
        'admissionregistration.k8s.io',
        ['mutatingwebhookconfigurations', 'validatingwebhookconfigurations'],
        ['get', 'patch'],
      ),
      resourceNames: [configurationName],
    },
  ];
}

function clusterRole(
  name: string,
  rules: readonly Permission[],
  labels: Readonly<Record<string, string>> = {},
): KubeObject {
  const metadata = { name, labels: { ...installedLabels, ...labels } };
  return { apiVersion, kind: 'ClusterRole', metadata, rules } as KubeObject;
}

function clusterBinding(role: string, program: Program, namespace: string): KubeObject {
  return {
    apiVersion,
    kind: 'ClusterRoleBinding',
    metadata: { name: role, labels: installedLabels },
    roleRef: { apiGroup, kind: 'ClusterRole', name: role },
    subjects: [{ kind: 'ServiceAccount', name: programs[program], namespace }],
  } as KubeObject;
}

interface Place {
  /** The namespace of the role. */
  readonly namespace: string;
  /** The namespace of the account. */
  readonly home: string;
}

function inNamespace(
  { namespace, home }: Place,
  program: Program,
  rules: readonly Permission[],
): readonly KubeObject[] {
  const name = programs[program];
  const metadata = { name, namespace, labels: installedLabels };
  return [
    { apiVersion, kind: 'Role', metadata, rules } as KubeObject,
    {
      apiVersion,
      kind: 'RoleBinding',
      metadata,
      roleRef: { apiGroup, kind: 'Role', name },
      subjects: [{ kind: 'ServiceAccount', name, namespace: home }],
    } as KubeObject,
  ];
}
