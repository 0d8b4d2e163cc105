import { expect } from 'vitest';
import { openAuthority } from '../../src/auth/index.ts';
import { hubForAll, story } from '../kit/story.ts';

const hub = hubForAll();

story('generators', hub, async ({ k }) => {
  const { serving } = await openAuthority();
  await k.file('greeting.txt', 'hello\n');
  await k.file('tls.crt', serving.certificate);
  await k.file('tls.key', serving.key);
  const made: readonly (readonly [string, string])[] = [
    ['configmap literal --from-literal=a=1 --from-literal=b=2', 'configmap/literal'],
    ['configmap file --from-file=greeting.txt --from-file=other=greeting.txt', 'configmap/file'],
    ['secret generic password --from-literal=password=x', 'secret/password'],
    ['secret tls certificate --cert=tls.crt --key=tls.key', 'secret/certificate'],
    [
      'secret docker-registry pull --docker-server=r.example.com --docker-username=u --docker-password=p',
      'secret/pull',
    ],
    ['serviceaccount robot', 'serviceaccount/robot'],
    ['deployment web --image=nginx:1.25 --replicas=2 --port=80', 'deployment.apps/web'],
    ["cronjob nightly --image=busybox --schedule='0 3 * * *' -- date", 'cronjob.batch/nightly'],
    ['job once --image=busybox -- sleep 1', 'job.batch/once'],
    ['job now --from=cronjob/nightly', 'job.batch/now'],
    ['service clusterip inner --tcp=80:8080', 'service/inner'],
    ['service clusterip headless --clusterip=None --tcp=80', 'service/headless'],
    ['service nodeport node --tcp=80:8080', 'service/node'],
    ['service loadbalancer outer --tcp=80:8080', 'service/outer'],
    ['service externalname alias --external-name=example.com', 'service/alias'],
    ['role reader --verb=get,list --resource=pods,deployments.apps', 'role.rbac.authorization.k8s.io/reader'],
    [
      `rolebinding readers --role=reader --serviceaccount=${k.namespace}:robot`,
      'rolebinding.rbac.authorization.k8s.io/readers',
    ],
    ['ingress web --rule=web.example.com/*=inner:80,tls=certificate', 'ingress.networking.k8s.io/web'],
    ['poddisruptionbudget web --selector=app=web --min-available=1', 'poddisruptionbudget.policy/web'],
    ['quota small --hard=cpu=1,memory=1G,pods=10', 'resourcequota/small'],
  ];
  for (const [words, name] of made) expect(await k.does(`create ${words}`)).toBe(`${name} created\n`);

  const data = (name: string): Promise<string> => k.does(`get ${name} -o jsonpath={.data}`);
  expect(await data('configmap/literal')).toBe('{"a":"1","b":"2"}');
  expect(await data('configmap/file')).toBe(JSON.stringify({ 'greeting.txt': 'hello\n', other: 'hello\n' }));
  expect(await data('secret/password')).toBe('{"password":"eA=="}');
  expect(await k.does('get secret -o jsonpath={.items[*].type}')).toBe(
    'kubernetes.io/tls Opaque kubernetes.io/dockerconfigjson',
  );

  const rows = await k.does('get deployment,cronjob,service,ingress,pdb');
  expect(rows).toMatch(/^deployment.apps\/web +0\/2 +0 +0 +\d+s$/m);
  expect(rows).toMatch(/^cronjob.batch\/nightly +0 3 \* \* \* +<none> +False +0 +<none> +\d+s$/m);
  expect(rows).toMatch(/^service\/inner +ClusterIP +\d+\.\d+\.\d+\.\d+ +<none> +80\/TCP +\d+s$/m);
  expect(rows).toMatch(/^service\/headless +ClusterIP +None +<none> +80\/TCP +\d+s$/m);
  expect(rows).toMatch(/^service\/node +NodePort +[\d.]+ +<none> +80:3\d{4}\/TCP +\d+s$/m);
  expect(rows).toMatch(/^service\/outer +LoadBalancer +[\d.]+ +<pending> +80:3\d{4}\/TCP +\d+s$/m);
  expect(rows).toMatch(/^service\/alias +ExternalName +<none> +example.com +<none> +\d+s$/m);
  expect(rows).toMatch(/^ingress.networking.k8s.io\/web +<none> +web.example.com +80, 443 +\d+s$/m);
  expect(rows).toMatch(/^poddisruptionbudget.policy\/web +1 +N\/A +0 +\d+s$/m);
  expect(await k.does('get job now -o jsonpath={.metadata.ownerReferences[0].name}')).toBe('nightly');
});

story('cluster-wide', hub, async ({ k }) => {
  const name = k.namespace;
  expect(await k.does(`create clusterrole ${name} --verb=get --resource=nodes`)).toBe(
    `clusterrole.rbac.authorization.k8s.io/${name} created\n`,
  );
  expect(await k.does(`create clusterrolebinding ${name} --clusterrole=${name} --user=jane-of-${name}`)).toBe(
    `clusterrolebinding.rbac.authorization.k8s.io/${name} created\n`,
  );
  expect(await k.does(`create priorityclass ${name} --value=1000 --description=high`)).toBe(
    `priorityclass.scheduling.k8s.io/${name} created\n`,
  );
  expect(await k.does(`get clusterrolebinding ${name} -o wide`)).toMatch(
    new RegExp(`^${name} +ClusterRole/${name} +\\d+s +jane-of-${name}`, 'm'),
  );
  expect(await k.does(`get priorityclass ${name}`)).toMatch(new RegExp(`^${name} +1000 +false +\\d+s`, 'm'));
  expect(await k.does(`auth can-i get nodes --as=jane-of-${name}`)).toBe('yes\n');
  for (const kind of ['clusterrole', 'clusterrolebinding', 'priorityclass']) {
    expect(await k.does(`delete ${kind} ${name}`)).toContain(`"${name}" deleted`);
  }
  const { code, out } = await k.tries(`auth can-i get nodes --as=jane-of-${name}`);
  expect([code, out]).toEqual([1, 'no\n']);
});

story('refused', hub, async ({ k }) => {
  expect(await k.fails(`create namespace ${k.namespace}`)).toBe(
    `Error from server (AlreadyExists): namespaces "${k.namespace}" already exists`,
  );
  expect(await k.fails('create namespace under_score')).toContain(
    'The Namespace "under_score" is invalid: metadata.name: Invalid value: "under_score": a lowercase RFC 1123 label',
  );
  expect(await k.fails('create configmap Bad_Name')).toContain(
    'failed to create configmap: ConfigMap "Bad_Name" is invalid: metadata.name: Invalid value: "Bad_Name": a lowercase RFC 1123 subdomain',
  );
  expect(await k.fails('create configmap x --namespace=nowhere')).toBe(
    'error: failed to create configmap: namespaces "nowhere" not found',
  );
  const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'conf' }, data: { a: '1' } };
  await k.file('map.yaml', map);
  expect(await k.does('create -f map.yaml')).toBe('configmap/conf created\n');
  expect(await k.fails('create -f map.yaml')).toBe(
    'Error from server (AlreadyExists): error when creating "map.yaml": configmaps "conf" already exists',
  );
  await k.file('typo.yaml', { ...map, metadata: { name: 'typo' }, dta: {} });
  expect(await k.fails('create -f typo.yaml')).toContain(
    'ConfigMap in version "v1" cannot be handled as a ConfigMap: strict decoding error: unknown field "dta"',
  );
  const warned = await k.tries('create -f typo.yaml --validate=warn');
  expect([warned.code, warned.out, warned.err]).toEqual([
    0,
    'configmap/typo created\n',
    'Warning: unknown field "dta"\n',
  ]);
  await k.file('kind.yaml', { ...map, kind: 'ConfigMapp' });
  expect(await k.fails('create -f kind.yaml')).toContain('no matches for kind "ConfigMapp" in version "v1"');
  await k.file('empty.yaml', {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'empty' },
    spec: { selector: { matchLabels: { a: 'b' } }, template: { metadata: { labels: { a: 'c' } } } },
  });
  const invalid = await k.fails('create -f empty.yaml');
  expect(invalid).toContain('The Deployment "empty" is invalid:');
  expect(invalid).toContain('spec.template.spec.containers: Required value');
  expect(invalid).toContain('`selector` does not match template `labels`');
});

story('dry-run', hub, async ({ k }) => {
  const yaml = await k.does('create configmap x --from-literal=a=1 --dry-run=server -o yaml');
  expect(yaml).toContain('data:\n  a: "1"\nkind: ConfigMap\n');
  expect(yaml).toMatch(/uid: [0-9a-f-]{36}/);
  expect(await k.does('run r --image=busybox --dry-run=server')).toBe('pod/r created (server dry run)\n');
  expect(await k.does('create deployment d --image=nginx --dry-run=client -o name')).toBe('deployment.apps/d\n');
  expect(await k.does('get configmap,pod,deployment -o name')).toBe('configmap/kube-root-ca.crt\n');
  await k.does('create configmap kept');
  expect(await k.does('delete configmap kept --dry-run=server')).toContain('"kept" deleted (server dry run)');
  expect(await k.does('label configmap kept a=b --dry-run=server')).toBe('configmap/kept labeled (server dry run)\n');
  expect(await k.does('get configmap kept -o jsonpath={.metadata.labels}')).toBe('');
});
