import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { builtinCatalog, crds } from '../../src/api/index.ts';
import { kindsOf } from '../../src/schema/crd/index.ts';
import type { CallWords, House } from './kit.ts';
import { leaks, openTenants, outsiders } from './tenants.ts';

interface Kind {
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  readonly kind: string;
  readonly namespaced: boolean;
}

const kinds: readonly Kind[] = [...builtinCatalog().kinds, ...crds().flatMap(kindsOf)];
const namespaced = kinds.filter((kind) => kind.namespaced);
/** Reviews of oneself are for everybody. */
const global = kinds.filter(({ namespaced: is, plural }) => !is && !plural.startsWith('selfsubject'));

const rootOf = ({ group, version }: Kind): string => (group ? `/apis/${group}/${version}` : `/api/${version}`);

const bodyOf = ({ group, version, kind }: Kind, namespace: string): object => ({
  apiVersion: group ? `${group}/${version}` : version,
  kind,
  metadata: { name: 'own', namespace },
});

type Verb = readonly [name: string, method: string, tail: string, type?: string];

const verbs: readonly Verb[] = [
  ['get', 'GET', '/own'],
  ['list', 'GET', ''],
  ['watch', 'GET', '?watch=true&timeoutSeconds=1'],
  ['list by name', 'GET', '?fieldSelector=metadata.name%3Down'],
  ['create', 'POST', ''],
  ['create as a dry run', 'POST', '?dryRun=All'],
  ['update', 'PUT', '/own'],
  ['merge patch', 'PATCH', '/own', 'application/merge-patch+json'],
  ['JSON patch', 'PATCH', '/own', 'application/json-patch+json'],
  ['strategic patch', 'PATCH', '/own', 'application/strategic-merge-patch+json'],
  ['apply', 'PATCH', '/own?fieldManager=x&force=true', 'application/apply-patch+yaml'],
  ['apply that creates', 'PATCH', '/new?fieldManager=x&force=true', 'application/apply-patch+yaml'],
  ['delete', 'DELETE', '/own'],
  ['deletecollection', 'DELETE', ''],
  ['status', 'GET', '/own/status'],
  ['write of the status', 'PUT', '/own/status'],
  ['scale', 'GET', '/own/scale'],
];

/** Ways to say `blue` that a guard might not recognise. */
const spellings: readonly (readonly [name: string, path: (root: string, plural: string) => string])[] = [
  ['as it is', (root, plural) => `${root}/namespaces/blue/${plural}`],
  ['percent-encoded', (root, plural) => `${root}/namespaces/%62lue/${plural}`],
  ['with encoded dots', (root, plural) => `${root}/namespaces/red%2f..%2fblue/${plural}`],
  ['with dots', (root, plural) => `${root}/namespaces/red/../blue/${plural}`],
  ['with a double slash', (root, plural) => `${root}/namespaces//blue/${plural}`],
  ['in the old watch form', (root, plural) => `${root}/watch/namespaces/blue/${plural}`],
  ['as all namespaces', (root, plural) => `${root}/${plural}`],
  ['in capitals', (root, plural) => `${root}/namespaces/BLUE/${plural}`],
  [
    'with an encoded resource',
    (root, plural) => `${root}/namespaces/blue/%${plural.charCodeAt(0).toString(16)}${plural.slice(1)}`,
  ],
];

let house: House;
beforeAll(async () => {
  house = await openTenants();
});
afterAll(() => house.close());

async function attempt(user: string, line: string, words: CallWords): Promise<string | undefined> {
  const before = house.store.revision;
  const { status, body } = await house.as(user, line, words);
  const said = `${user || 'nobody'}: ${line} → ${status} ${body.slice(0, 200)}`;
  if (status >= 500) return `5xx: ${said}`;
  if (house.store.revision !== before) return `wrote: ${said}`;
  if (leaks(body)) return `leaked: ${said}`;
  return status < 400 ? `allowed: ${said}` : undefined;
}

describe.each(outsiders)('%s', (user) => {
  test.each(spellings)('cannot do anything to any kind in blue, spelled %s', async (_, pathOf) => {
    const found: string[] = [];
    for (const kind of namespaced)
      for (const [, method, tail, type = 'application/json'] of verbs) {
        const body = type.includes('json-patch')
          ? [{ op: 'add', path: '/metadata/labels', value: {} }]
          : bodyOf(kind, 'blue');
        const object = method === 'GET' || method === 'DELETE' ? {} : { object: body };
        const line = `${method} ${pathOf(rootOf(kind), kind.plural)}${tail}`;
        const fault = await attempt(user, line, { ...object, headers: { 'content-type': type } });
        if (fault) found.push(fault);
      }
    expect(found).toEqual([]);
  });

  test('cannot write anything that belongs to the whole cluster', async () => {
    const found: string[] = [];
    for (const kind of global)
      for (const [, method, tail, type = 'application/json'] of verbs.filter(([, method]) => method !== 'GET')) {
        const body = type.includes('json-patch')
          ? [{ op: 'add', path: '/metadata/labels', value: {} }]
          : bodyOf(kind, '');
        const line = `${method} ${rootOf(kind)}/${kind.plural}${tail}`;
        const fault = await attempt(user, line, {
          ...(method !== 'DELETE' && { object: body }),
          headers: { 'content-type': type },
        });
        if (fault) found.push(fault);
      }
    expect(found).toEqual([]);
  });

  test('cannot put an object of red into blue by its body', async () => {
    const found: string[] = [];
    for (const kind of namespaced) {
      const line = `POST ${rootOf(kind)}/namespaces/red/${kind.plural}`;
      const fault = await attempt(user, line, { object: bodyOf(kind, 'blue') });
      if (fault) found.push(fault);
    }
    expect(found).toEqual([]);
  });
});

test('the owner of blue reads what the other tenants may not: the matrix sees a leak when there is one', async () => {
  const found = await attempt('bob', 'GET /api/v1/namespaces/blue/configmaps/own', {});
  expect(found).toContain('leaked: bob');
  expect((await house.as('bob', 'GET /api/v1/namespaces/%62lue/secrets')).status).toBe(200);
});

test('no attempt was a surprise to the hub', () => expect(house.faults).toEqual([]));
