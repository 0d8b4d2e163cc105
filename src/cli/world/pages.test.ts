import { expect, test } from 'vitest';
import type { ApiClient, ResourceInfo, WireRequest } from '../../client/index.ts';
import { ownPages, tokenIn } from './pages.ts';

const kind: ResourceInfo = {
  group: '',
  version: 'v1',
  kind: 'ConfigMap',
  plural: 'configmaps',
  namespaced: true,
  verbs: ['list'],
};
const list = (token: string, ...names: readonly string[]): string =>
  JSON.stringify({
    kind: 'ConfigMapList',
    apiVersion: 'v1',
    metadata: { resourceVersion: '7', ...(token && { continue: token }) },
    items: names.map((name) => ({ metadata: { name } })),
  });
const pages: Readonly<Record<string, string>> = {
  '': list('one', 'a'),
  one: list('two', 'b'),
  two: list('', 'c'),
};

/** A server that notes what it is asked for, and when an answer was read. */
function serverOf(steps: string[], tellsText: boolean): ApiClient {
  const raw = async ({ query = '', onText }: Partial<WireRequest>): Promise<unknown> => {
    const token = /continue=(\w+)/.exec(query)?.[1] ?? '';
    steps.push(`asked ${token}`);
    await Promise.resolve();
    const text = pages[token] ?? '';
    if (tellsText) onText?.(text);
    steps.push(`read ${token}`);
    return { status: 200, headers: {}, body: JSON.parse(text) };
  };
  return { raw } as unknown as ApiClient;
}

test.each([
  [true, ['asked ', 'asked one', 'read ', 'asked two', 'read one', 'read two']],
  [false, ['asked ', 'read ', 'asked one', 'read one', 'asked two', 'read two']],
])('the next page is asked for before this one is read, where the text is told: %s', async (tellsText, expected) => {
  const steps: string[] = [];
  const found = await ownPages(serverOf(steps, tellsText), kind);
  expect(found.map(({ kind: of, metadata }) => `${of} ${metadata.name}`)).toEqual([
    'ConfigMap a',
    'ConfigMap b',
    'ConfigMap c',
  ]);
  expect(steps).toEqual(expected);
});

test.each([
  ['Work', undefined, 'fieldsV1'],
  ['Work', true, 'fieldsV1'],
  ['Work', false, 'fieldsV1, status.manifestStatuses'],
  ['ConfigMap', false, 'fieldsV1'],
])('fields that the hub may leave out: %s, reports %s', async (name, reports, expected) => {
  const asked: unknown[] = [];
  const raw = async ({ headers }: Partial<WireRequest>): Promise<unknown> => {
    asked.push(headers?.['x-sluice-without']);
    return { status: 200, headers: {}, body: JSON.parse(list('', 'a')) };
  };
  const options = reports === undefined ? {} : { reports };
  await ownPages({ raw } as unknown as ApiClient, { ...kind, kind: name }, options);
  expect(asked).toEqual([expected]);
});

test.each([
  ['a list', list('bmV4dA', 'a'), 'bmV4dA'],
  ['a list that ends here', list('', 'a'), ''],
  ['an object that speaks of it', JSON.stringify({ metadata: {}, items: [{ continue: 'no' }] }), ''],
  ['what is no list', JSON.stringify({ kind: 'Status', metadata: { continue: 'again' }, code: 410 }), ''],
  ['a list with its items first', JSON.stringify({ items: [], metadata: { continue: 'late' } }), ''],
])('where it goes on: %s', (_name, text, expected) => {
  expect(tokenIn(text)).toBe(expected);
});
