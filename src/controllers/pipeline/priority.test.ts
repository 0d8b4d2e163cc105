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

test('an edit of a person goes first, with all that follows from it, for a while', () => {
  const clock = new ManualClock();
  const priority = new ChangePriority(clock);
  const seen = (...all: readonly CacheChange[]): readonly string[] => all.map((one) => priority.priorityOf(one));
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

test('changes of policies and members, and the first look, have no priority', () => {
  const priority = new ChangePriority(new ManualClock());
  expect(priority.priorityOf(change(policy('web'), 'watch'))).toBe('normal');
  expect(priority.priorityOf(change(edited, 'watch', 'member1'))).toBe('normal');
  expect(priority.priorityOf(change(edited, 'list'))).toBe('low');
  expect(priority.priorityOf(change(bindingOf(edited), 'watch'))).toBe('normal');
});
