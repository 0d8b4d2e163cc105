import { expect, test } from 'vitest';
import { builtinCatalog, keyOf, refOf } from '../api/index.ts';
import type { KubeObject } from '../api/index.ts';
import { createHub } from '../apiserver/index.ts';
import { freeze } from '../base/index.ts';
import { ApiClient, inProcess } from '../client/index.ts';
import { memoryStore } from '../store/index.ts';
import { HubCache } from './cache.ts';
import { withoutFields } from './managed-fields.ts';
import { performWrite } from './writer.ts';

const object = freeze({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'a', namespace: 'default' },
  data: { k: 'v' },
}) as KubeObject & { readonly data: object };

test('a cache keeps who wrote when, but not what, and what is written back leaves the record as it was', async () => {
  const hub = await createHub({ store: memoryStore() });
  const transport = inProcess((request) => hub.handle(request), { name: 'jane', groups: ['system:masters'] });
  const server = new ApiClient({ transport, resources: builtinCatalog, fieldManager: 'jane' });
  const cache = new HubCache({ indexKeysOf: () => [], keep: withoutFields });
  let told: KubeObject | undefined;
  cache.listen(({ after }) => (told = after));
  await performWrite({ verb: 'create', object }, () => ({ server, cache }));
  const kept = cache.get(keyOf(refOf(object))) as typeof object;
  const whole = await server.get(refOf(object));
  expect(whole.metadata.managedFields).toMatchObject([{ manager: 'jane', fieldsV1: { 'f:data': { 'f:k': {} } } }]);
  const [{ fieldsV1: _, ...entry }] = whole.metadata.managedFields as [{ fieldsV1: unknown }];
  expect(kept).toEqual({ ...whole, metadata: { ...whole.metadata, managedFields: [entry] } });
  expect([told === kept, Object.isFrozen(kept), Object.isFrozen(kept.metadata)]).toEqual([true, true, true]);

  const changed = { ...kept, data: { k: 'v', more: 'x' } };
  await performWrite({ verb: 'update', object: changed }, () => ({ server, cache }));
  expect((await server.get(refOf(object))).metadata.managedFields).toMatchObject([
    { manager: 'jane', fieldsV1: { 'f:data': { 'f:k': {}, 'f:more': {} } } },
  ]);
  await hub.close();
});
