/**
 * Things that people do faster than controllers look, on a whole system: made and deleted and made again, policies that
 * go while their templates come, members that leave while something is on its way to them, and two who want one object.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { KubeObject, Ref, Work } from '../../src/api/index.ts';
import { executionNamespace, refOf, workName } from '../../src/api/index.ts';
import { bindingRefOf, claimOf } from '../../src/engine/index.ts';
import { startLive } from '../kit/live.ts';
import type { Live } from '../kit/live.ts';
import { configMap, configMaps, policy } from '../kit/objects.ts';
import type { PolicyWords } from '../kit/objects.ts';
import { until, untilGone } from '../kit/until.ts';

let live: Live;
beforeAll(async () => {
  live = await startLive({ members: ['member1', 'member2', 'member3'] });
  await live.untilReady();
});
afterAll(() => live.close());

interface ConfigMap extends KubeObject {
  readonly data?: { readonly value: string };
}

const range = (length: number): readonly number[] => Array.from({ length }, (_, index) => index);

/** A policy over the ConfigMaps that have this label. */
function policyOf(race: string, words: PolicyWords): KubeObject {
  return policy(race, { select: [configMaps({ labelSelector: { matchLabels: { race } } })], ...words });
}

function runners(race: string, value = 'one', count = 20): readonly KubeObject[] {
  return range(count).map((index) => configMap(`${race}-${index}`, { value, labels: { race } }));
}

async function values(member: string, wanted: readonly KubeObject[]): Promise<readonly (string | undefined)[]> {
  return Promise.all(
    wanted.map(async (object) => (await live.member(member).find<ConfigMap>(refOf(object)))?.data?.value),
  );
}

/** These are in these members with this value, and in no other. */
async function expectIn(places: Readonly<Record<string, string>>, objects: readonly KubeObject[]): Promise<void> {
  await until(`${objects[0]?.metadata.name ?? ''} and its like are where they should be`, async () => {
    for (const member of live.members)
      expect([member, await values(member, objects)]).toEqual([member, objects.map(() => places[member])]);
    return true;
  });
}

const workRef = (member: string, object: KubeObject): Ref => ({
  apiVersion: 'work.karmada.io/v1alpha1',
  kind: 'Work',
  namespace: executionNamespace(member),
  name: workName({ kind: object.kind, ...object.metadata }),
});

/** Nothing of ours is left of these: no binding and no Work. */
async function expectNoTrace(objects: readonly KubeObject[]): Promise<void> {
  for (const object of objects) {
    await untilGone(live.user, bindingRefOf(object));
    for (const member of live.members) await untilGone(live.user, workRef(member, object));
  }
}

test('made, deleted and made again in quick succession: the last one counts', async () => {
  await live.apply(policyOf('again', { to: ['member1', 'member2'] }));
  const wanted = runners('again', 'last');
  await Promise.all(
    wanted.map(async (object) => {
      for (const value of ['first', 'second', 'third']) {
        await live.user.create(configMap(object.metadata.name, { value, labels: { race: 'again' } }));
        await live.user.delete(refOf(object));
      }
      await live.user.create(object);
    }),
  );
  await live.settle();
  await expectIn({ member1: 'last', member2: 'last' }, wanted);
});

test('made and deleted in quick succession: nothing is left', async () => {
  await live.apply(policyOf('gone', { to: ['member1', 'member2'] }));
  const wanted = runners('gone');
  await Promise.all(
    wanted.map(async (object) => {
      for (const _ of range(3)) {
        await live.user.create(object);
        await live.user.delete(refOf(object));
      }
    }),
  );
  await live.settle();
  await expectIn({}, wanted);
  await expectNoTrace(wanted);
});

test('a policy deleted while its templates are created: none of them is managed, or the next policy manages them', async () => {
  await live.apply(policyOf('leaving', { to: 'member1' }));
  const wanted = runners('leaving', 'one', 40);
  const creating = live.applyAll(wanted);
  await live.user.delete(refOf(policyOf('leaving', {})));
  await creating;
  await untilGone(live.user, refOf(policyOf('leaving', {})));
  await live.settle();
  for (const object of wanted) expect(claimOf(await live.user.get(refOf(object)))).toBeUndefined();

  await live.apply(policy('next', { to: 'member2', select: policySelectors('leaving') }));
  await live.settle();
  await expectIn({ member2: 'one' }, wanted);
});

const policySelectors = (race: string): NonNullable<PolicyWords['select']> => [
  configMaps({ labelSelector: { matchLabels: { race } } }),
];

test('two policies edited at once, again and again: the stronger manages everything in the end', async () => {
  const wanted = runners('edited');
  const preemption = 'Always';
  await live.apply(policyOf('edited', { to: 'member1', priority: 1 }));
  await live.applyAll(wanted);
  await Promise.all(
    range(5).flatMap((round) => [
      live.apply(policyOf('edited', { to: round % 2 ? 'member1' : 'member2', priority: 1 })).catch(conflict),
      live.apply(rival(round % 2 ? 'member2' : 'member3', round + 2)).catch(conflict),
    ]),
  );
  await live.apply(policyOf('edited', { to: 'member1', priority: 1 }));
  await live.apply(rival('member3', 10));
  await live.settle();
  await expectIn({ member3: 'one' }, wanted);
  for (const object of wanted) expect(claimOf(await live.user.get(refOf(object)))?.name).toBe('rival');

  function rival(to: string, priority: number): KubeObject {
    return policy('rival', { to, priority, preemption, select: namespaced('edited') });
  }
});

/** With preemption a selector names the namespace. */
const namespaced = (race: string): NonNullable<PolicyWords['select']> => [
  configMaps({ namespace: 'default', labelSelector: { matchLabels: { race } } }),
];

/** Two people who edit one object at once: one of them is told, and that is no fault. */
function conflict(error: unknown): void {
  const { code } = (error as { readonly status?: { readonly code?: number } }).status ?? {};
  if (code !== 409) throw error;
}

test('a template deleted while suspended is deleted, and so is what was never sent', async () => {
  const wanted = runners('suspended');
  await live.apply(policyOf('suspended', { to: 'member1' }));
  await live.applyAll(wanted.slice(0, 10));
  await live.settle();
  const suspend = { suspendDispatching: true };
  await live.apply(policyOf('suspended', { to: 'member1', suspend }));
  await live.applyAll(wanted);
  await Promise.all(wanted.map((object) => live.user.delete(refOf(object))));
  await live.settle();
  await expectIn({}, wanted);
  await expectNoTrace(wanted);
});

test('an object that stands in a member is left alone and named, and taken when it is out of the way', async () => {
  const object = configMap('standing', { value: 'ours', labels: { race: 'standing' } });
  await live.member('member1').create(configMap('standing', { value: 'theirs' }));
  await live.apply(policyOf('standing', { to: ['member1', 'member2'] }));
  await live.apply(object);
  await live.settle();
  expect(await values('member1', [object])).toEqual(['theirs']);
  expect(await values('member2', [object])).toEqual(['ours']);
  const work = await live.user.get<Work>(workRef('member1', object));
  expect(work.status?.conditions).toContainEqual(
    expect.objectContaining({
      type: 'Applied',
      status: 'False',
      message: expect.stringContaining('ConfigMap default/standing already exists in member1') as string,
    }),
  );

  await live.member('member1').delete(refOf(object));
  await expectIn({ member1: 'ours', member2: 'ours' }, [object]);
});

test('an object that stands in a member survives the template that could not have it', async () => {
  const object = configMap('kept', { value: 'ours', labels: { race: 'kept' } });
  await live.member('member1').create(configMap('kept', { value: 'theirs' }));
  await live.apply(policyOf('kept', { to: 'member1' }), object);
  await live.settle();
  await live.user.delete(refOf(object));
  await live.settle();
  await expectNoTrace([object]);
  expect(await values('member1', [object])).toEqual(['theirs']);
});

test('one object wanted by two Works: the second leaves it alone and names the first', async () => {
  const object = configMap('shared', { value: 'one', labels: { race: 'shared' } });
  await live.apply(policyOf('shared', { to: 'member1' }), object);
  await live.settle();
  const first = await live.user.get<Work>(workRef('member1', object));
  const manifest = { ...configMap('shared', { value: 'two' }) };
  const second = {
    apiVersion: first.apiVersion,
    kind: 'Work',
    metadata: { name: 'second', namespace: executionNamespace('member1') },
    spec: { workload: { manifests: [manifest] } },
  } as KubeObject;
  await live.user.create(second);
  await live.settle();
  expect(await values('member1', [object])).toEqual(['one']);
  const refused = await live.user.get<Work>(refOf(second));
  const message = refused.status?.conditions?.find(({ type }) => type === 'Applied')?.message;
  expect(message).toContain(first.metadata.name);
  expect(message).toContain('second');
  await live.user.delete(refOf(second));
  await untilGone(live.user, refOf(second));
  expect(await values('member1', [object])).toEqual(['one']);
});

test('a cluster removed while works are on their way: nothing waits for it, and the others get theirs', async () => {
  const wanted = runners('removed', 'one', 40);
  const cluster = { apiVersion: 'cluster.karmada.io/v1alpha1', kind: 'Cluster', name: 'member3' };
  await live.apply(policyOf('removed', { to: ['member1', 'member3'] }));
  const creating = live.applyAll(wanted);
  await until('some are there', async () => (await values('member3', wanted)).some((value) => value !== undefined));
  await live.user.delete(cluster);
  await creating;
  await untilGone(live.user, cluster);
  await live.settle();
  expect(await values('member1', wanted)).toEqual(wanted.map(() => 'one'));
  const works = await live.user.listAll({ apiVersion: 'work.karmada.io/v1alpha1', kind: 'Work' });
  expect(works.items.filter(({ metadata }) => metadata.namespace === executionNamespace('member3'))).toEqual([]);
});
