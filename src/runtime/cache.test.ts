import { describe, expect, it } from 'vitest';
import { keyOf, refOf } from '../api/index.ts';
import type { KubeObject } from '../api/index.ts';
import { freeze } from '../base/index.ts';
import type { ReflectedChange } from '../client/index.ts';
import { HubCache } from './cache.ts';
import type { CacheChange } from './cache.ts';
import { ManualClock } from './clock.ts';
import { MemberCaches } from './members.ts';

interface Shape {
  readonly rv?: number | string;
  readonly uid?: string;
  readonly labels?: Record<string, string>;
  readonly namespace?: string;
}

function configMap(name: string, { rv = 1, uid = `uid-${name}`, labels, namespace = 'ns' }: Shape = {}): KubeObject {
  const metadata = { name, namespace, uid, resourceVersion: String(rv), ...(labels && { labels }) };
  return freeze({ apiVersion: 'v1', kind: 'ConfigMap', metadata });
}

const key = (name: string): string => `v1|ConfigMap|ns|${name}`;

function shown(object: KubeObject, more: Partial<ReflectedChange> = {}): ReflectedChange {
  const revision = object.metadata.resourceVersion ?? '';
  return { key: keyOf(refOf(object)), after: object, revision, origin: 'watch', ...more };
}

function gone(name: string, revision: number, more: Partial<ReflectedChange> = {}): ReflectedChange {
  return { key: key(name), after: undefined, revision: String(revision), origin: 'watch', ...more };
}

function cacheOf(): { cache: HubCache; changes: CacheChange[]; clock: ManualClock } {
  const clock = new ManualClock();
  const indexKeysOf = (object: KubeObject): readonly string[] =>
    Object.entries(object.metadata.labels ?? {}).map(([name, value]) => `label|${name}=${value}`);
  const cache = new HubCache({ indexKeysOf, clock });
  const changes: CacheChange[] = [];
  cache.listen((change) => changes.push(change));
  return { cache, changes, clock };
}

const under = (cache: HubCache, indexKey: string): string[] => {
  const names: string[] = [];
  cache.each(indexKey, (object) => names.push(object.metadata.name));
  return names;
};

describe('read your writes', () => {
  it('shows the answer to a write at once, and ignores the event of that write', () => {
    const { cache, changes } = cacheOf();
    const written = configMap('a', { rv: 7 });
    cache.put(written);
    cache.apply([shown(configMap('a', { rv: 7 }))]);
    expect(cache.get(key('a'))).toBe(written);
    expect(changes.map(({ origin }) => origin)).toEqual(['write']);
  });

  it.each([
    ['an older event', '9', '10', '10'],
    ['an event with fewer digits', '99', '100', '100'],
    ['a newer event', '11', '10', '11'],
    ['revisions beyond the exact numbers', '9007199254740993', '9007199254740992', '9007199254740993'],
    ['a revision that does not count', 'etag-x', '10', 'etag-x'],
  ])('%s against a write', (_case, event, written, expected) => {
    const { cache } = cacheOf();
    cache.put(configMap('a', { rv: written }));
    cache.apply([shown(configMap('a', { rv: event }))]);
    expect(cache.get(key('a'))?.metadata.resourceVersion).toBe(expected);
  });

  it('does not let the late answer to a write bring back what was deleted after it', () => {
    const { cache } = cacheOf();
    cache.apply([shown(configMap('a', { rv: 5 })), gone('a', 6)]);
    cache.put(configMap('a', { rv: 5 }));
    expect(cache.get(key('a'))).toBeUndefined();
  });

  it('does not let late events bring back what we have deleted, at whatever revision', () => {
    const { cache } = cacheOf();
    cache.put(configMap('a', { rv: 5 }));
    cache.remove(key('a'), 'uid-a');
    cache.apply([shown(configMap('a', { rv: 8 }))]);
    expect(cache.get(key('a'))).toBeUndefined();
    cache.apply([gone('a', 9), shown(configMap('a', { rv: 12, uid: 'another' }))]);
    expect(cache.get(key('a'))?.metadata.uid).toBe('another');
  });

  it('does not take the deletion of an earlier object for that of its successor', () => {
    const { cache } = cacheOf();
    cache.put(configMap('a', { rv: 10, uid: 'second' }));
    cache.apply([gone('a', 8)]);
    cache.remove(key('a'), 'first');
    expect(cache.get(key('a'))?.metadata.uid).toBe('second');
  });

  it('lets an object that left a selection come back at a newer revision', () => {
    const { cache } = cacheOf();
    cache.apply([shown(configMap('a', { rv: 5 })), gone('a', 6), shown(configMap('a', { rv: 7 }))]);
    expect(cache.get(key('a'))?.metadata.resourceVersion).toBe('7');
  });

  it('follows a server whose revisions started over', () => {
    const { cache } = cacheOf();
    cache.apply([shown(configMap('a', { rv: 500 })), shown(configMap('b', { rv: 501 }))]);
    cache.apply([
      shown(configMap('a', { rv: 3, uid: 'x' }), { rewound: true, origin: 'list' }),
      gone('b', 4, { rewound: true, origin: 'list' }),
    ]);
    expect(cache.get(key('a'))?.metadata.resourceVersion).toBe('3');
    cache.apply([shown(configMap('b', { rv: 5, uid: 'y' }))]);
    expect(cache.get(key('b'))?.metadata.uid).toBe('y');
  });
});

describe('the index', () => {
  it('finds objects under their indexKeys as these change', () => {
    const { cache } = cacheOf();
    cache.put(configMap('a', { rv: 1, labels: { app: 'x' } }));
    cache.put(configMap('b', { rv: 2, labels: { app: 'x' } }));
    expect(under(cache, 'label|app=x')).toEqual(['a', 'b']);
    cache.put(configMap('a', { rv: 3, labels: { app: 'y' } }));
    expect([under(cache, 'label|app=x'), under(cache, 'label|app=y')]).toEqual([['b'], ['a']]);
    cache.apply([gone('b', 4)]);
    expect(cache.has('label|app=x')).toBe(false);
  });

  it('knows the namespaces of a kind by prefix, and forgets those that emptied', () => {
    const { cache } = cacheOf();
    for (const namespace of ['team-a', 'team-b', 'other']) cache.put(configMap('a', { namespace }));
    cache.put(configMap('b', { rv: 2, namespace: 'team-a' }));
    const found = (prefix: string): string[] => {
      const namespaces: string[] = [];
      cache.namespaces('v1|ConfigMap', prefix, (namespace) => namespaces.push(namespace));
      return namespaces;
    };
    expect(found('team-')).toEqual(['team-a', 'team-b']);
    expect(found('')).toEqual(['team-a', 'team-b', 'other']);
    cache.remove('v1|ConfigMap|team-a|a');
    expect(found('team-')).toEqual(['team-a', 'team-b']);
    cache.remove('v1|ConfigMap|team-a|b');
    expect(found('team-')).toEqual(['team-b']);
  });

  it('shows the same array of clusters as long as none changes', () => {
    const { cache } = cacheOf();
    const cluster = (name: string, rv: number): KubeObject =>
      freeze({
        apiVersion: 'cluster.karmada.io/v1alpha1',
        kind: 'Cluster',
        metadata: { name, resourceVersion: `${rv}` },
      });
    cache.put(cluster('m2', 1));
    cache.put(cluster('m1', 2));
    const first = cache.clusters;
    cache.put(configMap('a'));
    expect(cache.clusters).toBe(first);
    expect(first.map(({ metadata }) => metadata.name)).toEqual(['m1', 'm2']);
    cache.put(cluster('m1', 5));
    expect(cache.clusters).not.toBe(first);
  });
});

describe('the cache', () => {
  it('reports changes with both states and their origin', () => {
    const { cache, changes } = cacheOf();
    const one = configMap('a', { rv: 1 });
    const two = configMap('a', { rv: 2 });
    cache.apply([shown(one, { origin: 'list' }), shown(two), gone('a', 3)]);
    expect(changes).toEqual([
      { key: key('a'), before: undefined, after: one, origin: 'list' },
      { key: key('a'), before: one, after: two, origin: 'watch' },
      { key: key('a'), before: two, after: undefined, origin: 'watch' },
    ]);
  });

  it('calls the other listeners when one fails', () => {
    const clock = new ManualClock();
    const cache = new HubCache({ indexKeysOf: () => [], clock });
    const heard: string[] = [];
    cache.listen(() => {
      throw new Error('no');
    });
    const stop = cache.listen((change) => heard.push(change.key));
    cache.put(configMap('a'));
    stop();
    cache.put(configMap('b'));
    expect(heard).toEqual([key('a')]);
  });

  it('reads the time from its clock', () => {
    const { cache, clock } = cacheOf();
    clock.advance(61_500);
    expect(cache.now).toBe('2026-01-01T00:01:01Z');
  });
});

describe('members', () => {
  const kind = { apiVersion: 'v1', kind: 'ConfigMap' };

  it('does not know before it has seen everything, nor while the member does not answer', () => {
    const members = new MemberCaches({ clock: new ManualClock() });
    const cache = new HubCache({ indexKeysOf: () => [], member: members.get });
    expect(cache.member('m1', key('a'))).toBe('unknown');
    const m1 = members.of('m1');
    expect(cache.member('m1', key('a'))).toBe('unknown');
    m1.put(configMap('a'));
    m1.markSynced(kind);
    expect(cache.member('m1', key('a'))).toMatchObject({ metadata: { name: 'a' } });
    expect(cache.member('m1', key('b'))).toBe('absent');
    expect(cache.member('m1', 'apps/v1|Deployment|ns|b')).toBe('unknown');
    m1.reachable = false;
    expect(cache.member('m1', key('a'))).toBe('unknown');
    m1.reachable = true;
    m1.markUnsynced(kind);
    expect(cache.member('m1', key('b'))).toBe('unknown');
    members.forget('m1');
    expect(cache.member('m1', key('a'))).toBe('unknown');
  });

  it('knows that an object is absent after a GET found nothing, until all of the kind are known', () => {
    const m1 = new MemberCaches({ clock: new ManualClock() }).of('m1');
    m1.noteAbsent(key('a'));
    m1.noteAbsent(key('b'));
    expect([m1.get(key('a')), m1.get(key('c'))]).toEqual(['absent', 'unknown']);
    m1.put(configMap('a'));
    expect(m1.get(key('a'))).toMatchObject({ metadata: { name: 'a' } });
    m1.reachable = false;
    expect(m1.get(key('b'))).toBe('unknown');
    m1.reachable = true;
    m1.markSynced(kind);
    m1.markUnsynced(kind);
    expect(m1.get(key('b'))).toBe('unknown');
  });

  it('reports changes with the member in which they happened', () => {
    const members = new MemberCaches({ clock: new ManualClock() });
    const changes: CacheChange[] = [];
    members.listen((change) => changes.push(change));
    const m1 = members.of('m1');
    m1.apply([shown(configMap('a', { rv: 1 }))]);
    m1.put(configMap('a', { rv: 2 }));
    m1.apply([shown(configMap('a', { rv: 2 }))]);
    m1.remove(key('a'), 'uid-a');
    m1.apply([gone('a', 3)]);
    expect(changes.map(({ at, origin, after }) => [at, origin, after?.metadata.resourceVersion])).toEqual([
      ['m1', 'watch', '1'],
      ['m1', 'write', '2'],
      ['m1', 'write', undefined],
    ]);
  });
});
