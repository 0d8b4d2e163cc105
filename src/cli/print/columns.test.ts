import { expect, test } from 'vitest';
import { cellOf, columnsOf, pathTemplate, sortedBy } from './columns.ts';

const object = { metadata: { name: 'a' }, spec: { replicas: 3, containers: [{ image: 'x' }, { image: 'y' }] } };

test('columns show what their paths find', () => {
  const columns = columnsOf('custom-columns=NAME:.metadata.name,IMAGES:{.spec.containers[*].image},NOT:.status.x');
  expect(columns.map(({ head }) => head)).toEqual(['NAME', 'IMAGES', 'NOT']);
  expect(columns.map((column) => cellOf(column, object))).toEqual(['a', 'x y', '<none>']);
});

test.each([
  'custom-columns=',
  'custom-columns=NAME',
  'custom-columns=:.a',
  'custom-columns=A:',
  'custom-columns=A:{.b',
])('%s is refused', (text) => expect(() => columnsOf(text)).toThrow());

test.each([
  ['.n', ['9', '10', '100']],
  ['{.n}', ['9', '10', '100']],
  ['name', ['100', '10', '9']],
])('sorting by %s gives %j', (path, names) => {
  const items = [
    { n: 100, name: 'a' },
    { n: 9, name: 'c' },
    { n: 10, name: 'b' },
  ];
  expect(sortedBy(items, pathTemplate(path), (item) => item).map(({ n }) => String(n))).toEqual(names);
});
