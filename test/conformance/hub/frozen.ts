import type { Entry, ListOptions, ListPage, Store, StoreWrite } from '../../../src/store/index.ts';

/**
 * The same store, in which every value is frozen before anybody reads it, also for those who promised only to read:
 * who breaks the promise fails here.
 */
export function frozen(store: Store): Store {
  return {
    get revision() {
      return store.revision;
    },
    get compacted() {
      return store.compacted;
    },
    get readonlyBecause() {
      return store.readonlyBecause;
    },
    get: (key) => touched(store.get(key)),
    list: (prefix: string, options?: ListOptions): ListPage => {
      const page = store.list(prefix, options);
      page.entries.forEach(touched);
      return page;
    },
    write: async (write: StoreWrite) => touched(await store.write(write)),
    count: (prefix) => store.count(prefix),
    watch: (prefix, from, watcher) => store.watch(prefix, from, watcher),
    compact: (revision) => store.compact(revision),
    backup: (file) => store.backup(file),
    close: () => store.close(),
  };
}

function touched<T extends Entry | undefined>(entry: T): T {
  void entry?.value;
  return entry;
}
