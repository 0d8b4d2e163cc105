import { expect, test } from 'vitest';
import type { CustomResourceDefinition, KubeObject } from '../../api/index.ts';
import { memoryStore } from '../../store/index.ts';
import type { HubResponse } from '../http.ts';
import { createHub } from '../hub.ts';
import type { Hub } from '../hub.ts';

const user = { name: 'test', groups: ['system:masters'] };
const path = '/apis/example.com/v1/things';

/** The definition of a thing whose spec, and the items of whose list, have these fields. */
function definition(...fields: readonly string[]): CustomResourceDefinition {
  const properties = Object.fromEntries(fields.map((field) => [field, { type: 'string' }]));
  const list = { type: 'array', items: { type: 'object', properties } };
  const spec = { type: 'object', properties: { ...properties, list } };
  const status = { type: 'object', properties: { phase: { type: 'string' } } };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'things.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Cluster',
      names: { plural: 'things', singular: 'thing', kind: 'Thing', listKind: 'ThingList' },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          subresources: { status: {} },
          schema: { openAPIV3Schema: { type: 'object', properties: { spec, status } } },
        },
      ],
    },
  } as unknown as CustomResourceDefinition;
}

type Ask = (method: string, path: string, object?: object, type?: string) => Promise<HubResponse>;

const asking =
  (hub: Hub): Ask =>
  (method, path, object, type) =>
    hub.handle({
      method,
      path,
      query: '',
      headers: type ? { 'content-type': type } : {},
      user,
      wantsObjects: true,
      ...(object && { object }),
    });

/** A thing that was stored by a release that knew more, and a hub that knows less. */
async function rolledBack(own: boolean): Promise<{ readonly ask: Ask; readonly close: () => Promise<void> }> {
  const store = memoryStore();
  const newer = await createHub({ store, definitions: [definition('size', 'future')] });
  const spec = { size: 's', future: 'f', list: [{ size: 's', future: 'f' }] };
  await asking(newer)('POST', path, { apiVersion: 'example.com/v1', kind: 'Thing', metadata: { name: 'a' }, spec });
  await newer.close();
  const hub = await createHub({ store, definitions: own ? [definition('size')] : [] });
  const ask = asking(hub);
  if (!own) {
    const name = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/things.example.com';
    const { object } = await ask('GET', name);
    await ask('PUT', name, { ...definition('size'), metadata: (object as KubeObject).metadata });
  }
  const close = async (): Promise<void> => {
    await hub.close();
    await store.close();
  };
  return { ask, close };
}

type Thing = KubeObject & { readonly spec: object; readonly status?: object };
const thing = async (ask: Ask): Promise<Thing> => (await ask('GET', `${path}/a`)).object as Thing;

test('fields that a newer release has stored survive every write', async () => {
  const { ask, close } = await rolledBack(true);
  const before = await thing(ask);
  await ask('PUT', `${path}/a`, { ...before, spec: { size: 'm', list: [{ size: 'm' }], new: 'no' } });
  const kept = { future: 'f', list: [{ size: 'm', future: 'f' }] };
  expect((await thing(ask)).spec).toEqual({ size: 'm', ...kept });

  await ask('PATCH', `${path}/a`, { spec: { size: 'l' } }, 'application/merge-patch+json');
  expect((await thing(ask)).spec).toEqual({ size: 'l', ...kept });

  await ask('PUT', `${path}/a/status`, { ...(await thing(ask)), spec: {}, status: { phase: 'up' } });
  const { spec, status, metadata } = await thing(ask);
  expect({ spec, status }).toEqual({ spec: { size: 'l', ...kept }, status: { phase: 'up' } });

  const { object } = await ask('PUT', `${path}/a`, { ...before, metadata, spec: { size: 'l', list: [{ size: 'm' }] } });
  expect((object as KubeObject).metadata.resourceVersion).toBe(metadata.resourceVersion);
  await close();
});

test('a kind that a user has defined loses what its definition does not name, as everywhere', async () => {
  const { ask, close } = await rolledBack(false);
  await ask('PATCH', `${path}/a`, { spec: { size: 'l' } }, 'application/merge-patch+json');
  expect((await thing(ask)).spec).toEqual({ size: 'l', list: [{ size: 's' }] });
  await close();
});
