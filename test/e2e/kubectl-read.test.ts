import { expect } from 'vitest';
import type { Kubectl } from '../kit/kubectl.ts';
import { hubForAll, story } from '../kit/story.ts';

const hub = hubForAll();

async function threeMaps(k: Kubectl): Promise<void> {
  await k.does('delete configmap kube-root-ca.crt');
  for (const [name, tier] of Object.entries({ b: 'front', a: 'back', c: 'front' })) {
    await k.does(`create configmap ${name} --from-literal=value=${name}`);
    await k.does(`label configmap ${name} tier=${tier}`);
  }
}

/** The names of a list, without the one that every namespace has and gets back. */
const own = (names: string): string[] =>
  names.split('\n').filter((name) => name !== '' && name !== 'configmap/kube-root-ca.crt');

story('outputs', hub, async ({ k }) => {
  await threeMaps(k);
  const names = async (words: string): Promise<string[]> => own(await k.does(`get configmap -o name ${words}`));
  const [a, b, c] = ['configmap/a', 'configmap/b', 'configmap/c'];
  expect(await names('')).toEqual([a, b, c]);
  expect(await names('--chunk-size=1')).toEqual([a, b, c]);
  expect(await names('-l tier=front')).toEqual([b, c]);
  expect(await names("-l 'tier in (front,back),tier!=back'")).toEqual([b, c]);
  expect(await names("-l '!tier'")).toEqual([]);
  expect(await names('--field-selector=metadata.name=a')).toEqual([a]);
  expect(await names('--field-selector=metadata.name!=a -l tier')).toEqual([b, c]);
  expect(await names('--sort-by=.data.value -l tier')).toEqual([a, b, c]);
  expect(await names('--sort-by=.metadata.creationTimestamp -l tier')).toHaveLength(3);
  expect(await k.does('get configmap a -o jsonpath={.data.value}')).toBe('a');
  expect(await k.does('get configmap b a -o jsonpath={.items[*].data.value}')).toBe('b a');
  expect(await k.does("get configmap -l tier -o go-template='{{range .items}}{{.metadata.name}};{{end}}'")).toBe(
    'a;b;c;',
  );
  expect(await k.does('get configmap a -o custom-columns=N:.metadata.name,T:.metadata.labels.tier,X:.x')).toBe(
    'N     T      X\na     back   <none>\n',
  );
  expect(await k.does('get configmap a -L tier')).toMatch(/^NAME +DATA +AGE +TIER\na +1 +\d+s +back\n$/);
  expect(await k.does('get configmap a --show-labels')).toMatch(/^NAME +DATA +AGE +LABELS\na +1 +\d+s +tier=back\n$/);
  expect(await k.does('get configmap a --no-headers')).toMatch(/^a +1 +\d+s\n$/);
  expect(await k.does('get configmap -A -l tier=back')).toContain(`\n${k.namespace}   a `);
  expect(await k.does('get configmap a -o yaml')).toMatch(
    /^apiVersion: v1\ndata:\n {2}value: a\nkind: ConfigMap\nmetadata:\n {2}creationTimestamp: "[^"]+"\n {2}labels:\n {4}tier: back\n {2}name: a\n/,
  );
  const json = JSON.parse(await k.does('get configmap a --show-managed-fields -o json')) as Record<string, object>;
  expect(json['metadata']).toMatchObject({
    managedFields: [{ manager: 'kubectl-create' }, { manager: 'kubectl-label' }],
  });
});

story('complaints', hub, async ({ k }) => {
  expect(await k.fails('get configmap nope')).toBe('Error from server (NotFound): configmaps "nope" not found');
  expect(await k.fails('get deployment nope')).toBe('Error from server (NotFound): deployments.apps "nope" not found');
  expect(await k.fails('get nosuch')).toBe('error: the server doesn\'t have a resource type "nosuch"');
  expect(await k.fails('get configmap --field-selector=data.x=1')).toBe(
    'Error from server (BadRequest): Unable to find "/v1, Resource=configmaps" that match label selector "", field selector "data.x=1": "data.x" is not a known field selector: only "metadata.name", "metadata.namespace"',
  );
  const empty = await k.tries('get deployment');
  expect([empty.code, empty.out, empty.err]).toEqual([0, '', `No resources found in ${k.namespace} namespace.\n`]);
  expect(await k.does('get configmap nope --ignore-not-found')).toBe('');
  expect(await k.fails('get --raw /nope')).toBe(
    'Error from server (NotFound): the server could not find the requested resource',
  );
});

story('tables', hub, async ({ k }) => {
  const pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'p' },
    spec: { containers: [{ name: 'c', image: 'x' }] },
  };
  await k.does('create -f -', { input: JSON.stringify(pod) });
  expect(await k.does('get pod p -o wide')).toMatch(
    /^NAME +READY +STATUS +RESTARTS +AGE +IP +NODE +NOMINATED NODE +READINESS GATES\np +0\/1 +Pending +0 +\d+s +<none> +<none> +<none> +<none>\n$/,
  );
  await k.does('create deployment web --image=nginx');
  expect(await k.does('get deployment web -o wide')).toMatch(
    /^NAME +READY +UP-TO-DATE +AVAILABLE +AGE +CONTAINERS +IMAGES +SELECTOR\nweb +0\/1 +0 +0 +\d+s +nginx +nginx +app=web\n$/,
  );
  expect(await k.does('get deployment web --subresource=scale')).toMatch(
    /^NAME +DESIRED +AVAILABLE +AGE\nweb +1 +0 +\d+s\n$/,
  );
  expect(await k.does('get deployments.v1.apps web -o name')).toBe('deployment.apps/web\n');
  const all = await k.does('get all');
  expect(all).toContain('pod/p ');
  expect(all).toContain('deployment.apps/web ');
  expect(await k.does(`get namespace ${k.namespace}`)).toMatch(/^NAME +STATUS +AGE\n\S+ +Active +\d+s\n$/);
  expect(await k.does('get crd propagationpolicies.policy.karmada.io --no-headers')).toMatch(
    /^propagationpolicies.policy.karmada.io +\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ\n$/,
  );
});

story('watch', hub, async ({ k }) => {
  await k.does('create configmap a');
  const table = k.starts('get configmap a -w');
  await table.says('a      0');
  const lines = k.starts('get configmap a -w --output-watch-events');
  await lines.says('ADDED      a ');
  const patched = k.starts('wait configmap/a --for=jsonpath={.data.done}=yes --timeout=60s');
  const gone = k.starts('wait configmap/a --for=delete --timeout=60s');
  await k.does('patch configmap a -p \'{"data":{"x":"1","y":"2"}}\'');
  await table.says('a      2');
  await k.does('patch configmap a -p \'{"data":{"done":"yes"}}\'');
  await patched.says('configmap/a condition met');
  await lines.says('MODIFIED   a ');
  await k.does('delete configmap a');
  await lines.says('DELETED    a ');
  expect(await gone.ends()).toBe(0);
  for (const running of [table, lines]) await running.stop();
});

story('wait', hub, async ({ k }) => {
  await k.does('create deployment web --image=nginx');
  expect(await k.fails('wait deployment/web --for=condition=Available --timeout=1s')).toBe(
    'error: timed out waiting for the condition on deployments/web',
  );
  const available = k.starts('wait deployment/web --for=condition=Available --timeout=60s');
  const conditions = [{ type: 'Available', status: 'True', reason: 'Test', message: '' }];
  await k.does('patch deployment web --subresource=status --type=merge', {
    more: ['-p', JSON.stringify({ status: { conditions } })],
  });
  await available.says('deployment.apps/web condition met');
  expect(await k.does('wait deployment/web --for=jsonpath={.spec.replicas}=1 --timeout=60s')).toBe(
    'deployment.apps/web condition met\n',
  );
  expect(await k.does('wait configmap/nope --for=delete --timeout=60s')).toBe('');
});

story('describe', hub, async ({ k }) => {
  await k.does('create configmap conf --from-literal=key=value');
  await k.does('create secret generic hidden --from-literal=password=12345');
  await k.does('create deployment web --image=nginx:1.25 --port=80');
  await k.does('create service clusterip web --tcp=80:8080');
  await k.does('create ingress web --rule=web.example.com/*=web:80');
  await k.does("create cronjob nightly --image=busybox --schedule='0 3 * * *'");
  await k.does('create job once --image=busybox');
  await k.does('create role reader --verb=get --resource=pods');
  await k.does('create rolebinding readers --role=reader --user=joe');
  await k.does('create serviceaccount robot');
  await k.does('run p --image=busybox --labels=a=b');
  await k.does('autoscale deployment web --min=2 --max=5 --cpu-percent=80');
  const uid = await k.does('get deployment web -o jsonpath={.metadata.uid}');
  const event = {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name: 'web.1' },
    involvedObject: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web', namespace: k.namespace, uid },
    type: 'Normal',
    reason: 'Tested',
    message: 'it was seen',
    source: { component: 'test' },
  };
  await k.does('create -f -', { input: JSON.stringify(event) });
  const expected: Readonly<Record<string, readonly RegExp[]>> = {
    'configmap conf': [/^key:\n----\nvalue\n/m],
    'secret hidden': [/^Type: +Opaque$/m, /^password: +5 bytes$/m],
    'deployment web': [
      /^Selector: +app=web$/m,
      /^Replicas: +1 desired \| 0 updated \| 0 total \| 0 available \| 0 unavailable$/m,
      /^RollingUpdateStrategy: +25% max unavailable, 25% max surge$/m,
      /^ +Image: +nginx:1.25$/m,
      /Normal +Tested +<unknown>.*it was seen/,
    ],
    'service web': [/^Type: +ClusterIP$/m, /^TargetPort: +8080\/TCP$/m, /^Session Affinity: +None$/m],
    'ingress web': [/^ +web.example.com +\n +\/ +web:80/m],
    'cronjob nightly': [/^Schedule: +0 3 \* \* \*$/m, /^Concurrency Policy: +Allow$/m],
    'job once': [/^Parallelism: +1$/m, /^Completions: +1$/m, /^Labels: +batch.kubernetes.io\/controller-uid=/m],
    'role reader': [/^ +pods +\[\] +\[\] +\[get\]$/m],
    'rolebinding readers': [/^ +User +joe/m],
    'serviceaccount robot': [/^Name: +robot$/m, /^Tokens: +<none>$/m],
    'pod p': [/^Status: +Pending$/m, /^QoS Class: +BestEffort$/m],
    'hpa web': [/^Min replicas: +2$/m, /resource cpu on pods +\(as a percentage of request\): +<unknown> \/ 80%/],
  };
  for (const [words, patterns] of Object.entries(expected)) {
    const text = await k.does(`describe ${words}`);
    for (const pattern of patterns) expect(text).toMatch(pattern);
  }
  expect(await k.does(`describe namespace ${k.namespace}`)).toMatch(/^Status: +Active$/m);
  expect(await k.does('events --for deployment/web')).toContain('it was seen');
  expect(await k.does('get events --field-selector reason=Tested --no-headers')).toContain('deployment/web');
});

story('explain', hub, async ({ k }) => {
  const strategy = await k.does('explain deployment.spec.strategy');
  expect(strategy).toMatch(/^KIND: +Deployment\nVERSION: +v1$/m);
  expect(strategy).toMatch(/^ +rollingUpdate\t<RollingUpdateDeployment>$/m);
  expect(await k.does('explain deployment.spec --recursive')).toMatch(/^ +containerPort\t<integer> -required-$/m);
  const policy = await k.does('explain propagationpolicy.spec.placement');
  expect(policy).toMatch(/^GROUP: +policy.karmada.io\nKIND: +PropagationPolicy\nVERSION: +v1alpha1$/m);
  expect(policy).toMatch(/^ +clusterAffinity\t<Object>$/m);
  expect(await k.does('explain propagationpolicy')).not.toContain('<no description>');
  expect(await k.fails('explain nosuch')).toContain('the server doesn\'t have a resource type "nosuch"');
  expect(await k.fails('explain deployment.spec.nosuch')).toContain('field "nosuch" does not exist');
});
