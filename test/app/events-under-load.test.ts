/** Events of what users did are there although much else happens: eight teams change policies side by side. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { KubeObject, Ref } from '../../src/api/index.ts';
import { deployment, deployments, policy, rollout } from '../kit/objects.ts';
import { startLive } from '../kit/live.ts';
import type { Live } from '../kit/live.ts';
import { until } from '../kit/until.ts';

interface Event extends KubeObject {
  readonly involvedObject: Ref;
  readonly reason: string;
  readonly message: string;
}

const teams = Array.from({ length: 8 }, (_, i) => `team${i}`);
const apps = Array.from({ length: 25 }, (_, i) => `app${i}`);
const names = teams.flatMap((namespace) => apps.map((name) => `${namespace}/${name}`)).sort();

let live: Live;
beforeAll(async () => {
  live = await startLive();
  await live.untilReady();
});
afterAll(() => live.close());

/** One team: templates, a policy, another one that preempts it, and then a suspension, as fast as the hub takes them. */
async function play(namespace: string): Promise<void> {
  await live.user.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
  await live.user.create(policy('low', { namespace, to: 'member1' }));
  await Promise.all(apps.map((name) => live.user.create(deployment(name, { namespace }))));
  await until(
    `the templates of ${namespace} are claimed`,
    async () => (await claimedBy(namespace, 'low')) === apps.length,
  );
  await live.user.create(policy('high', { namespace, to: 'member1', priority: 2, preemption: 'Always' }));
  await until(`${namespace} is preempted`, async () => (await claimedBy(namespace, 'high')) === apps.length);
  const freeze = rollout('freeze', { suspendDispatching: true }, { namespace, resourceSelectors: [deployments()] });
  await live.user.create(freeze);
}

async function claimedBy(namespace: string, policyName: string): Promise<number> {
  const { items } = await live.user.listAll({ apiVersion: 'apps/v1', kind: 'Deployment' }, { namespace });
  const claim = 'propagationpolicy.karmada.io/name';
  return items.filter(({ metadata }) => metadata.annotations?.[claim] === policyName).length;
}

/** The templates of which an event with this reason, and these words, was written. */
async function told(reason: string, words: string, nameOf: (object: Ref) => string): Promise<readonly string[]> {
  const { items } = await live.user.listAll<Event>({ apiVersion: 'v1', kind: 'Event' });
  const found = items.filter((event) => event.reason === reason && event.message.includes(words));
  return [...new Set(found.map(({ involvedObject }) => nameOf(involvedObject)))].sort();
}

test('every template says that it was preempted, and every Work that it was suspended', async () => {
  await Promise.all(teams.map(play));
  await until('all preemptions are told', async () => {
    const preempted = await told('PreemptPolicySucceed', '', ({ namespace, name }) => `${namespace}/${name}`);
    return preempted.filter((name) => names.includes(name)).length === names.length;
  });
  await until('all suspensions are told', async () => {
    const suspended = await told('WorkDispatching', 'suspended', ({ namespace, name }) => `${namespace}/${name}`);
    return suspended.length === names.length;
  });
  const { items } = await live.user.listAll<Event>({ apiVersion: 'v1', kind: 'Event' });
  expect(items.length).toBeGreaterThan(names.length * 5);
}, 120_000);
