import { describe, expect, test } from 'vitest';
import { fieldErrorText } from '../api/index.ts';
import { envErrors, portNameErrors, resourceErrors } from './containervalidate.ts';
import { budgetErrors, networkPolicyErrors } from './policies.ts';

const draft = (kind: string, spec: object) => ({ apiVersion: 'x/v1', kind, metadata: { name: 'x' }, spec });

/** The words of kube-apiserver 1.34. */
describe('a container', () => {
  test.each([
    ['http', []],
    ['-1-', ['must contain at least one letter (a-z)', 'must not begin or end with a hyphen']],
    ['a--b', ['must not contain consecutive hyphens']],
    [
      'TOO_LONG_NAME_OF_A_PORT',
      [
        'must be no more than 15 characters',
        'must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)',
        'must contain at least one letter (a-z)',
      ],
    ],
  ])('names a port %s', (name, faults) => {
    expect(portNameErrors({ name }, 'p').map(({ detail }) => detail)).toEqual(faults);
  });

  test('names its variables without an equals sign', () => {
    expect(envErrors({ name: 'a.b-c 1' }, 'p')).toEqual([]);
    expect(envErrors({ name: 'a=b' }, 'p').map(fieldErrorText)).toEqual([
      `p.name: Invalid value: "a=b": a valid environment variable name must consist only of printable ASCII characters other than '='`,
    ]);
  });

  test('asks for no more than it may use', () => {
    const limits = { memory: '1Gi', cpu: 1 };
    expect(
      resourceErrors({ resources: { requests: { memory: '1024Mi', cpu: '1000m', disk: 1 }, limits } }, 'p'),
    ).toEqual([]);
    const texts = resourceErrors({ resources: { requests: { memory: '2000Mi', cpu: '1.5' }, limits } }, 'p');
    expect(texts.map(fieldErrorText)).toEqual([
      'p.resources.requests: Invalid value: "2000Mi": must be less than or equal to memory limit of 1Gi',
      'p.resources.requests: Invalid value: "1500m": must be less than or equal to cpu limit of 1',
    ]);
  });
});

test.each([
  [{ minAvailable: 1 }, []],
  [{ maxUnavailable: '100%' }, []],
  [{ minAvailable: -1 }, ['spec.minAvailable: Invalid value: -1: must be greater than or equal to 0']],
  [{ maxUnavailable: '150%' }, ['spec.maxUnavailable: Invalid value: "150%": must not be greater than 100%']],
  [
    { minAvailable: 2, maxUnavailable: 1, selector: { matchLabels: { a: 'b' } } },
    [
      'spec: Invalid value: {"MinAvailable":2,"Selector":{"matchLabels":{"a":"b"}},"MaxUnavailable":1,"UnhealthyPodEvictionPolicy":null}: minAvailable and maxUnavailable cannot be both set',
    ],
  ],
])('a budget with %j', (spec, texts) => {
  expect(budgetErrors(draft('PodDisruptionBudget', spec)).map(fieldErrorText)).toEqual(texts);
});

test.each([
  [{ ports: [{ port: 80 }, { port: 'http' }], from: [{ ipBlock: { cidr: '10.0.0.0/8' } }, { podSelector: {} }] }, []],
  [{ from: [{ ipBlock: { cidr: '2001:db8::/64' } }] }, []],
  [
    { ports: [{ port: 99999 }], from: [{ ipBlock: { cidr: 'x' } }, { ipBlock: { cidr: '10.0.0.0/33' } }] },
    [
      'spec.ingress[0].ports[0].port: Invalid value: 99999: must be between 1 and 65535, inclusive',
      'spec.ingress[0].from[0].ipBlock.cidr: Invalid value: "x": must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)',
      'spec.ingress[0].from[1].ipBlock.cidr: Invalid value: "10.0.0.0/33": must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)',
    ],
  ],
])('a network policy with %j', (rule, texts) => {
  expect(networkPolicyErrors(draft('NetworkPolicy', { ingress: [rule] })).map(fieldErrorText)).toEqual(texts);
});
