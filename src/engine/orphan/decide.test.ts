import { expect, test } from 'vitest';
import { keyOf, refOf } from '../../api/index.ts';
import type { Binding, KubeObject, Work } from '../../api/index.ts';
import { bindingRefOf } from '../claim/index.ts';
import type { World } from '../world/index.ts';
import { atRest } from '../../../test/kit/worlds.ts';
import { deployment, policy } from '../../../test/kit/objects.ts';
import { decideOrphan, gatherOrphan } from './decide.ts';

const nginx = deployment('nginx');
const placed = (): World => atRest({}, policy('pp', { to: 'member1' }), nginx);
const bindingKey = keyOf(bindingRefOf(nginx));

function workOf(world: World): Work {
  for (const [key, object] of world.entries())
    if (!key.startsWith('@') && object.kind === 'Work' && object.metadata.name.startsWith('nginx'))
      return object as Work;
  throw new Error('there is no Work');
}

const fateOf = (world: World, key: string): string => {
  const facts = gatherOrphan(world, key);
  if (!facts) return 'not ours';
  const { because, actions } = decideOrphan(facts);
  return actions.length > 0 ? because : 'stays';
};

/** As if somebody had taken it away without a word: no finalizer, no garbage collection. */
function vanish(world: World, object: KubeObject): void {
  const live = world.get(keyOf(refOf(object))) as KubeObject;
  world.write({
    verb: 'update',
    object: { ...live, metadata: { ...live.metadata, finalizers: [], ownerReferences: [] } },
  });
  const found = world.get(keyOf(refOf(object)));
  if (found) world.write({ verb: 'delete', ref: refOf(found) });
}

test('an object that is still needed stays', () => {
  const world = placed();
  expect(fateOf(world, keyOf(refOf(workOf(world))))).toBe('stays');
  expect(fateOf(world, bindingKey)).toBe('stays');
});

test('a Work whose binding is gone stays while its template is there, and goes when it is not', () => {
  const world = placed();
  const work = workOf(world);
  vanish(world, world.get(bindingKey) as Binding);
  expect(fateOf(world, keyOf(refOf(work)))).toBe('stays');
  vanish(world, nginx);
  expect(fateOf(world, keyOf(refOf(work)))).toBe('BindingGone');
});

test('a Work of an earlier binding of the same name goes', () => {
  const world = placed();
  const binding = world.get(bindingKey) as Binding;
  const labels = { ...binding.metadata.labels, 'resourcebinding.karmada.io/permanent-id': 'another' };
  world.write({ verb: 'update', object: { ...binding, metadata: { ...binding.metadata, labels } } });
  expect(fateOf(world, keyOf(refOf(workOf(world))))).toBe('BindingGone');
});

test('a binding goes with its template, unless it was told to stay behind', () => {
  const world = placed();
  const binding = world.get(bindingKey) as Binding;
  const stray = (ownerReferences: Binding['metadata']['ownerReferences']): string => {
    const other = placed();
    const object = {
      ...binding,
      metadata: { ...binding.metadata, name: 'stray', ...(ownerReferences && { ownerReferences }) },
    };
    const resource = { ...binding.spec.resource, name: 'gone' };
    other.write({ verb: 'create', object: { ...object, spec: { ...binding.spec, resource } } as Binding });
    return fateOf(other, keyOf(refOf(object)));
  };
  expect(stray(binding.metadata.ownerReferences)).toBe('TemplateGone');
  expect(stray([])).toBe('not ours');
});

test('Works that bring namespaces have no binding, and are left to their namespace', () => {
  const world = atRest({}, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } });
  const works = [...world.entries()].filter(([key, { kind }]) => !key.startsWith('@') && kind === 'Work');
  expect(works.map(([key]) => fateOf(world, key))).toEqual(works.map(() => 'not ours'));
  expect(works.length).toBeGreaterThan(0);
});
