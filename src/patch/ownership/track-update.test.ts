import { describe, expect, test } from 'vitest';
import { builtinCatalog } from '../../api/index.ts';
import type { KindInfo, KubeObject } from '../../api/index.ts';
import { freeze } from '../../base/index.ts';
import { managerNameOf } from './manager-name.ts';
import { trackUpdate } from './track-update.ts';

const catalog = builtinCatalog();
const { definitions } = catalog;
const configMaps = catalog.byKind('v1', 'ConfigMap') as KindInfo;
const deployments = catalog.byKind('apps/v1', 'Deployment') as KindInfo;

interface ConfigMap extends KubeObject {
  readonly data?: Readonly<Record<string, string>>;
}

function configMap(data: Readonly<Record<string, string>>, metadata: object = {}): ConfigMap {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c', uid: 'u', ...metadata }, data };
}

function at(second: number): string {
  return `2026-01-01T00:00:${String(second).padStart(2, '0')}Z`;
}

/** Changes an object by a manager at a second; the result is frozen as it would be in a cache. */
function update(
  before: ConfigMap | undefined,
  after: ConfigMap,
  [manager, second]: readonly [string, number],
): ConfigMap {
  return freeze(trackUpdate({ before, after: freeze(after), manager, now: at(second), kind: configMaps, definitions }));
}

function entriesOf(object: KubeObject): readonly { manager: string; time?: string; fieldsV1: object }[] {
  return (object.metadata.managedFields ?? []) as { manager: string; time?: string; fieldsV1: object }[];
}

function owned(object: KubeObject): Record<string, unknown> {
  return Object.fromEntries(entriesOf(object).map(({ manager, fieldsV1 }) => [manager, fieldsV1]));
}

const created = update(undefined, configMap({ a: '1', b: '2' }), ['one', 1]);

describe('an update', () => {
  test('makes its manager the owner of what is new', () => {
    expect(created.metadata.managedFields).toEqual([
      {
        manager: 'one',
        operation: 'Update',
        apiVersion: 'v1',
        time: at(1),
        fieldsType: 'FieldsV1',
        fieldsV1: { 'f:data': { '.': {}, 'f:a': {}, 'f:b': {} } },
      },
    ]);
  });

  test('takes what it changes from others', () => {
    const changed = update(created, { ...created, data: { a: '9', b: '2', c: '3' } }, ['two', 2]);
    expect(owned(changed)).toEqual({
      one: { 'f:data': { '.': {}, 'f:b': {} } },
      two: { 'f:data': { 'f:a': {}, 'f:c': {} } },
    });
    expect(entriesOf(changed).map(({ time }) => time)).toEqual([at(1), at(2)]);
  });

  test('drops removed fields, and managers that owned nothing else', () => {
    const changed = update(created, { ...created, data: { a: '9', b: '9' } }, ['two', 2]);
    const { data: _, ...bare } = changed;
    expect(update(changed, bare, ['three', 3]).metadata.managedFields).toBeUndefined();
  });

  test('leaves an unchanged object as it is, also without its managedFields', () => {
    const sent = JSON.parse(JSON.stringify(created)) as ConfigMap;
    const tracked = update(created, sent, ['two', 2]);
    expect(tracked).toEqual(created);
    expect(tracked.metadata.managedFields).toBe(created.metadata.managedFields);
    const { managedFields: _, ...metadata } = created.metadata;
    expect(update(created, { ...created, metadata }, ['two', 2]).metadata.managedFields).toBe(
      created.metadata.managedFields,
    );
  });

  test('renews the time of an own field', () => {
    const changed = update(created, { ...created, data: { a: '9', b: '2' } }, ['one', 5]);
    expect(entriesOf(changed)).toEqual([{ ...entriesOf(created)[0], time: at(5) }]);
  });

  test('owns neither identity nor what the server sets', () => {
    const metadata = {
      namespace: 'n',
      generation: 2,
      creationTimestamp: at(0),
      resourceVersion: '7',
      labels: { a: 'b' },
    };
    const object = update(undefined, { ...configMap({}, metadata), data: { k: 'v' } }, ['one', 1]);
    expect(owned(object)).toEqual({
      one: { 'f:data': { '.': {}, 'f:k': {} }, 'f:metadata': { 'f:labels': { '.': {}, 'f:a': {} } } },
    });
  });
});

describe('managedFields that a client sends', () => {
  const entry = {
    manager: 'x',
    operation: 'Update',
    apiVersion: 'v1',
    fieldsType: 'FieldsV1',
    fieldsV1: { 'f:data': { 'f:a': {} } },
  };
  const send = (managedFields: readonly unknown[]) =>
    update(created, { ...created, metadata: { ...created.metadata, managedFields } }, ['two', 2]).metadata
      .managedFields;

  test.each([
    ['an empty list forgets all', [], undefined],
    ['an empty entry forgets all', [{}], undefined],
    ['entries replace', [entry], [entry]],
    [
      'keys are put in order',
      [{ ...entry, fieldsV1: { 'k:{"b":1, "a":2}': {} } }],
      [{ ...entry, fieldsV1: { 'k:{"a":2,"b":1}': {} } }],
    ],
    ['an unknown operation is not taken', [{ ...entry, operation: 'Steal' }], created.metadata.managedFields],
    ['an unknown format is not taken', [{ ...entry, fieldsType: 'FieldsV2' }], created.metadata.managedFields],
    ['nor one without a version', [{ ...entry, apiVersion: '' }], created.metadata.managedFields],
    ['nor a broken path', [{ ...entry, fieldsV1: { 'q:x': {} } }], created.metadata.managedFields],
    ['nor a broken set', [{ ...entry, fieldsV1: { 'f:x': 1 } }], created.metadata.managedFields],
  ])('%s', (_, sent, wanted) => {
    expect(send(sent)).toEqual(wanted);
  });

  test('by a subresource do not count', () => {
    const after = { ...created, metadata: { ...created.metadata, managedFields: [] } };
    const scope = { manager: 'two', now: at(2), kind: deployments, definitions, subresource: 'status' };
    expect(trackUpdate({ before: created, after, ...scope }).metadata.managedFields).toBe(
      created.metadata.managedFields,
    );
  });

  test('an object that was forgotten stays untracked', () => {
    const forgotten = update(created, configMap({ a: '1', b: '2' }, { managedFields: [] }), ['two', 2]);
    expect(update(forgotten, configMap({ z: '1' }), ['three', 3]).metadata.managedFields).toBeUndefined();
  });
});

describe('subresources', () => {
  const web = freeze({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'w', uid: 'u' },
    spec: { replicas: 1 },
    status: { replicas: 1 },
  });
  const scope = { kind: deployments, definitions, now: at(1) };
  const live: KubeObject & typeof web = freeze(
    trackUpdate({ before: undefined, after: web, manager: 'one', ...scope }),
  );

  test('the status is not owned by a request to the resource, nor the spec by one to the status', () => {
    expect(owned(live)).toEqual({ one: { 'f:spec': { 'f:replicas': {} } } });
    const after = { ...live, spec: { replicas: 5 }, status: { replicas: 2, readyReplicas: 1 } };
    const tracked = trackUpdate({ before: live, after, manager: 'one', ...scope, subresource: 'status' });
    expect(tracked.metadata.managedFields).toHaveLength(2);
    expect(tracked.metadata.managedFields?.[1]).toMatchObject({
      manager: 'one',
      subresource: 'status',
      fieldsV1: { 'f:status': { 'f:readyReplicas': {}, 'f:replicas': {} } },
    });
  });
});

test('beyond ten updaters the oldest become one, those of another version apart', () => {
  let live: ConfigMap = created;
  for (let i = 0; i < 12; i++) {
    live = update(live, { ...live, data: { ...live.data, [`k${i}`]: 'v' } }, [`m${i}`, i + 2]);
  }
  const entries = entriesOf(live);
  expect(entries).toHaveLength(10);
  expect(entries[0]).toMatchObject({
    manager: 'ancient-changes',
    time: at(4),
    fieldsV1: { 'f:data': { '.': {}, 'f:a': {}, 'f:b': {}, 'f:k0': {}, 'f:k1': {}, 'f:k2': {} } },
  });
  expect(entries.slice(1).map(({ manager }) => manager)).toEqual([
    'm3',
    'm4',
    'm5',
    'm6',
    'm7',
    'm8',
    'm9',
    'm10',
    'm11',
  ]);
});

test.each([
  ['mine', 'kubectl/v1.30 (linux)', 'mine'],
  ['', 'kubectl/v1.30 (linux)', 'kubectl'],
  ['', 'curl', 'curl'],
  ['', '', ''],
  ['', `a\u0000b\n${'x'.repeat(200)}`, `ab${'x'.repeat(126)}`],
])('the manager of %j with agent %j', (fieldManager, userAgent, wanted) => {
  expect(managerNameOf(fieldManager, userAgent)).toBe(wanted);
});
