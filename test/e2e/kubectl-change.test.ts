import { expect } from 'vitest';
import { hubForAll, story } from '../kit/story.ts';

const hub = hubForAll();

const labels = { app: 'web' };
const deployment = (name: string, replicas: number, image = 'nginx:1.25'): object => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name, labels },
  spec: {
    replicas,
    selector: { matchLabels: labels },
    template: {
      metadata: { labels },
      spec: { containers: [{ name: 'web', image, ports: [{ containerPort: 80 }] }] },
    },
  },
});
const policy = (clusterNames: readonly string[]): object => ({
  apiVersion: 'policy.karmada.io/v1alpha1',
  kind: 'PropagationPolicy',
  metadata: { name: 'web' },
  spec: {
    resourceSelectors: [{ apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' }],
    placement: { clusterAffinity: { clusterNames } },
  },
});
const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'conf' }, data: { a: '1', b: 'two' } };

story('apply', hub, async ({ k }) => {
  await k.file('web.yaml', deployment('web', 2));
  expect(await k.does('apply -f web.yaml')).toBe('deployment.apps/web created\n');
  expect(await k.does('apply -f web.yaml')).toBe('deployment.apps/web unchanged\n');
  expect(await k.does('diff -f web.yaml')).toBe('');

  await k.file('web.yaml', deployment('web', 3, 'nginx:1.26'));
  const { code, out } = await k.tries('diff -f web.yaml');
  expect(code).toBe(1);
  expect(out).toContain('-  generation: 1\n+  generation: 2\n');
  expect(out).toContain('-  replicas: 2\n+  replicas: 3\n');
  expect(out).toContain('-      - image: nginx:1.25\n+      - image: nginx:1.26\n');
  expect(await k.does('apply -f web.yaml --dry-run=server')).toBe('deployment.apps/web configured (server dry run)\n');
  expect(await k.does('get deployment web -o jsonpath={.metadata.generation}')).toBe('1');
  expect(await k.does('apply -f web.yaml')).toBe('deployment.apps/web configured\n');
  expect(await k.does('get deployment web -o jsonpath={.metadata.generation}/{.spec.replicas}')).toBe('2/3');

  // A field that is not in the file any more goes, what others set stays.
  await k.does('annotate deployment web by=hand');
  await k.file('web.yaml', { ...deployment('web', 3, 'nginx:1.26'), metadata: { name: 'web' } });
  expect(await k.does('apply -f web.yaml')).toBe('deployment.apps/web configured\n');
  expect(await k.does('get deployment web -o jsonpath={.metadata.labels}/{.metadata.annotations.by}')).toBe('/hand');
  expect(await k.does('apply view-last-applied deployment/web')).toContain('image: nginx:1.26');

  await k.does('create configmap foreign --from-literal=a=1');
  const adopted = await k.tries('apply -f -', {
    input: JSON.stringify({ ...map, metadata: { name: 'foreign' } }),
  });
  expect(adopted.out).toBe('configmap/foreign configured\n');
  expect(adopted.err).toContain('is missing the kubectl.kubernetes.io/last-applied-configuration annotation');
  expect(await k.fails('apply -f -', { input: JSON.stringify({ ...map, data: { a: 1 } }) })).toContain(
    'ConfigMap in version "v1" cannot be handled as a ConfigMap: json: cannot unmarshal number into Go struct field ConfigMap.data of type string',
  );
});

story('apply-policy', hub, async ({ k }) => {
  await k.file('policy.yaml', policy(['member1']));
  expect(await k.does('apply -f policy.yaml')).toBe('propagationpolicy.policy.karmada.io/web created\n');
  expect(await k.does('apply -f policy.yaml')).toBe('propagationpolicy.policy.karmada.io/web unchanged\n');
  expect(await k.does('diff -f policy.yaml')).toBe('');
  await k.file('policy.yaml', policy(['member1', 'member2']));
  expect(await k.does('apply -f policy.yaml')).toBe('propagationpolicy.policy.karmada.io/web configured\n');
  const names = 'jsonpath={.spec.placement.clusterAffinity.clusterNames}';
  expect(await k.does(`get pp web -o ${names}`)).toBe('["member1","member2"]');
  expect(await k.fails('patch pp web --type=strategic -p \'{"spec":{"priority":1}}\'')).toContain(
    'application/strategic-merge-patch+json is not supported by policy.karmada.io/v1alpha1, Kind=PropagationPolicy',
  );
  expect(await k.does('patch pp web --type=merge -p \'{"spec":{"priority":1}}\'')).toContain('web patched');
  const typo = {
    ...policy(['member1']),
    spec: { resourceSelectors: [{ apiVersion: 'apps/v1', kind: 'Deployment', nme: 'x' }] },
  };
  expect(await k.fails('apply -f -', { input: JSON.stringify(typo) })).toContain(
    'unknown field "spec.resourceSelectors[0].nme"',
  );
});

story('server-side', hub, async ({ k }) => {
  const replicas = 'get deployment web -o jsonpath={.spec.replicas}';
  await k.file('web.yaml', deployment('web', 2));
  expect(await k.does('apply --server-side -f web.yaml')).toBe('deployment.apps/web serverside-applied\n');
  await k.does('scale deployment web --replicas=4');
  const conflict = await k.fails('apply --server-side -f web.yaml');
  expect(conflict).toContain('error: Apply failed with 1 conflict: conflict with "kubectl');
  expect(conflict).toContain('" with subresource "scale" using apps/v1: .spec.replicas\n');
  expect(conflict).toContain('--force-conflicts');
  expect(await k.does(replicas)).toBe('4');
  await k.does('apply --server-side --force-conflicts -f web.yaml');
  expect(await k.does(replicas)).toBe('2');
  await k.file('three.yaml', deployment('web', 3));
  expect(await k.fails('apply --server-side --field-manager=other -f three.yaml')).toContain(
    'Apply failed with 1 conflict: conflict with "kubectl": .spec.replicas',
  );
  expect(await k.does('diff --server-side -f web.yaml')).toBe('');
  const managers = 'jsonpath={range.metadata.managedFields[*]}{.manager}:{.operation};{end}';
  expect(await k.does(`get deployment web --show-managed-fields -o ${managers}`)).toBe('kubectl:Apply;');
});

story('edit', hub, async ({ k }) => {
  await k.file('editor', '#!/bin/sh\nsed -i "s/b: two/b: three/" "$1"\n', 0o755);
  const env = { KUBE_EDITOR: `${k.folder}/editor` };
  await k.does('create -f -', { input: JSON.stringify(map) });
  expect(await k.does('edit configmap conf', { env })).toBe('configmap/conf edited\n');
  expect(await k.does('get configmap conf -o jsonpath={.data}')).toBe('{"a":"1","b":"three"}');
  const again = await k.tries('edit configmap conf', { env });
  expect([again.code, again.err]).toEqual([0, 'Edit cancelled, no changes made.\n']);
  await k.does('apply -f -', { input: JSON.stringify(policy(['two'])) });
  await k.file('editor', '#!/bin/sh\nsed -i "s/- two/- three/" "$1"\n', 0o755);
  expect(await k.does('edit pp web', { env })).toBe('propagationpolicy.policy.karmada.io/web edited\n');
  expect(await k.does('get pp web -o yaml')).toContain('- three');
});

story('patch', hub, async ({ k }) => {
  await k.does('create -f -', { input: JSON.stringify(deployment('web', 1)) });
  const patch = (type: string, body: unknown): Promise<string> =>
    k.does(`patch deployment web --type=${type}`, { more: ['-p', JSON.stringify(body)] });
  const container = { name: 'web', image: 'nginx:1.26' };
  const sidecar = { name: 'side', image: 'busybox' };
  expect(await patch('strategic', { spec: { template: { spec: { containers: [container, sidecar] } } } })).toBe(
    'deployment.apps/web patched\n',
  );
  const containers =
    'jsonpath={range.spec.template.spec.containers[*]}{.name}={.image}:{.ports[*].containerPort};{end}';
  expect(await k.does(`get deployment web -o ${containers}`)).toBe('web=nginx:1.26:80;side=busybox:;');
  await patch('strategic', { spec: { template: { spec: { containers: [{ name: 'side', $patch: 'delete' }] } } } });
  expect(await k.does(`get deployment web -o ${containers}`)).toBe('web=nginx:1.26:80;');
  await patch('merge', { spec: { replicas: 4 }, metadata: { labels: null } });
  expect(await k.does('get deployment web -o jsonpath={.spec.replicas}{.metadata.labels}')).toBe('4');
  const five = [{ op: 'replace', path: '/spec/replicas', value: 5 }];
  expect(await patch('json', five)).toBe('deployment.apps/web patched\n');
  expect(await patch('json', five)).toBe('deployment.apps/web patched (no change)\n');
  const test = JSON.stringify([{ op: 'test', path: '/spec/replicas', value: 6 }]);
  expect(await k.fails('patch deployment web --type=json', { more: ['-p', test] })).toContain('The request is invalid');
  const selector = JSON.stringify({ spec: { selector: { matchLabels: { app: 'x' } } } });
  expect(await k.fails('patch deployment web --type=merge', { more: ['-p', selector] })).toContain(
    'spec.selector: Invalid value: ',
  );
  const status = ['-p', JSON.stringify({ status: { replicas: 5, readyReplicas: 4 }, spec: { replicas: 9 } })];
  await k.does('patch deployment web --type=merge --subresource=status', { more: status });
  expect(await k.does('get deployment web --no-headers')).toMatch(/^web +4\/5 +0 +0 /);
});

story('workload', hub, async ({ k }) => {
  await k.does('create -f -', { input: JSON.stringify(deployment('web', 1)) });
  await k.does('create serviceaccount robot');
  expect(await k.does('scale deployment/web --replicas=3')).toBe('deployment.apps/web scaled\n');
  expect(await k.fails('scale deployment/web --replicas=3 --current-replicas=9')).toContain(
    'xpected replicas to be 9, was 3',
  );
  expect(await k.fails('scale deployment/nope --replicas=3')).toContain('no objects passed to scale');
  expect(await k.does('set image deployment/web web=nginx:1.27')).toBe('deployment.apps/web image updated\n');
  expect(await k.does('set env deployment/web A=b C=d')).toBe('deployment.apps/web env updated\n');
  expect(await k.does('set env deployment/web --list')).toBe('# Deployment web, container web\nA=b\nC=d\n');
  expect(await k.does('set resources deployment/web --limits=cpu=200m,memory=128Mi')).toBe(
    'deployment.apps/web resource requirements updated\n',
  );
  expect(await k.does('set serviceaccount deployment/web robot')).toBe('deployment.apps/web serviceaccount updated\n');
  expect(await k.does('rollout restart deployment/web')).toBe('deployment.apps/web restarted\n');
  expect(await k.does('rollout pause deployment/web')).toBe('deployment.apps/web paused\n');
  expect(await k.does('rollout resume deployment/web')).toBe('deployment.apps/web resumed\n');
  expect(await k.does('rollout history deployment/web')).toContain('No rollout history found.');
  expect(await k.fails('rollout undo deployment/web')).toBe('error: no rollout history found for deployment "web"');
  expect(await k.does('rollout status deployment/web --watch=false')).toBe(
    'Waiting for deployment spec update to be observed...\n',
  );
  const waiting = k.starts('rollout status deployment/web');
  await waiting.says('Waiting for deployment spec update');
  const generation = Number(await k.does('get deployment web -o jsonpath={.metadata.generation}'));
  const ready = { replicas: 3, updatedReplicas: 3, readyReplicas: 3, availableReplicas: 3 };
  const more = ['-p', JSON.stringify({ status: { observedGeneration: generation, ...ready } })];
  await k.does('patch deployment web --type=merge --subresource=status', { more });
  await waiting.says('deployment "web" successfully rolled out');
  expect(await k.does('expose deployment web --port=80 --target-port=8080')).toBe('service/web exposed\n');
  expect(await k.does('set selector service web app=other')).toBe('service/web selector updated\n');
  expect(await k.does('autoscale deployment web --min=2 --max=5 --cpu-percent=80')).toBe(
    'horizontalpodautoscaler.autoscaling/web autoscaled\n',
  );
  expect(await k.does('get hpa web --no-headers')).toMatch(/^web +Deployment\/web +(cpu: )?<unknown>\/80% +2 +5 +0 /);
  const yaml = await k.does('get deployment web -o yaml');
  for (const line of ['image: nginx:1.27', 'serviceAccountName: robot', 'memory: 128Mi', 'restartedAt:', 'name: C']) {
    expect(yaml).toContain(line);
  }
});

story('marks', hub, async ({ k }) => {
  await k.does('create configmap conf --from-literal=a=1');
  expect(await k.does('label configmap conf x=y')).toBe('configmap/conf labeled\n');
  expect(await k.fails('label configmap conf x=z')).toContain("'x' already has a value (y), and --overwrite is false");
  expect(await k.does('label configmap conf x=z --overwrite')).toBe('configmap/conf labeled\n');
  expect(await k.does('label configmap conf x=z --overwrite')).toBe('configmap/conf not labeled\n');
  expect(await k.does('label configmap --all g=h')).toBe(
    'configmap/conf labeled\nconfigmap/kube-root-ca.crt labeled\n',
  );
  expect(await k.does('label configmap conf x-')).toBe('configmap/conf unlabeled\n');
  expect(await k.fails("label configmap conf 'x=not valid'")).toContain('invalid label value');
  expect(await k.does('annotate configmap conf note=hi')).toMatch(/^configmap\/conf annotated?\n$/);
  expect(await k.does('get configmap conf -o jsonpath={.metadata.labels}{.metadata.annotations}')).toBe(
    '{"g":"h"}{"note":"hi"}',
  );
  expect(await k.does('annotate configmap conf note-')).toMatch(/^configmap\/conf annotated?\n$/);

  const node = k.namespace;
  await k.does('apply -f -', { input: JSON.stringify({ apiVersion: 'v1', kind: 'Node', metadata: { name: node } }) });
  expect(await k.does(`taint node ${node} a=b:NoSchedule`)).toBe(`node/${node} tainted\n`);
  expect(await k.fails(`taint node ${node} a=b:NoSchedule`)).toContain('already has a taint(s) with same effect(s)');
  expect(await k.does(`taint node ${node} a-`)).toBe(`node/${node} untainted\n`);
  expect(await k.does(`cordon ${node}`)).toBe(`node/${node} cordoned\n`);
  expect(await k.does(`get node ${node} --no-headers`)).toMatch(/Unknown,SchedulingDisabled +<none>/);
  expect(await k.does(`uncordon ${node}`)).toBe(`node/${node} uncordoned\n`);
  expect(await k.does(`drain ${node}`)).toContain(`node/${node} drained\n`);
  await k.does(`delete node ${node}`);
});

story('replace', hub, async ({ k }) => {
  await k.file('map.yaml', map);
  expect(await k.fails('replace -f map.yaml')).toBe(
    'Error from server (NotFound): error when replacing "map.yaml": configmaps "conf" not found',
  );
  await k.does('create -f map.yaml --save-config');
  expect(await k.does('replace -f map.yaml')).toBe('configmap/conf replaced\n');
  const uid = await k.does('get configmap conf -o jsonpath={.metadata.uid}');
  expect(await k.does('replace --force -f map.yaml')).toMatch(
    /^configmap "conf" deleted.*\nconfigmap\/conf replaced\n$/,
  );
  expect(await k.does('get configmap conf -o jsonpath={.metadata.uid}')).not.toBe(uid);
  const stale = { ...map, metadata: { name: 'conf', resourceVersion: '1' } };
  expect(await k.fails('replace -f -', { input: JSON.stringify(stale) })).toContain(
    'Operation cannot be fulfilled on configmaps "conf": the object has been modified; please apply your changes to the latest version and try again',
  );
});
