/** The size of what is stored is bounded, however an object grows. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { attackedHub, define } from '../kit/attack.ts';
import type { AttackedHub } from '../kit/attack.ts';
import { thingsOf } from '../kit/objects.ts';

let attacked: AttackedHub;
const things = '/apis/large.example.com/v1/things';
const maps = '/api/v1/namespaces/default/configmaps';
beforeAll(async () => {
  attacked = await attackedHub();
  await define(attacked, thingsOf('large.example.com'));
});
afterAll(async () => {
  expect(attacked.faults).toEqual([]);
  await attacked.close();
});

const thing = (name: string, bytes: number): object => ({
  apiVersion: 'large.example.com/v1',
  kind: 'Thing',
  metadata: { name },
  spec: { a: 'x'.repeat(bytes) },
});
const refusal = { reason: 'RequestEntityTooLarge', message: 'etcdserver: request is too large', code: 413 };
const mega = 1_000_000;

test('a custom object of more than 1.5 MiB is refused with the words of etcd', async () => {
  expect((await attacked.send(`POST ${things}`, { body: thing('fits', 1.5 * mega) })).status).toBe(201);
  expect((await attacked.send(`POST ${things}`, { body: thing('large', 1.6 * mega) })).json).toMatchObject(refusal);
  expect((await attacked.send(`GET ${things}/large`)).status).toBe(404);
});

test.each(['application/merge-patch+json', 'application/json-patch+json', 'application/apply-patch+yaml'])(
  'patches of type %s make no object larger than that',
  async (type) => {
    const name = type.slice(12, 16);
    await attacked.send(`POST ${things}`, { body: thing(name, 10) });
    const patch = (i: number, value: string): unknown => {
      if (type.includes('json-patch')) return [{ op: 'add', path: `/spec/b${i}`, value }];
      return type.includes('apply')
        ? { ...thing(name, 10), spec: { [`b${i}`]: value } }
        : { spec: { [`b${i}`]: value } };
    };
    const answers = [];
    for (let i = 0; i < 5; i++) {
      const line = `PATCH ${things}/${name}?${type.includes('apply') ? `fieldManager=m${i}` : ''}`;
      answers.push((await attacked.send(line, { type, body: patch(i, 'x'.repeat(0.6 * mega)) })).status);
    }
    expect(answers).toEqual([200, 200, 413, 413, 413]);
    expect((await attacked.send(`GET ${things}/${name}`)).text.length).toBeLessThan(1.5 * 1024 * 1024);
  },
);

test('a copy in a JSON patch adds at most 3 MB, and the result has its bound', async () => {
  const type = 'application/json-patch+json';
  await attacked.send(`POST ${things}`, { body: thing('copied', 500_000) });
  const copies = Array.from({ length: 40 }, (_, i) => ({ op: 'copy', from: '/spec/a', path: `/spec/b${i}` }));
  expect((await attacked.send(`PATCH ${things}/copied`, { type, body: copies })).status).toBe(422);
  const answer = await attacked.send(`PATCH ${things}/copied`, { type, body: copies.slice(0, 4) });
  expect(answer.json).toMatchObject(refusal);
});

test('a ConfigMap with a megabyte of characters that JSON escapes is taken, as in Kubernetes', async () => {
  const data = { a: '"'.repeat(1024 * 1024 - 100) };
  const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'quotes' }, data };
  expect((await attacked.send(`POST ${maps}`, { body })).status).toBe(201);
});

test('an object that was stored larger may shrink and go', async () => {
  const key = '/registry/large.example.com/things/old';
  const [some] = attacked.store.list('/registry/large.example.com/').entries;
  expect(some?.key.startsWith('/registry/large.example.com/things/')).toBe(true);
  const value = { ...thing('old', 2 * mega), metadata: { name: 'old', uid: 'u', generation: 1, finalizers: ['a/b'] } };
  await attacked.store.write({
    verb: 'put',
    key,
    value: (revision) => ({ ...value, metadata: { ...value.metadata, resourceVersion: String(revision) } }),
  });
  const type = 'application/merge-patch+json';
  const grow = await attacked.send(`PATCH ${things}/old`, { type, body: { spec: { b: 'x'.repeat(mega / 2) } } });
  expect(grow.status).toBe(413);
  const shrink = await attacked.send(`PATCH ${things}/old`, { type, body: { spec: { a: 'x'.repeat(1.8 * mega) } } });
  expect(shrink.status).toBe(200);
  expect((await attacked.send(`DELETE ${things}/old`)).status).toBeLessThan(300);
  await attacked.send(`PATCH ${things}/old`, { type, body: { metadata: { finalizers: null } } });
  expect((await attacked.send(`GET ${things}/old`)).status).toBe(404);
});
