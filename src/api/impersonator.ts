import { memberSecretNamespace } from './access.ts';
import type { KubeObject } from './meta.ts';

/** The account in a member that takes on the users of the hub. */
export const impersonator = { namespace: memberSecretNamespace, name: 'karmada-impersonator' } as const;

const group = 'rbac.authorization.k8s.io';
const verbs = ['impersonate'];

/** An account in a member. */
interface Account {
  readonly namespace: string;
  readonly name: string;
}

/**
 * The role of an impersonator and its binding, both of its name, as they are made in a member. It may take on everybody and do nothing else:
 * the hub decides who may use `clusters/proxy`, the member's own rules what they may do there.
 */
export const impersonatorRole = (
  { namespace, name }: Account,
  labels: Readonly<Record<string, string>> = {},
): readonly KubeObject[] => [
  {
    apiVersion: `${group}/v1`,
    kind: 'ClusterRole',
    metadata: { name, labels },
    rules: [
      { apiGroups: [''], resources: ['users', 'groups', 'serviceaccounts'], verbs },
      { apiGroups: ['authentication.k8s.io'], resources: ['*'], verbs },
    ],
  } as KubeObject,
  {
    apiVersion: `${group}/v1`,
    kind: 'ClusterRoleBinding',
    metadata: { name, labels },
    roleRef: { apiGroup: group, kind: 'ClusterRole', name },
    subjects: [{ kind: 'ServiceAccount', namespace, name }],
  } as KubeObject,
];

/** Where the hub keeps the token of the impersonator of a member. */
export const impersonatorSecretRef = (member: string): Account => ({
  namespace: memberSecretNamespace,
  name: `${member}-impersonator`,
});
