/**
 * Two tenants, `red` and `blue`, with people of different rights, and something of every sort that blue keeps to itself.
 * Start with `openTenants`.
 */
import type { House } from './kit.ts';
import { openHouse } from './kit.ts';

/** The people of the matrix: nobody but bob may do anything in blue. */
export const outsiders = ['ann', 'eve', 'pol', 'adam', 'nob', ''] as const;

/** Stands in every object of blue, so that a leak is seen wherever it happens. */
export const marker = 'blue-private-value';
export const encodedMarker = Buffer.from(marker).toString('base64');

const rbac = '/apis/rbac.authorization.k8s.io/v1';
const apps = '/apis/apps/v1';
const policies = '/apis/policy.karmada.io/v1alpha1';

const bind = (user: string, role: string): object => ({
  metadata: { name: `${user}-${role}` },
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: role },
  subjects: [{ kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: user }],
});

/**
 * A hub with the tenants. In red: ann has `edit`, eve `view`, adam `admin`, pol writes propagation policies and nothing
 * else, one reads the ConfigMap `own` by its name. In blue: bob has `admin`. nob has no rights, '' is nobody.
 */
export async function openTenants(): Promise<House> {
  const house = await openHouse();
  for (const name of ['red', 'blue', 'karmada-es-member1'])
    await house.does('POST /api/v1/namespaces', { metadata: { name } });
  for (const [user, role] of [
    ['ann', 'edit'],
    ['eve', 'view'],
    ['adam', 'admin'],
  ] as const)
    await house.does(`POST ${rbac}/namespaces/red/rolebindings`, bind(user, role));
  await house.does(`POST ${rbac}/namespaces/blue/rolebindings`, bind('bob', 'admin'));
  await grant(house, 'pol', {
    apiGroups: ['policy.karmada.io'],
    resources: ['propagationpolicies'],
    verbs: ['get', 'list', 'create', 'update', 'patch', 'delete'],
  });
  await grant(house, 'one', {
    apiGroups: [''],
    resources: ['configmaps'],
    resourceNames: ['own'],
    verbs: ['get', 'list', 'watch'],
  });
  for (const namespace of ['red', 'blue']) await furnish(house, namespace);
  return house;
}

async function grant(house: House, user: string, rule: object): Promise<void> {
  await house.does(`POST ${rbac}/clusterroles`, { metadata: { name: `${user}-role` }, rules: [rule] });
  await house.does(`POST ${rbac}/namespaces/red/rolebindings`, { ...bind(user, `${user}-role`) });
}

/** One object of each sort that tenants care about. */
async function furnish(house: House, namespace: string): Promise<void> {
  const value = namespace === 'blue' ? marker : 'red-value';
  const core = `/api/v1/namespaces/${namespace}`;
  const metadata = { name: 'own', annotations: { value } };
  await house.does(`POST ${core}/configmaps`, { metadata, data: { value } });
  await house.does(`POST ${core}/configmaps`, { metadata: { ...metadata, name: 'second' }, data: { value } });
  await house.does(`POST ${core}/secrets`, { metadata, stringData: { value } });
  await house.does(`POST ${core}/serviceaccounts`, { metadata });
  const labels = { app: 'own' };
  const template = {
    metadata: { labels },
    spec: { containers: [{ name: 'c', image: 'i', env: [{ name: 'V', value }] }] },
  };
  await house.does(`POST ${apps}/namespaces/${namespace}/deployments`, {
    metadata,
    spec: { selector: { matchLabels: labels }, template },
  });
  await house.does(`POST ${policies}/namespaces/${namespace}/propagationpolicies`, {
    apiVersion: 'policy.karmada.io/v1alpha1',
    kind: 'PropagationPolicy',
    metadata,
    spec: { resourceSelectors: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'own' }], placement: {} },
  });
}

/** Tells whether this text shows anything of blue's. */
export const leaks = (text: string): boolean => text.includes(marker) || text.includes(encodedMarker);
