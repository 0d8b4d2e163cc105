import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect } from 'vitest';
import type { IncomingMessage } from 'node:http';
import type { Extras, Kubectl } from '../kit/kubectl.ts';
import { hubForAll, story } from '../kit/story.ts';

const hub = hubForAll();

const owned = (k: Kubectl, name: string, owner: string): Promise<string> =>
  k.does(`get deployment ${owner} -o jsonpath={.metadata.uid}`).then((uid) => {
    const ownerReferences = [{ apiVersion: 'apps/v1', kind: 'Deployment', name: owner, uid, blockOwnerDeletion: true }];
    const labels = { app: name };
    const spec = {
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: 'main', image: 'nginx' }] } },
    };
    const set = { apiVersion: 'apps/v1', kind: 'ReplicaSet', metadata: { name, ownerReferences }, spec };
    return k.does('create -f -', { input: JSON.stringify(set) });
  });

story('delete', hub, async ({ k }) => {
  for (const name of ['background', 'foreground', 'orphan']) {
    await k.does(`create deployment ${name} --image=nginx`);
    await owned(k, name, name);
    expect(await k.does(`delete deployment ${name} --cascade=${name}`)).toContain(`deployment.apps "${name}" deleted`);
  }
  await k.does('wait rs/background rs/foreground --for=delete --timeout=60s');
  expect(await k.does('get rs -o jsonpath={.items[*].metadata.name}={.items[*].metadata.ownerReferences}')).toBe(
    'orphan=',
  );

  expect(await k.fails('delete deployment orphan')).toBe(
    'Error from server (NotFound): deployments.apps "orphan" not found',
  );
  expect(await k.does('delete deployment orphan --ignore-not-found')).toBe('');
  await k.does('create configmap a');
  await k.does('create configmap b');
  await k.does('label configmap a b go=yes');
  expect(await k.does('delete configmap -l go=yes')).toMatch(/^configmap "a" deleted.*\nconfigmap "b" deleted.*\n$/);

  await k.does('run p --image=busybox');
  await k.does('delete pod p --now');
  await k.does('run p --image=busybox');
  const forced = await k.tries('delete pod p --force --grace-period=0');
  expect(forced.out).toContain('pod "p" force deleted');
  expect(forced.err).toContain('Immediate deletion does not wait for confirmation');
  expect(await k.does('delete all --all')).toContain('replicaset.apps "orphan" deleted');
});

story('finalizers', hub, async ({ k }) => {
  const blocked = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'held', finalizers: ['example.com/hold'] } };
  await k.does('create -f -', { input: JSON.stringify(blocked) });
  expect(await k.does('delete configmap held --wait=false')).toContain('configmap "held" deleted');
  expect(await k.does('get configmap held -o jsonpath={.metadata.deletionTimestamp}')).toMatch(/^\d{4}-/);
  const going = k.starts('wait configmap/held --for=delete --timeout=60s');
  await k.does('patch configmap held --type=merge -p \'{"metadata":{"finalizers":null}}\'');
  expect(await going.ends()).toBe(0);

  const inner = `${k.namespace}-inner`;
  await k.does(`create namespace ${inner}`);
  await k.does(`create --namespace=${inner} -f -`, { input: JSON.stringify(blocked) });
  await k.does(`delete namespace ${inner} --wait=false`);
  expect(await k.does(`get namespace ${inner} --no-headers`)).toContain('Terminating');
  expect(await k.fails(`create configmap late --namespace=${inner}`)).toContain(
    `configmaps "late" is forbidden: unable to create new content in namespace ${inner} because it is being terminated`,
  );
  const emptied = k.starts(`wait namespace/${inner} --for=delete --timeout=60s`);
  await k.does(`patch configmap held --namespace=${inner} --type=merge -p '{"metadata":{"finalizers":null}}'`);
  expect(await emptied.ends()).toBe(0);
});

story('rights', hub, async ({ k }) => {
  await k.does('create serviceaccount robot');
  await k.does('create role reader --verb=get,list --resource=configmaps');
  await k.does(`create rolebinding readers --role=reader --serviceaccount=${k.namespace}:robot`);
  const robot = `system:serviceaccount:${k.namespace}:robot`;
  expect(await k.does('auth can-i create pods')).toBe('yes\n');
  expect(await k.does(`auth can-i list configmaps --as=${robot}`)).toBe('yes\n');
  const no = await k.tries(`auth can-i list secrets --as=${robot}`);
  expect([no.code, no.out]).toEqual([1, 'no\n']);
  expect(await k.does(`auth can-i --list --as=${robot}`)).toMatch(/^configmaps +\[\] +\[\] +\[get list\]$/m);
  expect(await k.does(`get configmap --as=${robot} -o name`)).toBe('configmap/kube-root-ca.crt\n');
  expect(await k.fails(`get secret --as=${robot}`)).toBe(
    `Error from server (Forbidden): secrets is forbidden: User "${robot}" cannot list resource "secrets" in API group "" in the namespace "${k.namespace}"`,
  );
  expect(await k.fails('create token nobody')).toBe(
    'error: failed to create token: serviceaccounts "nobody" not found',
  );
  const metadata = { name: 'reader', namespace: k.namespace };
  const role = { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'Role', metadata };
  const rules = [{ apiGroups: [''], resources: ['configmaps', 'pods'], verbs: ['get', 'list'] }];
  expect(await k.does('auth reconcile -f -', { input: JSON.stringify({ ...role, rules }) })).toContain(
    'role.rbac.authorization.k8s.io/reader reconciled',
  );
  expect(await k.does(`auth can-i list pods --as=${robot}`)).toBe('yes\n');
});

story('identity', hub, async ({ k, version }) => {
  await k.does('create serviceaccount robot');
  const robot = `system:serviceaccount:${k.namespace}:robot`;
  const token = (await k.does('create token robot --duration=10m')).trim();
  expect(token.split('.')).toHaveLength(3);
  const bearing = async (word: string): Promise<Extras> => ({
    more: ['--token', word, '--kubeconfig', await tokenOnly(k)],
  });
  expect(await k.fails('get configmap', await bearing(token))).toContain(
    `User "${robot}" cannot list resource "configmaps" in API group "" in the namespace "${k.namespace}"`,
  );
  expect(await k.fails('get configmap', await bearing('nonsense'))).toContain('You must be logged in to the server');
  if (version === '1.27') {
    // It asks for an older version of the API than any server has that is as new as this one.
    expect(await k.fails('auth whoami')).toContain('the selfsubjectreviews API is not enabled in the cluster');
    return;
  }
  const me = await k.does('auth whoami', await bearing(token));
  expect(me).toMatch(new RegExp(`^Username +${robot}$`, 'm'));
  expect(me).toMatch(/^Groups +\[system:serviceaccounts system:serviceaccounts:\S+ system:authenticated\]$/m);
  expect(await k.does('auth whoami')).toMatch(/^Groups +\[system:masters system:authenticated\]$/m);
});

/** The kubeconfig without its client certificate, which would outrank a token. */
async function tokenOnly(k: Kubectl): Promise<string> {
  const config = JSON.parse(await k.does('config view --raw -o json')) as { users: unknown };
  await k.file('token-only.json', { ...config, users: [{ name: 'hub-admin', user: {} }] });
  return `${k.folder}/token-only.json`;
}

story('cluster', hub, async ({ k, version, hub }) => {
  const resources = await k.does('api-resources');
  expect(resources).toMatch(/^deployments +deploy +apps\/v1 +true +Deployment$/m);
  expect(resources).toMatch(/^propagationpolicies +pp +policy.karmada.io\/v1alpha1 +true +PropagationPolicy$/m);
  expect(await k.does('api-resources --api-group=apps -o wide')).toMatch(
    /^deployments +deploy +apps\/v1 +true +Deployment +create,delete,deletecollection,get,list,patch,update,watch +all$/m,
  );
  expect(await k.does('api-resources --namespaced=false -o name')).toMatch(/^clusters.cluster.karmada.io$/m);
  const versions = (await k.does('api-versions')).split('\n');
  for (const one of ['v1', 'apps/v1', 'batch/v1', 'work.karmada.io/v1alpha2']) expect(versions).toContain(one);
  expect(await k.does('cluster-info')).toContain(hub.url);
  expect(await k.does('version -o json')).toMatch(new RegExp(`"gitVersion": "v${version.replace('.', '\\.')}\\.`));
  expect(await k.does('version -o json')).toMatch(/"serverVersion": \{[^}]*"gitVersion": "v1\.\d+\.\d+/);
  expect(await k.does('get --raw /healthz')).toBe('ok');
  expect(await k.does('get --raw /readyz?verbose')).toContain('readyz check passed');
  expect(await k.does(`get --raw /api/v1/namespaces/${k.namespace}`)).toContain('"kind":"Namespace"');
  await k.does('create -f - --raw /api/v1/namespaces/default/configmaps?dryRun=All', {
    input: JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'raw' } }),
  });
});

story('proxy', hub, async ({ k }) => {
  const proxy = k.starts('proxy --port=0');
  const said = await proxy.says('Starting to serve on 127.0.0.1:');
  const port = Number(/127\.0\.0\.1:(\d+)/.exec(said)?.[1]);
  const reply = await new Promise<IncomingMessage>((resolve, reject) => {
    request({ host: '127.0.0.1', port, path: `/api/v1/namespaces/${k.namespace}` }, resolve)
      .on('error', reject)
      .end();
  });
  expect(reply.statusCode).toBe(200);
  expect(JSON.parse(await text(reply))).toMatchObject({ metadata: { name: k.namespace } });
  await proxy.stop();
});

story('not-here', hub, async ({ k }) => {
  await k.does('run p --image=busybox');
  expect(await k.fails('logs p')).toContain('pods/log is not served: this API server runs no containers');
  expect(await k.fails('exec p -- ls')).toContain('pods/exec is not served');
  expect(await k.fails('attach p')).toContain('pods/attach is not served');
  expect(await k.fails('port-forward p 0:80')).toContain('pod is not running');
  expect(await k.fails('top nodes')).toBe('error: Metrics API not available');
  expect(await k.fails('top pods')).toBe('error: Metrics API not available');
  expect(await k.fails('certificate approve nope')).toContain(
    'certificatesigningrequests.certificates.k8s.io "nope" not found',
  );
});
