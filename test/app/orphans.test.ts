import { afterAll, beforeAll, expect, test } from 'vitest';
import type { KubeObject, Ref } from '../../src/api/index.ts';
import { executionNamespace, keyOf, refOf, workName } from '../../src/api/index.ts';
import { bindingRefOf } from '../../src/engine/index.ts';
import { startLive } from '../kit/live.ts';
import type { Live } from '../kit/live.ts';
import { configMap, configMaps, policy } from '../kit/objects.ts';
import { until } from '../kit/until.ts';

let live: Live;
beforeAll(async () => {
  live = await startLive();
  await live.untilReady();
  await live.apply(
    policy('all', {
      to: ['member1', 'member2'],
      select: [configMaps({ labelSelector: { matchLabels: { app: 'web' } } })],
    }),
  );
});
afterAll(() => live.close());

const labels = { app: 'web' };

/** Applies a template and waits until it is everywhere. */
async function placed(name: string): Promise<KubeObject> {
  const template = configMap(name, { labels });
  await live.apply(template);
  await until(`${name} is everywhere`, async () => (await live.placesOf(refOf(template))).length === 2);
  return template;
}

const workRef = (template: KubeObject, member: string): Ref => ({
  apiVersion: 'work.karmada.io/v1alpha1',
  kind: 'Work',
  namespace: executionNamespace(member),
  name: workName({ kind: template.kind, ...template.metadata }),
});

/** Takes a binding away as somebody does who does not care for finalizers. */
async function tearOut(template: KubeObject): Promise<void> {
  const ref = bindingRefOf(template);
  await live.user.patch(ref, { metadata: { finalizers: null, ownerReferences: null } }, { type: 'merge' });
  await live.user.delete(ref);
}

/** Waits long enough for any pending write to have happened. */
async function graceIsOver(): Promise<void> {
  const probe = await placed(`probe-${Date.now()}`);
  await live.stop();
  await tearOut(probe);
  await live.user.delete(refOf(probe));
  await live.start();
  await until('the probe is collected', async () => (await live.placesOf(refOf(probe))).length === 0);
}

test('a template and its binding that vanish while nobody watches take their Works and their objects along', async () => {
  const template = await placed('gone');
  await live.stop();
  await tearOut(template);
  await live.user.delete(refOf(template));
  expect(await live.user.find(workRef(template, 'member1'))).toBeDefined();
  await live.start();
  await until('nothing is left', async () => (await live.placesOf(refOf(template))).length === 0);
  await until('no Work is left', async () => (await live.user.find(workRef(template, 'member1'))) === undefined);
});

test('a binding that is torn out comes back, and what runs goes on running', async () => {
  const template = await placed('torn');
  const { uid } = (await live.member('member1').get(refOf(template))).metadata;
  await live.stop();
  await tearOut(template);
  await live.start();
  await until('the binding is back', () => live.user.find(bindingRefOf(template)));
  await graceIsOver();
  expect((await live.member('member1').get(refOf(template))).metadata.uid).toBe(uid);
});

test('a template that is orphaned on purpose leaves everything where it is', async () => {
  const template = await placed('kept');
  await live.user.delete(refOf(template), { propagationPolicy: 'Orphan' });
  await until('the template is gone', async () => (await live.user.find(refOf(template))) === undefined);
  await graceIsOver();
  expect(await live.placesOf(refOf(template))).toEqual(['member1', 'member2']);
  await live.user.delete(bindingRefOf(template));
  await until('it goes with its binding', async () => (await live.placesOf(refOf(template))).length === 0);
});

test('nothing is taken away on the word of a cache', async () => {
  const template = await placed('unseen');
  const asked: string[] = [];
  await live.stop();
  await live.start({
    between: (transport) => ({
      ...transport,
      send: (request) => {
        if (request.method === 'GET') asked.push(request.path);
        return transport.send(request);
      },
      stream: (request) => transport.stream(request),
    }),
  });
  const key = keyOf(refOf(template));
  live.plane.view.remove(key, live.plane.view.get(key)?.metadata.uid);
  expect(live.plane.view.get(key)).toBeUndefined();
  await until('the hub is asked', async () => asked.some((path) => path.endsWith('/configmaps/unseen')));
  await graceIsOver();
  expect(await live.placesOf(refOf(template))).toEqual(['member1', 'member2']);
  expect((await live.user.get(bindingRefOf(template))).metadata.deletionTimestamp).toBeUndefined();
});
