import { expect, test } from 'vitest';
import { keyOf, refOf } from '../../api/index.ts';
import type { KubeObject, Ref } from '../../api/index.ts';
import { bindingRefOf } from '../../engine/index.ts';
import { ManualClock } from '../../runtime/index.ts';
import type { CacheChange } from '../../runtime/index.ts';
import { configMap, policy } from '../../../test/kit/objects.ts';
import { ChangePriority } from './priority.ts';

const edited = configMap('edited');
const other = configMap('other');

function change(object: KubeObject, origin: CacheChange['origin'], at?: string): CacheChange {
  return { key: keyOf(refOf(object)), before: undefined, after: object, origin, ...(at && { at }) };
}

const bindingOf = (template: KubeObject): KubeObject => {
  const { apiVersion, kind, name, namespace = '' }: Ref = bindingRefOf(template);
  return { apiVersion, kind, metadata: { name, namespace } };
};

const workOf = (template: KubeObject): KubeObject => ({
  apiVersion: 'work.karmada.io/v1alpha1',
  kind: 'Work',
  metadata: {
    name: 'work',
    namespace: 'karmada-es-member1',
    annotations: {
      'resourcebinding.karmada.io/namespace': 'default',
      'resourcebinding.karmada.io/name': bindingOf(template).metadata.name,
    },
  },
});

test('what a person edits goes first, with all that follows from it, for a while', () => {
  const clock = new ManualClock();
  const urgency = new ChangePriority(clock);
  const seen = (...all: readonly CacheChange[]): readonly string[] => all.map((one) => urgency.priorityOf(one));
  const follows = [
    change(edited, 'write'),
    change(bindingOf(edited), 'write'),
    change(workOf(edited), 'watch'),
    change(bindingOf(other), 'watch'),
    change(workOf(other), 'write'),
  ];
  expect(seen(...follows)).toEqual(['normal', 'normal', 'normal', 'normal', 'normal']);
  expect(seen(change(edited, 'watch'))).toEqual(['high']);
  expect(seen(...follows)).toEqual(['high', 'high', 'high', 'normal', 'normal']);
  clock.advance(5_000);
  expect(seen(...follows)).toEqual(['normal', 'normal', 'normal', 'normal', 'normal']);
});

test('policies, members and what is only looked at again do not', () => {
  const urgency = new ChangePriority(new ManualClock());
  expect(urgency.priorityOf(change(policy('web'), 'watch'))).toBe('normal');
  expect(urgency.priorityOf(change(edited, 'watch', 'member1'))).toBe('normal');
  expect(urgency.priorityOf(change(edited, 'list'))).toBe('low');
  expect(urgency.priorityOf(change(bindingOf(edited), 'watch'))).toBe('normal');
});
