import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Kubectl } from '../kit/kubectl.ts';
import { hubForAll, story } from '../kit/story.ts';

const hub = hubForAll();

/** The objects that `kubectl apply` names for each application, in the order of the files. */
const applications = {
  web: [
    'configmap/shop',
    'deployment.apps/shop',
    'service/shop',
    'ingress.networking.k8s.io/shop',
    'networkpolicy.networking.k8s.io/shop',
    'horizontalpodautoscaler.autoscaling/shop',
    'poddisruptionbudget.policy/shop',
  ],
  operator: [
    'customresourcedefinition.apiextensions.k8s.io/caches.memory.example.com',
    'serviceaccount/cache-operator',
    'role.rbac.authorization.k8s.io/cache-operator',
    'rolebinding.rbac.authorization.k8s.io/cache-operator',
    'deployment.apps/cache-operator',
    'cache.memory.example.com/sessions',
    'cache.memory.example.com/pages',
  ],
  database: [
    'serviceaccount/orders',
    'role.rbac.authorization.k8s.io/orders',
    'rolebinding.rbac.authorization.k8s.io/orders',
    'persistentvolumeclaim/backups',
    'cronjob.batch/backup',
    'service/orders',
    'statefulset.apps/orders',
    'secret/orders',
  ],
} as const;

/**
 * Where kubectl 1.33 against kube-apiserver 1.34 says `configured` although nothing has changed: it sends what the server
 * writes in other words (0.5 and 500m), completes in a list that is replaced as a whole, or never shows again.
 */
const rephrased: Readonly<Record<string, string>> = {
  'deployment.apps/shop': 'configured',
  'networkpolicy.networking.k8s.io/shop': 'configured',
  'poddisruptionbudget.policy/shop': 'configured',
  'cache.memory.example.com/sessions': 'configured',
  'statefulset.apps/orders': 'configured',
  'secret/orders': 'configured',
};

/** A copy of the application in the folder of this kubectl, so that its files can be edited. */
function fetched(k: Kubectl, name: keyof typeof applications): void {
  cpSync(join(import.meta.dirname, 'applications', name), join(k.folder, name), { recursive: true });
}

function edited(k: Kubectl, file: string, [before, after]: readonly [string, string]): void {
  const path = join(k.folder, file);
  writeFileSync(path, readFileSync(path, 'utf8').replace(before, after));
}

const said = (names: readonly string[], what: string): string => names.map((name) => `${name} ${what}\n`).join('');
const saidAgain = (names: readonly string[], changed: Readonly<Record<string, string>> = {}): string =>
  names.map((name) => `${name} ${changed[name] ?? rephrased[name] ?? 'unchanged'}\n`).join('');

/** Applies a second time: whatever kubectl says, nothing is written. */
async function appliesAgain(k: Kubectl, folder: string, names: readonly string[]): Promise<void> {
  const revisions = `get -f ${folder} -o jsonpath={.items[*].metadata.resourceVersion}`;
  const before = await k.does(revisions);
  const told = await k.does(`apply -f ${folder}`);
  expect(told.replaceAll(/v\d-\d+\.example/g, 'memory.example')).toBe(saidAgain(names));
  expect(await k.does(revisions)).toBe(before);
}

story('web', hub, async ({ k }) => {
  const names = applications.web;
  fetched(k, 'web');
  expect(await k.does('apply -f web')).toBe(said(names, 'created'));
  expect(await k.does('diff -f web')).toBe('');
  await appliesAgain(k, 'web', names);

  const yaml = await k.does('get deployment shop -o yaml');
  for (const line of [
    'cpu: 500m',
    'divisor: "0"',
    'apiVersion: v1\n',
    'defaultMode: 420',
    'scheme: HTTP',
    'maxSurge: 1',
  ]) {
    expect(yaml).toContain(line);
  }
  expect(await k.does('get hpa shop -o jsonpath={.spec.behavior.scaleDown.selectPolicy}')).toBe('Max');
  expect(await k.does('get netpol shop -o jsonpath={.spec.policyTypes}')).toBe('["Ingress"]');
  expect(await k.does('get ingress shop --no-headers')).toMatch(/^shop +nginx +shop.example.com +80, 443 /);

  edited(k, 'web/deployment.yaml', ['nginx:1.27', 'nginx:1.28']);
  edited(k, 'web/config.yaml', ['LOG_LEVEL: info', 'LOG_LEVEL: debug']);
  const { code, out } = await k.tries('diff -f web');
  expect(code).toBe(1);
  expect(out.match(/^[-+] .*(image|LOG_LEVEL|generation): .*$/gm)?.map((line) => line.replaceAll(/ +/g, ' '))).toEqual([
    '- generation: 1',
    '+ generation: 2',
    '- image: nginx:1.27',
    '+ image: nginx:1.28',
    '- LOG_LEVEL: info',
    '+ LOG_LEVEL: debug',
  ]);
  expect(await k.does('apply -f web')).toBe(saidAgain(names, { 'configmap/shop': 'configured' }));
  expect(await k.does('diff -f web')).toBe('');

  await k.does('scale deployment shop --replicas=7');
  expect(await k.does('apply -f web')).toBe(saidAgain(names));
  expect(await k.does('get deployment shop -o jsonpath={.spec.replicas}')).toBe('3');

  expect(await k.does('apply --server-side --force-conflicts -f web')).toBe(said(names, 'serverside-applied'));
  expect(await k.does('apply --server-side -f web')).toBe(said(names, 'serverside-applied'));
  expect(await k.does('diff --server-side -f web')).toBe('');

  const pruned =
    '--prune -l app.kubernetes.io/part-of=shop --prune-allowlist=core/v1/ConfigMap --prune-allowlist=policy/v1/PodDisruptionBudget';
  await k.does('create configmap stray');
  await k.does('label configmap stray app.kubernetes.io/part-of=shop');
  await k.does('annotate configmap stray kubectl.kubernetes.io/last-applied-configuration={}');
  expect(await k.does(`apply -f web ${pruned}`)).toMatch(/configmap\/stray pruned\n$/);
  expect(await k.does('get configmap shop stray -o name --ignore-not-found')).toBe('configmap/shop\n');

  const deleted = await k.does('delete -f web');
  expect(deleted.match(/ deleted/g)).toHaveLength(names.length);
  expect(await k.does('get all,ingress,netpol,pdb -o name')).toBe('');
});

story('operator', hub, async ({ k, version }) => {
  const names = applications.operator;
  fetched(k, 'operator');
  // Every version brings its own definition: a hub has only one of a name.
  const group = `v${version.replace('.', '-')}.example.com`;
  for (const file of ['1-crd.yaml', '2-operator.yaml', '3-caches.yaml']) {
    const path = join(k.folder, 'operator', file);
    writeFileSync(path, readFileSync(path, 'utf8').replaceAll('memory.example.com', group));
  }
  const own = names.map((name) => name.replace('memory.example.com', group));
  await k.does('apply -f operator/1-crd.yaml');
  expect(await k.does(`wait crd/caches.${group} --for=condition=Established --timeout=60s`)).toContain('condition met');
  const [definition = '', ...others] = own;
  expect(await k.does('apply -f operator')).toBe(`${definition} unchanged\n${said(others, 'created')}`);
  expect(await k.does('diff -f operator')).toBe('');
  await appliesAgain(k, 'operator', names);

  const caches = `caches.${group}`;
  expect(await k.does(`get ${caches}`)).toMatch(
    /^NAME +REPLICAS +MEMORY +READY +AGE\npages +1 +64 +\d+s\nsessions +2 +256Mi +\d+s\n$/,
  );
  expect(await k.does(`get ${caches} pages -o wide`)).toMatch(
    /^NAME +REPLICAS +MEMORY +READY +EVICTION +AGE\npages +1 +64 +LRU +\d+s\n$/,
  );
  expect(await k.does(`get ${caches} sessions -o jsonpath={.spec.eviction}{.spec.maxReplicas}{.spec.listeners}`)).toBe(
    'LRU5[{"port":11211,"protocol":"tcp"}]',
  );
  const old = await k.tries(`get caches.v1beta1.${group} pages -o jsonpath={.apiVersion}`);
  expect(old.out).toBe(`${group}/v1beta1`);
  expect(old.err).toContain(`Warning: ${group}/v1beta1 Cache is deprecated; use v1`);
  expect(await k.does(`explain ${caches}.spec`)).toMatch(/replicas\s<integer>\n +How many servers\./);

  expect(await k.does(`scale ${caches} sessions --replicas=4`)).toContain('sessions scaled');
  expect(await k.fails(`scale ${caches} sessions --replicas=9`)).toContain('replicas must not exceed maxReplicas');
  expect(await k.fails(`patch ${caches} pages --type=merge -p '{"spec":{"eviction":"LFU"}}'`)).toBe(
    'The Cache "pages" is invalid: spec.eviction: Invalid value: "string": eviction is immutable',
  );
  expect(await k.fails(`patch ${caches} pages --type=merge -p '{"spec":{"eviction":"x"}}'`)).toContain(
    'spec.eviction: Unsupported value: "x": supported values: "LRU", "LFU", "None"',
  );
  const status = { status: { replicas: 4, conditions: [{ type: 'Ready', status: 'True' }] }, spec: { replicas: 0 } };
  await k.does(`patch ${caches} sessions --type=merge --subresource=status`, { more: ['-p', JSON.stringify(status)] });
  expect(await k.does(`get ${caches} sessions --no-headers`)).toMatch(/^sessions +4 +256Mi +True +\d+s\n$/);
  expect(await k.does(`wait ${caches}/sessions --for=condition=Ready --timeout=60s`)).toContain('condition met');
  const robot = `system:serviceaccount:${k.namespace}:cache-operator`;
  expect(await k.does(`auth can-i patch ${caches}/sessions --subresource=status --as=${robot}`)).toBe('yes\n');

  await k.does('delete -f operator/3-caches.yaml -f operator/2-operator.yaml');
  await k.does('delete -f operator/1-crd.yaml');
  expect(await k.fails(`get ${caches}`)).toContain(`the server doesn't have a resource type "caches"`);
});

story('database', hub, async ({ k }) => {
  const names = applications.database;
  fetched(k, 'database');
  expect(await k.does('apply -f database')).toBe(said(names, 'created'));
  expect(await k.does('diff -f database')).toBe('');
  await appliesAgain(k, 'database', names);
  expect(await k.does('get statefulset orders -o jsonpath={.metadata.generation}')).toBe('1');

  expect(await k.does('get secret orders -o jsonpath={.data}')).toBe(
    '{"password":"Y29ycmVjdCBob3JzZQ==","user":"b3JkZXJz"}',
  );
  expect(await k.does('get statefulset,cronjob,pvc')).toMatch(/statefulset.apps\/orders +0\/3 +\d+s/);
  expect(await k.does('get cronjob backup --no-headers')).toMatch(
    /^backup +30 2 \* \* \* +Europe\/Vienna +False +0 +<none> /,
  );
  expect(await k.does('get pvc backups --no-headers')).toMatch(/^backups +Pending +/);
  expect(await k.does('describe statefulset orders')).toMatch(/^Volume Claims:\n +Name: +data\n/m);
  expect(await k.does('get service orders -o jsonpath={.spec.clusterIP}/{.spec.ports[0].targetPort}')).toBe(
    'None/5432',
  );

  edited(k, 'database/database.yaml', ['storage: 10Gi', 'storage: 20Gi']);
  expect(await k.fails('apply -f database/database.yaml')).toContain(
    "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden",
  );
  edited(k, 'database/database.yaml', ['storage: 20Gi', 'storage: 10Gi']);
  edited(k, 'database/database.yaml', ['replicas: 3', 'replicas: 5']);
  expect(await k.does('apply -f database/database.yaml')).toContain('statefulset.apps/orders configured');
  expect(await k.does('get statefulset orders -o jsonpath={.metadata.generation}/{.spec.replicas}')).toBe('2/5');
  edited(k, 'database/backup.yaml', ["'30 2 * * *'", "'30 25 * * *'"]);
  expect(await k.fails('apply -f database/backup.yaml')).toContain(
    'The CronJob "backup" is invalid: spec.schedule: Invalid value: "30 25 * * *"',
  );

  expect(await k.does('create job test --from=cronjob/backup')).toBe('job.batch/test created\n');
  expect((await k.does('delete -f database')).match(/ deleted/g)).toHaveLength(names.length);
  await k.does('wait job/test --for=delete --timeout=60s');
});
