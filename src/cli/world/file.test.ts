import { expect, test } from 'vitest';
import { defaultGates, keyOf, refOf } from '../../api/index.ts';
import type { KubeObject } from '../../api/index.ts';
import { modelStage } from '../../../test/kit/model.ts';
import { configMap, configMaps, policy } from '../../../test/kit/objects.ts';
import { parseSnapshot, snapshotText } from './file.ts';
import { placedObjects } from './placed-objects.ts';
import { program } from '../commands/version.ts';
import type { Snapshot } from './state.ts';

/** The state of a hub with one ConfigMap in one member, after some last words that nobody has acted on yet. */
async function snapshotAfter(...words: readonly KubeObject[]): Promise<Snapshot> {
  const stage = await modelStage({});
  for (const object of [policy('pp', { to: 'member1', select: [configMaps()] }), configMap('a')])
    stage.applyNow(object);
  await stage.settle();
  for (const object of words) stage.applyNow(object);
  const objects = [...stage.world.entries()].filter(([key]) => !key.startsWith('@')).map(([, object]) => object);
  const { placed } = await placedObjects(objects, { list: async () => undefined, reported: async () => new Set() });
  return {
    apiVersion: 'sluice.dev/v1',
    kind: 'Snapshot',
    writtenBy: program(),
    taken: stage.world.now,
    namespace: 'default',
    gates: defaultGates,
    kinds: [],
    objects,
    members: placed,
    settled: false,
    hidden: [],
  };
}

const written = async (...words: readonly KubeObject[]): Promise<string> => snapshotText(await snapshotAfter(...words));

test('objects in members that follow from Works are not written, and are restored', async () => {
  const snapshot = await snapshotAfter();
  expect(snapshot.members).toHaveLength(1);
  const text = snapshotText(snapshot);
  expect((JSON.parse(text) as Snapshot).members).toEqual([]);
  const again = parseSnapshot(text, 'file');
  expect(again.members).toEqual(JSON.parse(JSON.stringify(snapshot.members)));
});

test('a settled hub is recognized, and one with something left to do is not', async () => {
  expect(parseSnapshot(await written(), 'file').settled).toBe(true);
  expect(parseSnapshot(await written(configMap('b')), 'file').settled).toBe(false);
});

test('the answer of another version about settling is not trusted', async () => {
  const text = (await written()).replace(program(), 'sluice 0.0.1');
  expect(parseSnapshot(text, 'file').settled).toBe(false);
});

test('managed fields keep only the names of appliers', async () => {
  const snapshot = await snapshotAfter();
  const managedFields = [
    { manager: 'argocd', operation: 'Apply', fieldsV1: { 'f:data': {} } },
    { manager: 'kubectl', operation: 'Update', fieldsV1: {} },
  ];
  const objects = snapshot.objects.map((object) => ({ ...object, metadata: { ...object.metadata, managedFields } }));
  const again = parseSnapshot(snapshotText({ ...snapshot, objects }), 'file');
  const found = again.objects.find((object) => keyOf(refOf(object)) === keyOf(refOf(configMap('a'))));
  expect(found?.metadata.managedFields).toEqual([{ manager: 'argocd', operation: 'Apply' }]);
});

test.each(['', '{}', '[]', '{"kind":"Snapshot"}'])('no snapshot: %j', (text) => {
  expect(() => parseSnapshot(text, 'file')).toThrow('file is not a snapshot: make one with `sluice snapshot > file`');
});
