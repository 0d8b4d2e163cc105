import { expect, it } from 'vitest';
import { at, textAt } from './driver.ts';
import { conformance, deployment } from './suite.ts';

const subdomain =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character " +
  "(e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
const wildcard =
  "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric " +
  "character (e.g. '*.example.com', regex used for validation is '\\*\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
const keyName =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character " +
  "(e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
const labelValue =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character " +
  "(e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";

const backend = { service: { name: 's', port: { number: 80 } } };
const route = (host: string, path = '/', pathType = 'Prefix'): object => ({
  rules: [{ host, http: { paths: [{ path, pathType, backend }] } }],
});
const scaled = (spec: object): object => ({
  scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'w' },
  maxReplicas: 3,
  ...spec,
});
const measured = (metric: object): object => scaled({ metrics: [metric] });

/** The errors that a spec of each kind gets, in the words of a kube-apiserver 1.34. */
const refusals: Readonly<Record<string, readonly (readonly [spec: object, words: string])[]>> = {
  'api/v1 resourcequotas ResourceQuota': [
    [{ hard: { cpu: '-1' } }, 'spec.hard[cpu]: Invalid value: "-1": must be greater than or equal to 0'],
    [{ hard: { pods: '1.5' } }, 'spec.hard[pods]: Invalid value: "1500m": must be an integer'],
    [
      { hard: { foo: '1' } },
      '[spec.hard[foo]: Invalid value: "foo": must be a standard resource type or fully qualified, spec.hard[foo]: Invalid value: "foo": must be a standard resource for quota]',
    ],
    [
      { hard: { cpu: '1' }, scopes: ['BestEffort'] },
      'spec.scopes: Invalid value: ["BestEffort"]: unsupported scope applied to resource',
    ],
    [
      { hard: { pods: '1' }, scopes: ['BestEffort', 'NotBestEffort'] },
      'spec.scopes: Invalid value: ["BestEffort","NotBestEffort"]: conflicting scopes',
    ],
    [
      { hard: { pods: '1' }, scopeSelector: { matchExpressions: [{ scopeName: 'PriorityClass', operator: 'In' }] } },
      "spec.scopeSelector.matchExpressions.values: Required value: must be at least one value when `operator` is 'In' or 'NotIn' for scope selector",
    ],
  ],
  'apis/networking.k8s.io/v1 ingresses Ingress.networking.k8s.io': [
    [route('A.example.com'), `spec.rules[0].host: Invalid value: "A.example.com": ${subdomain}`],
    [route('1.2.3.4'), 'spec.rules[0].host: Invalid value: "1.2.3.4": must be a DNS name, not an IP address'],
    [route('a.*.com'), `spec.rules[0].host: Invalid value: "a.*.com": ${wildcard}`],
    [route('a.com', 'x'), 'spec.rules[0].http.paths[0].path: Invalid value: "x": must be an absolute path'],
    [route('a.com', '/a/../b'), `spec.rules[0].http.paths[0].path: Invalid value: "/a/../b": must not contain '/../'`],
    [
      route('a.com', '/', 'Foo'),
      'spec.rules[0].http.paths[0].pathType: Unsupported value: "Foo": supported values: "Exact", "ImplementationSpecific", "Prefix"',
    ],
    [{ defaultBackend: {} }, 'spec.defaultBackend: Invalid value: "": resource or service backend is required'],
    [
      { defaultBackend: { service: { name: 's', port: { number: 80, name: 'http' } } } },
      'spec.defaultBackend: Invalid value: "": cannot set both port name & port number',
    ],
    [
      { defaultBackend: backend, tls: [{ hosts: ['A_b.com'] }] },
      `spec.tls[0].hosts[0]: Invalid value: "A_b.com": ${subdomain}`,
    ],
  ],
  'apis/autoscaling/v2 horizontalpodautoscalers HorizontalPodAutoscaler.autoscaling': [
    [
      scaled({ maxReplicas: 0 }),
      '[spec.maxReplicas: Invalid value: 0: must be greater than 0, spec.maxReplicas: Invalid value: 0: must be greater than or equal to `minReplicas`]',
    ],
    [
      scaled({ scaleTargetRef: { apiVersion: 'v1', kind: 'Foo', name: 'x' } }),
      'spec.scaleTargetRef.apiVersion: Invalid value: "v1": apiVersion must specify API group',
    ],
    [
      measured({ type: 'Nope' }),
      'spec.metrics[0].type: Unsupported value: "Nope": supported values: "ContainerResource", "External", "Object", "Pods", "Resource"',
    ],
    [
      measured({ type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization' } } }),
      'spec.metrics[0].resource.target.averageUtilization: Required value: must set either a target raw value or a target utilization',
    ],
    [
      measured({ type: 'External', external: { metric: { name: 'q' }, target: { type: 'Value', value: '0' } } }),
      'spec.metrics[0].external.target.value: Invalid value: "0": must be positive',
    ],
    [
      scaled({ behavior: { scaleUp: { policies: [{ type: 'Pods', value: 0, periodSeconds: 1801 }] } } }),
      '[spec.behavior.scaleUp.policies[0].value: Invalid value: 0: must be greater than zero, spec.behavior.scaleUp.policies[0].periodSeconds: Invalid value: 1801: must be less than or equal to 1800]',
    ],
  ],
  'apis/policy/v1 poddisruptionbudgets PodDisruptionBudget.policy': [
    [
      { minAvailable: 1, selector: { matchExpressions: [{ key: 'a', operator: 'In' }] } },
      "spec.selector.matchExpressions[0].values: Required value: must be specified when `operator` is 'In' or 'NotIn'",
    ],
  ],
};

const cases = Object.entries(refusals).flatMap(([kind, specs]) => {
  const [version = '', plural = '', named = ''] = kind.split(' ');
  return specs.map(([spec, words], i) => ({ version, plural, named, spec, words, i }));
});

conformance('what built-in kinds refuse', (hub) => {
  it.each(cases)('$plural $i: $words', async ({ version, plural, named, spec, words }) => {
    const ns = await hub.namespace();
    const reply = await hub.post(`/${version}/namespaces/${ns}/${plural}`, { metadata: { name: 'a' }, spec });
    expect([reply.status, textAt(reply.body, 'message')]).toEqual([422, `${named} "a" is invalid: ${words}`]);
  });

  it('sums up the selector of a Deployment that is no selector', async () => {
    const ns = await hub.namespace();
    const selector = { matchExpressions: [{ key: 'app', operator: 'Exists', values: ['x'] }] };
    const reply = await hub.post(`/apis/apps/v1/namespaces/${ns}/deployments`, deployment('web', { selector }));
    expect(textAt(reply.body, 'message')).toBe(
      "Deployment.apps \"web\" is invalid: [spec.selector.matchExpressions[0].values: Forbidden: may not be specified when `operator` is 'Exists' or 'DoesNotExist', " +
        `spec.selector: Invalid value: ${JSON.stringify(selector)}: invalid label selector]`,
    );
  });

  it('completes a CSIDriver, and an autoscaler in both versions', async () => {
    const ns = await hub.namespace();
    const driver = await hub.post('/apis/storage.k8s.io/v1/csidrivers', {
      metadata: { name: `${ns}.example.com` },
      spec: {},
    });
    expect(at(driver.body, 'spec')).toEqual({
      attachRequired: true,
      fsGroupPolicy: 'ReadWriteOnceWithFSType',
      podInfoOnMount: false,
      requiresRepublish: false,
      seLinuxMount: false,
      storageCapacity: false,
      volumeLifecycleModes: ['Persistent'],
    });
    const path = (version: string): string => `/apis/autoscaling/${version}/namespaces/${ns}/horizontalpodautoscalers`;
    const second = await hub.post(path('v2'), { metadata: { name: 'b' }, spec: scaled({}) });
    expect(at(second.body, 'status')).toEqual({ currentMetrics: null, desiredReplicas: 0 });
    const first = await hub.post(path('v1'), { metadata: { name: 'a' }, spec: scaled({}) });
    expect(at(first.body, 'status')).toEqual({ currentReplicas: 0, desiredReplicas: 0 });
  });
});

conformance('label selectors that are none', (hub) => {
  it.each([
    ['a in', "unable to parse requirement: found '' expected: '('"],
    ['a in (b', "unable to parse requirement: found '', expected: ',' or ')'"],
    ['a in (b c)', "unable to parse requirement: found 'c', expected: ',' or ')'"],
    ['a,', "found '', expected: identifier after ','"],
    ['=b', "found '=', expected: !, identifier, or 'end of string'"],
    ['a=b=c', "found '=', expected: ',' or 'end of string'"],
    ['!', "unable to parse requirement: found '', expected: identifier"],
    [
      'a>x',
      `unable to parse requirement: values[0]: Invalid value: "x": for 'Gt', 'Lt' operators, the value must be an integer`,
    ],
    ['a b', "unable to parse requirement: found 'b', expected: in, notin, =, ==, !=, gt, lt"],
    ['a=B_', `unable to parse requirement: values[0][a]: Invalid value: "B_": ${labelValue}`],
    [
      'a/=b',
      `unable to parse requirement: <nil>: Invalid value: "a/": name part must be non-empty; name part ${keyName}`,
    ],
    ['/a=b', 'unable to parse requirement: <nil>: Invalid value: "/a": prefix part must be non-empty'],
  ])('%s', async (selector, words) => {
    const reply = await hub.get(`/api/v1/configmaps?labelSelector=${encodeURIComponent(selector)}`);
    expect([reply.status, textAt(reply.body, 'message')]).toEqual([400, words]);
  });
});
