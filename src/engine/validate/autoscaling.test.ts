import { describe, expect, test } from 'vitest';
import { validate } from '../index.ts';

describe('a CronFederatedHPA', () => {
  const rule = { name: 'a', schedule: '0 8 * * *' };
  test.each<[string, readonly object[], ...string[]]>([
    ['Deployment', [{ ...rule, targetReplicas: 0, timeZone: 'Europe/Berlin' }]],
    [
      'Deployment',
      [{ ...rule, targetMinReplicas: 1 }],
      'required spec.rules[0].targetReplicas',
      'forbidden spec.rules[0].targetMinReplicas',
    ],
    ['Deployment', [{ ...rule, targetReplicas: -1 }], 'invalid spec.rules[0].targetReplicas'],
    [
      'Deployment',
      [{ ...rule, targetReplicas: 1, schedule: 'x', timeZone: 'Mars' }],
      'invalid spec.rules[0].schedule',
      'invalid spec.rules[0].timeZone',
    ],
    [
      'FederatedHPA',
      [
        { ...rule, targetMinReplicas: 2 },
        { ...rule, name: 'b', targetMinReplicas: 2, targetMaxReplicas: 2 },
      ],
    ],
    ['FederatedHPA', [{ ...rule, targetReplicas: 2 }], 'required spec.rules[0].targetMinReplicas'],
    [
      'FederatedHPA',
      [
        { ...rule, targetMinReplicas: 0 },
        { ...rule, targetMinReplicas: 3, targetMaxReplicas: 2 },
      ],
      'invalid spec.rules[0].targetMinReplicas',
      'invalid spec.rules[1].targetMaxReplicas',
      'duplicate spec.rules[1].name',
    ],
  ])('a %s with %j', (kind, rules, ...expected) => {
    const autoscaler = {
      apiVersion: 'autoscaling.karmada.io/v1alpha1',
      kind: 'CronFederatedHPA',
      metadata: { name: 'one', namespace: 'shop' },
      spec: { scaleTargetRef: { kind, name: 'web' }, rules },
    };
    expect(validate(autoscaler).map(({ type, field }) => `${type} ${field}`)).toEqual(expected);
  });
});
