/** A kind of a user, and members that get its definition before, with or after its objects. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Binding, KubeObject } from '../../src/api/index.ts';
import { refOf } from '../../src/api/index.ts';
import { at, withAt } from '../../src/base/index.ts';
import { bindingRefOf } from '../../src/engine/index.ts';
import { openSystem } from '../cli/kit.ts';
import type { System } from '../cli/kit.ts';
import { policy } from '../kit/objects.ts';

let system: System;
beforeAll(async () => {
  system = await openSystem({ members: ['member1', 'member2'], watchful: true });
}, 60_000);
afterAll(() => system.close());

const apples: KubeObject = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'apples.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { kind: 'Apple', plural: 'apples', singular: 'apple' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
    ],
  },
} as KubeObject;
const apple = {
  apiVersion: 'example.com/v1',
  kind: 'Apple',
  metadata: { name: 'red', namespace: 'default' },
  spec: { size: 1 },
} as KubeObject;
const both = ['member1', 'member2'];

async function sizeIn(member: string): Promise<unknown> {
  const path = `/apis/example.com/v1/namespaces/default/apples/red`;
  const answer = await system
    .member(member)
    .raw({ method: 'GET', path })
    .catch(() => ({ body: undefined }));
  return at(answer.body, ['spec', 'size']);
}

async function write(method: 'POST' | 'PUT' | 'DELETE', object: KubeObject): Promise<void> {
  const name = method === 'POST' ? '' : `/${object.metadata.name}`;
  const path = `/apis/example.com/v1/namespaces/default/apples${name}`;
  const headers = { accept: 'application/json', 'content-type': 'application/json' };
  await system.user.raw({ method, path, headers, ...(method !== 'DELETE' && { body: object }) });
}

test('an object waits in members that lack its kind, and goes there as soon as they have it', async () => {
  await system.user.create(apples);
  await system.until('the hub serves it', async () =>
    system.user.raw({ method: 'GET', path: '/apis/example.com/v1/apples' }).then(
      () => true,
      () => false,
    ),
  );
  await system.user.create(policy('fruit', { to: both, select: [{ apiVersion: 'example.com/v1', kind: 'Apple' }] }));
  await write('POST', apple);
  const binding = async (): Promise<Binding | undefined> => system.user.find<Binding>(bindingRefOf(apple));
  await system.until('the binding says what is missing', async () => {
    const conditions = (await binding())?.status?.conditions ?? [];
    expect(conditions.map(({ type }) => type)).not.toContain('FullyApplied');
    return conditions.some(({ type, message }) => type === 'Scheduled' && message.includes('2 ApiMissing'));
  });
  const select = [
    { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', name: apples.metadata.name },
  ];
  await system.user.create(policy('definitions', { scope: 'cluster', to: both, select }));
  for (const member of both) await system.until(`${member} has it`, async () => (await sizeIn(member)) === 1);
  expect(await system.member('member1').find(refOf(apples))).toBeDefined();
  await system.until('the binding says that it is there', async () => {
    const { conditions = [] } = (await binding())?.status ?? {};
    return conditions.some(({ type, status }) => type === 'FullyApplied' && status === 'True');
  });
});

test('its edits reach the members, and so does its deletion', async () => {
  const { body } = await system.user.raw({ method: 'GET', path: '/apis/example.com/v1/namespaces/default/apples/red' });
  await write('PUT', withAt(body as KubeObject, ['spec', 'size'], 2));
  for (const member of both) await system.until(`${member} has it`, async () => (await sizeIn(member)) === 2);
  await write('DELETE', apple);
  for (const member of both)
    await system.until(`${member} has lost it`, async () => (await sizeIn(member)) === undefined);
});
