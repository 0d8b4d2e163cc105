import { expect, test } from 'vitest';
import type { KindSupport, KubeObject } from '../../api/index.ts';
import { defaultGates } from '../../api/index.ts';
import { unsupportedBy } from './support.ts';

const row = (note: string) => ({ support: 'notYet', note }) as const;
const table: KindSupport = {
  group: 'example.dev/v1',
  kinds: ['Thing'],
  support: 'works',
  note: '',
  fields: {
    'spec.colour': row('it stays grey'),
    'spec.wheels[].spare[]': row('no wheel is changed'),
    'spec.mode=Fast': row('it goes slowly'),
    'spec.size': { support: 'works', note: '' },
    'spec.filled': { ...row('the hub fills it in'), isFilledIn: true },
  },
};
const thing = (spec: object): KubeObject =>
  ({ apiVersion: 'example.dev/v1', kind: 'Thing', metadata: { name: 'a' }, spec }) as KubeObject;

test.each<[string, object, readonly string[]]>([
  ['a field that acts', { size: 3 }, []],
  ['a field on which nothing acts', { colour: 'red' }, ['not supported yet: spec.colour: it stays grey']],
  ['a field that is null', { colour: null }, []],
  [
    'a field in a list',
    { wheels: [{}, { spare: [{}] }] },
    ['not supported yet: spec.wheels[].spare[]: no wheel is changed'],
  ],
  ['a list without the field', { wheels: [{}] }, []],
  ['a value on which nothing acts', { mode: 'Fast' }, ['not supported yet: spec.mode=Fast: it goes slowly']],
  ['another value', { mode: 'Slow' }, []],
  ['a field that the hub fills in', { filled: true }, []],
])('%s', (_, spec, messages) => {
  expect(unsupportedBy(table, thing(spec), defaultGates).map(({ message }) => message)).toEqual(messages);
});

test('a kind on which nothing acts gets one warning, whatever its fields', () => {
  const idle: KindSupport = { ...table, ...row('nothing happens') };
  expect(unsupportedBy(idle, thing({ colour: 'red' }), defaultGates).map(({ message }) => message)).toEqual([
    'not supported yet: Thing: nothing happens',
  ]);
});
