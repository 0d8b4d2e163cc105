import {
  agentGroup,
  agentUserOf,
  clusterApi,
  executionNamespace,
  gatesRef,
  groupOf,
  keyOf,
  memberSecretNamespace,
  refOf,
  systemLabel,
  workApi,
} from '../../api/index.ts';
import type { Cluster, KubeObject, View } from '../../api/index.ts';
import { covers } from '../dispatch/covers.ts';

const group = 'rbac.authorization.k8s.io';
const labels = { [systemLabel]: 'true' };
const clusters = groupOf(clusterApi);
const works = groupOf(workApi);

/** One rule of a role. */
const on = (apiGroup: string, resources: string, verbs: readonly string[]): Rule => ({
  apiGroups: [apiGroup],
  resources: resources.split(' '),
  verbs,
});

interface Rule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
  readonly resourceNames?: readonly string[];
}

/** The rule, for the object of this name alone. */
const only = (name: string, rule: Rule): Rule => ({ ...rule, resourceNames: [name] });

interface Grant {
  readonly name: string;
  /** The namespace in which the grant holds; the whole hub when absent. */
  readonly namespace?: string;
  readonly rules: readonly Rule[];
  readonly subject: { readonly kind: 'User' | 'Group'; readonly name: string };
}

/**
 * The rights of an agent on the hub, least first: its Works with the Secrets that they carry, events about them, its own Cluster
 * and its own lease; the scripts about kinds, which are for all. Nothing of another member, and no Secret of the hub.
 */
function grantsOf(member: string): readonly Grant[] {
  const subject = { kind: 'User', name: agentUserOf(member) } as const;
  const agent = `${clusterRolePrefix}:${member}:agent`;
  return [
    {
      name: agent,
      subject,
      rules: [
        only(member, on(clusters, 'clusters', ['get', 'list', 'watch'])),
        only(member, on(clusters, 'clusters/status', ['get', 'patch', 'update'])),
        on('config.karmada.io', 'resourceinterpretercustomizations resourceinterpreterwebhookconfigurations', [
          'get',
          'list',
          'watch',
        ]),
        // For the next certificate of its own; the hub approves no other.
        on('certificates.k8s.io', 'certificatesigningrequests', ['create', 'get']),
        on('certificates.k8s.io', 'certificatesigningrequests/selfclusteragent', ['create']),
      ],
    },
    {
      name: `${agent}-work`,
      namespace: executionNamespace(member),
      subject,
      rules: [
        on(works, 'works', ['get', 'list', 'watch', 'update']),
        on(works, 'works/status', ['get', 'patch', 'update']),
        on(works, 'works/secrets', ['get']),
        on('', 'events', ['create', 'get', 'patch', 'update']),
      ],
    },
    {
      name: `${agent}-lease`,
      namespace: memberSecretNamespace,
      subject,
      rules: [only(member, on('coordination.k8s.io', 'leases', ['create', 'get', 'patch', 'update']))],
    },
    {
      name: `${clusterRolePrefix}:agents`,
      namespace: gatesRef.namespace,
      subject: { kind: 'Group', name: agentGroup },
      rules: [only(gatesRef.name, on('', 'configmaps', ['get']))],
    },
  ];
}

const clusterRolePrefix = 'system:karmada';

/** The role of a grant and its binding. */
function objectsOf({ name, namespace, rules, subject }: Grant): readonly KubeObject[] {
  const prefix = namespace === undefined ? 'Cluster' : '';
  const metadata = { name, labels, ...(namespace !== undefined && { namespace }) };
  const apiVersion = `${group}/v1`;
  return [
    { apiVersion, kind: `${prefix}Role`, metadata, rules } as KubeObject,
    {
      apiVersion,
      kind: `${prefix}RoleBinding`,
      metadata,
      roleRef: { apiGroup: group, kind: `${prefix}Role`, name },
      subjects: [{ ...subject, apiGroup: group }],
    } as KubeObject,
  ];
}

/** The objects that give the agent of a Pull member its rights, in the order in which they are created. */
export function agentObjects(member: string): readonly KubeObject[] {
  const home = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: memberSecretNamespace, labels } };
  return [home, ...grantsOf(member).flatMap(objectsOf)];
}

interface AccessWrite {
  readonly verb: 'create' | 'update';
  readonly object: KubeObject;
}

/** The writes that bring the rights of the agent up to date; none for a member that the hub writes to itself. */
export function accessWrites(view: View, { metadata, spec }: Cluster): readonly AccessWrite[] {
  if (spec.syncMode !== 'Pull' || metadata.deletionTimestamp) return [];
  return agentObjects(metadata.name).flatMap((wanted): readonly AccessWrite[] => {
    const present = view.get(keyOf(refOf(wanted)));
    if (!present) return [{ verb: 'create', object: wanted }];
    const { metadata: _, ...content } = wanted;
    return covers(present, content) ? [] : [{ verb: 'update', object: { ...present, ...content } }];
  });
}
