/** Replays what a real kube-apiserver made of objects and definitions; tools/record-schemas.ts says how it was recorded. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createHub } from '../../src/apiserver/index.ts';
import type { Hub } from '../../src/apiserver/index.ts';
import { memoryStore } from '../../src/store/index.ts';
import type { Store } from '../../src/store/index.ts';
import { definitionCases, objectCases, trials } from './cases.ts';
import { judge } from './judge.ts';
import type { Call, Verdict } from './judge.ts';

const recording = JSON.parse(readFileSync(new URL('../golden/schemas/kube-1.34.json', import.meta.url), 'utf8')) as {
  readonly version: string;
  readonly verdicts: readonly Verdict[];
};

let store: Store;
let hub: Hub;
const ours = new Map<string, Verdict>();

const call: Call = async (method, url, body) => {
  const [path = '', query = ''] = url.split('?');
  const response = await hub.handle({
    method,
    path,
    query,
    headers: { 'content-type': 'application/json' },
    ...(body !== undefined && { body: Buffer.from(JSON.stringify(body)) }),
  });
  const { warning = [] } = response.headers;
  const text = response.body?.toString() ?? '{}';
  return {
    code: response.status,
    body: JSON.parse(text) as Record<string, unknown>,
    warnings: typeof warning === 'string' ? [warning] : warning,
  };
};

beforeAll(async () => {
  store = memoryStore();
  hub = await createHub({ store, definitions: [trials] });
  for (const verdict of await judge(call, objectCases, definitionCases)) ours.set(verdict.name, verdict);
});

afterAll(async () => {
  await hub.close();
  await store.close();
});

/**
 * Where we say it otherwise on purpose: the real server blames fields of a form of the definition that nobody wrote,
 * prints rules as Go keeps them, and tells of regular expressions in the words of Go.
 */
function inOurWords({ causes, ...verdict }: Verdict): Verdict {
  if (!causes) return verdict;
  const said = causes
    .map((cause) =>
      cause
        .replaceAll('spec.validation.openAPIV3Schema', 'spec.versions[0].schema.openAPIV3Schema')
        .replace(/^spec\.(subresources|selectableFields)/, 'spec.versions[0].$1')
        .replace(/Invalid value: \{"[Rr]ule".*?\}: /, 'Invalid value: RULE: ')
        .replace(/(must be a valid regular expression, but isn't): .*$/, '$1'),
    )
    .filter((cause) => !cause.startsWith('spec.version:'));
  return { ...verdict, causes: said.sort() };
}

/** Metadata of an embedded object that cannot be read is no bad request here, but invalid. */
const otherwise: ReadonlySet<string> = new Set(['embedded: {"apiVersion":1,"kind":"Pod"}']);
const compared = recording.verdicts.filter(({ name }) => !otherwise.has(name.replace(/ \(\w+\)$/, '')));

describe(`as kube-apiserver ${recording.version}`, () => {
  it('has a verdict on every case', () => {
    expect(recording.verdicts.map(({ name }) => name)).toEqual([...ours.keys()]);
  });

  it.each(compared.map((verdict) => [verdict.name, verdict] as const))('%s', (name, theirs) => {
    expect(inOurWords(ours.get(name)!)).toEqual(inOurWords(theirs));
  });
});
