import { describe, expect, it } from 'vitest';
import { named, testbed } from '../../../test/kit/auth/objects.ts';
import type { ObjectChange } from '../../api/index.ts';
import type { Store, Watcher } from '../../store/index.ts';
import { storeObjects } from './store-objects.ts';
import type { KeyLayout } from './store-objects.ts';

const secrets = { group: '', plural: 'secrets' };
const layout: KeyLayout = {
  prefix: ({ plural }) => `/registry/core/${plural}/`,
  key: ({ plural }, namespace, name) => `/registry/core/${plural}/${namespace}/${name}`,
};
const told = (changes: readonly ObjectChange[]): string[] =>
  changes.map(({ before, after }) => `${before?.metadata.name ?? '-'}>${after?.metadata.name ?? '-'}`);

describe('following', () => {
  it('tells of what is there, then of every change, until it is ended', async () => {
    const bed = testbed();
    await bed.put('secrets', named('a', 'ns'));
    const changes: ObjectChange[] = [];
    const stop = bed.objects.follow(secrets, (change) => changes.push(change));
    expect(told(changes)).toEqual(['->a']);
    await bed.put('secrets', named('b', 'ns'));
    await bed.put('secrets', named('a', 'ns'));
    await bed.remove('secrets', 'ns', 'b');
    await bed.put('configmaps', named('c', 'ns'));
    expect(told(changes)).toEqual(['->a', '->b', 'a>a', 'b>-']);
    expect(changes[2]?.before?.metadata.uid).not.toBe(changes[2]?.after?.metadata.uid);
    stop();
    await bed.put('secrets', named('d', 'ns'));
    expect(changes).toHaveLength(4);
  });

  it('starts over when the store has forgotten too much, and tells only what is new', async () => {
    const bed = testbed();
    const watchers: Watcher[] = [];
    // The real store ends only watches that lag far behind; this one is cut by hand and hears nothing afterwards.
    const forgetful: Store = Object.create(bed.store, {
      list: { value: (prefix: string) => bed.store.list(prefix) },
      watch: {
        value: (_prefix: string, _from: number, watcher: Watcher) => (watchers.push(watcher), { close: () => {} }),
      },
    }) as Store;
    for (const name of ['kept', 'changed', 'gone']) await bed.put('secrets', named(name, 'ns'));
    const changes: ObjectChange[] = [];
    storeObjects(forgetful, layout).follow(secrets, (change) => changes.push(change));
    changes.length = 0;
    await bed.put('secrets', named('changed', 'ns'));
    await bed.put('secrets', named('new', 'ns'));
    await bed.remove('secrets', 'ns', 'gone');
    watchers[0]?.onEnd('compacted');
    expect(told(changes).sort()).toEqual(['->new', 'changed>changed', 'gone>-']);
    expect(watchers).toHaveLength(2);
    watchers[1]?.onEnd('closed');
    expect(watchers).toHaveLength(2);
  });
});
