import { afterAll, beforeAll, expect, test } from 'vitest';
import type { KubeObject } from '../../src/api/index.ts';
import { at, withAt } from '../../src/base/index.ts';
import { deployment, deployments, policy } from '../kit/objects.ts';
import { openSystem } from './kit.ts';
import type { System } from './kit.ts';

const outcome = ['spec', 'template', 'metadata', 'annotations'];

/** A Deployment of one replica whose containers end so, with this many seconds to become ready. */
function app(name: string, ends: string, seconds = 600): KubeObject {
  const made = withAt(deployment(name, { replicas: 1 }), outcome, { 'sim.sluice.dev/outcome': ends });
  return withAt(made, ['spec', 'progressDeadlineSeconds'], seconds);
}

interface Status {
  readonly state: string;
  readonly clusters: readonly { readonly state: string; readonly message?: string }[];
}

let system: System;
beforeAll(async () => {
  system = await openSystem({ members: ['member1'], pods: true });
  await system.apply(policy('web', { to: 'member1', select: [deployments()] }));
}, 60_000);
afterAll(() => system.close());

async function statusOf(name: string): Promise<Status> {
  return JSON.parse((await system.run(['status', `deploy/${name}`, '-o', 'json'])).out) as Status;
}

const untilState = (name: string, state: string): Promise<void> =>
  system.until(`${name} is ${state}`, async () => (await statusOf(name)).state === state);

test('a Deployment in a crash loop is unhealthy, in the words of its pods', async () => {
  await system.apply(app('crash', 'CrashLoopBackOff'));
  await untilState('crash', 'unhealthy');
  const { out } = await system.run(['status', 'deploy/crash']);
  expect(out).toContain('Deployment/default/crash, managed by PropagationPolicy/default/web: unhealthy');
  expect(out).toMatch(/member1 +unhealthy +0\/1 +Unhealthy +CrashLoopBackOff: .*back-off restarting failed container/);
}, 60_000);

test('a Deployment that does not become ready is progressing until its deadline, then unhealthy', async () => {
  await system.apply(app('slow', 'NeverReady', 3));
  await untilState('slow', 'progressing');
  await untilState('slow', 'unhealthy');
  expect((await statusOf('slow')).clusters[0]?.message).toContain('ProgressDeadlineExceeded');
}, 60_000);

test('a crash-looping rollout behind an old ReplicaSet is not healthy', async () => {
  const sound = deployment('behind', { replicas: 1 });
  await system.apply(sound);
  await system.untilHealthy(sound, 'member1');
  await system.apply(withAt(sound, outcome, { 'sim.sluice.dev/outcome': 'CrashLoopBackOff' }));
  await untilState('behind', 'unhealthy');
  const { out } = await system.run(['status', 'deploy/behind']);
  expect(out).toMatch(/member1 +unhealthy +1\/1 +Unhealthy +CrashLoopBackOff/);
}, 60_000);

test('a Deployment that becomes ready is in effect', async () => {
  const sound = deployment('sound', { replicas: 1 });
  await system.apply(sound);
  await system.untilHealthy(sound, 'member1');
  await untilState('sound', 'inEffect');
  expect((await system.run(['status', 'deploy/sound'])).out).toMatch(/member1 +in effect +1\/1 +Healthy +-/);
}, 60_000);

test('the fleet lists trouble first, and --fail-on makes a program notice', async () => {
  const { code, out } = await system.run(['status']);
  expect(code).toBe(0);
  expect(out).toMatch(/4 templates: 1 in effect, 3 unhealthy\n$/);
  expect(out.indexOf('unhealthy')).toBeLessThan(out.indexOf('4 templates'));
  expect((await system.run(['status', '--fail-on', 'unhealthy,failing'])).code).toBe(1);
  expect((await system.run(['status', '--fail-on', 'failing'])).code).toBe(0);
  expect((await system.run(['status', 'deploy/sound', '--fail-on', 'unhealthy'])).code).toBe(0);
  expect((await system.run(['status', 'deploy/crash', '--fail-on', 'unhealthy'])).code).toBe(1);
  const wrong = await system.run(['status', '--fail-on', 'sick']);
  expect([wrong.code, wrong.out]).toEqual([2, '']);
  expect(wrong.err).toContain('failing, unhealthy, suspended, pending, progressing');
}, 60_000);

test('the binding says the same to kubectl: in its column, its conditions and its events', async () => {
  const ref = { apiVersion: 'work.karmada.io/v1alpha2', kind: 'ResourceBinding', namespace: 'default' };
  const binding = await system.user.get({ ...ref, name: 'crash-deployment' });
  expect(at(binding, ['status', 'conditions'])).toContainEqual(
    expect.objectContaining({ type: 'InEffect', status: 'False', reason: 'Unhealthy' }),
  );
  await system.until('the event is recorded', async () => {
    const { items } = await system.user.listAll({ apiVersion: 'v1', kind: 'Event' });
    return items.some((event) => at(event, ['reason']) === 'Unhealthy' && at(event, ['type']) === 'Warning');
  });
}, 60_000);
