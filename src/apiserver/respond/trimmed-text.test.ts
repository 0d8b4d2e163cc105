import { expect, test } from 'vitest';
import { withoutFieldSets, withoutStatusList } from './trimmed-text.ts';

const lean = (object: object): unknown => JSON.parse(withoutFieldSets(Buffer.from(JSON.stringify(object))).toString());
const sets = { 'f:data': { '.': {}, 'f:"]}\\': {} }, 'f:metadata': { 'k:{"name":"a"}': {} } };
const wrote = (manager: string): object => ({ manager, operation: 'Update', fieldsType: 'FieldsV1', fieldsV1: sets });
const wroteLean = (manager: string): object => ({ manager, operation: 'Update', fieldsType: 'FieldsV1' });
const object = (more: object, rest: object = {}): object => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'a', annotations: { note: '{"managedFields":[{"fieldsV1":{}}], "x": "}' }, ...more },
  ...rest,
});
const embedded = { template: { metadata: { managedFields: [wrote('a')] } } };

test.each<[string, object, object]>([
  ['one writer', object({ managedFields: [wrote('a')] }), object({ managedFields: [wroteLean('a')] })],
  [
    'several, and more behind them',
    object({ managedFields: [wrote('a'), { ...wrote('b'), subresource: 'status' }], uid: 'u' }, { data: { k: 'ü' } }),
    object(
      { managedFields: [wroteLean('a'), { ...wroteLean('b'), subresource: 'status' }], uid: 'u' },
      { data: { k: 'ü' } },
    ),
  ],
  [
    'sets that stand first',
    object({ managedFields: [{ fieldsV1: sets, manager: 'a' }] }),
    object({ managedFields: [{ manager: 'a' }] }),
  ],
  ['sets alone', object({ managedFields: [{ fieldsV1: sets }] }), object({ managedFields: [{}] })],
  ['writers without sets', object({ managedFields: [wroteLean('a')] }), object({ managedFields: [wroteLean('a')] })],
  ['nobody', object({ managedFields: [] }), object({ managedFields: [] })],
  ['no record', object({}), object({})],
  ['what an object holds is its own matter', object({}, { spec: embedded }), object({}, { spec: embedded })],
  [
    'names that are like those of parts',
    object({ labels: { spec: '"spec":{' }, managedFields: [wrote('spec')] }, { spec: embedded }),
    object({ labels: { spec: '"spec":{' }, managedFields: [wroteLean('spec')] }, { spec: embedded }),
  ],
  [
    'also beside a record',
    object({ managedFields: [wrote('a')] }, { spec: embedded }),
    object({ managedFields: [wroteLean('a')] }, { spec: embedded }),
  ],
])('%s', (_name, given, expected) => {
  expect(lean(given)).toEqual(expected);
});

const unreported = (given: object): unknown =>
  JSON.parse(Buffer.concat(withoutStatusList(Buffer.from(JSON.stringify(given)), 'manifestStatuses')).toString());
const manifestStatuses = [{ identifier: { name: '"}]' }, status: { replicas: 2, list: [[]] }, health: 'Healthy' }];
const conditions = [{ type: 'Applied', status: 'True', message: '"status":{' }];
const lists = { manifestStatuses };

test.each<[string, object, object]>([
  ['at the end', { status: { conditions, manifestStatuses } }, { status: { conditions } }],
  ['at the beginning', { status: { manifestStatuses, conditions } }, { status: { conditions } }],
  ['in the middle', { status: { a: 1, manifestStatuses, conditions } }, { status: { a: 1, conditions } }],
  ['alone', { status: { manifestStatuses } }, { status: {} }],
  ['none', { status: { manifestStatuses: [] } }, { status: {} }],
  [
    'before other parts',
    { status: { conditions, manifestStatuses }, z: { y: {} } },
    { status: { conditions }, z: { y: {} } },
  ],
  ['no status', { spec: { lists } }, { spec: { lists } }],
  ['a status without', { status: { conditions } }, { status: { conditions } }],
  ['those of what an object holds', { spec: { status: lists } }, { spec: { status: lists } }],
  ['those beside a status', { status: {}, lists }, { status: {}, lists }],
  ['those deeper in a status', { status: { deep: lists } }, { status: { deep: lists } }],
  [
    'text',
    { status: { conditions, note: '"manifestStatuses":[' } },
    { status: { conditions, note: '"manifestStatuses":[' } },
  ],
])('reports of members: %s', (_name, given, expected) => {
  const head = { apiVersion: 'v1', kind: 'Work', metadata: { name: 'a' } };
  expect(unreported({ ...head, ...given })).toEqual({ ...head, ...expected });
});
