import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { builtinCatalog } from '../../api/index.ts';
import type { CustomResourceDefinition, KubeObject } from '../../api/index.ts';
import { isEstablished, withDeletionBegun } from '../../schema/crd/index.ts';
import { CrdController } from './controller.ts';
import { memoryStore } from '../../store/index.ts';
import type { Store } from '../../store/index.ts';

const now = '2026-01-01T00:00:00Z';
const prefixOf = ({ group, plural }: { group: string; plural: string }): string => `/registry/${group}/${plural}/`;

let store: Store;
let controller: CrdController;

function crd(plural = 'widgets', kind = 'Widget'): CustomResourceDefinition {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.example.com` },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural, kind },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
    },
  };
}

const keyOf = (one: CustomResourceDefinition): string =>
  `/registry/apiextensions.k8s.io/customresourcedefinitions/${one.metadata.name}`;

async function put(one: CustomResourceDefinition): Promise<void> {
  await store.write({ verb: 'put', key: keyOf(one), value: one });
  await controller.settled();
}

async function remove(one: CustomResourceDefinition): Promise<void> {
  const current = stored(one);
  const begun = withDeletionBegun({ ...current!, metadata: { ...current!.metadata, deletionTimestamp: now } }, now);
  await put(begun);
}

function stored(one: CustomResourceDefinition): CustomResourceDefinition | undefined {
  return store.get(keyOf(one))?.value as CustomResourceDefinition | undefined;
}

function widget(name: string, finalizers: readonly string[] = []): KubeObject {
  return { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name, namespace: 'a', finalizers } };
}

async function putWidget(object: KubeObject): Promise<void> {
  const key = `/registry/example.com/widgets/a/${object.metadata.name}`;
  await store.write({ verb: 'put', key, value: object });
}

beforeEach(() => {
  store = memoryStore();
  controller = new CrdController({ store, base: builtinCatalog(), prefixOf, now: () => now });
  controller.start();
});

afterEach(async () => {
  await controller.close();
  await store.close();
});

describe('the controller of definitions', () => {
  it('establishes a definition and serves its kind', async () => {
    expect(controller.catalog()).toBe(builtinCatalog());
    await put(crd());
    expect(isEstablished(stored(crd())!)).toBe(true);
    expect(controller.catalog().byKind('example.com/v1', 'Widget')).toBeDefined();
  });

  it('serves a kind before anybody can read that it is established', async () => {
    let servedWhenRead: boolean | undefined;
    store.watch('/registry/apiextensions.k8s.io/', store.revision, {
      onEvents: (events) => {
        for (const { entry } of events) {
          if (!isEstablished(entry.value as CustomResourceDefinition)) continue;
          servedWhenRead = controller.catalog().byKind('example.com/v1', 'Widget') !== undefined;
        }
      },
      onEnd: () => undefined,
    });
    await put(crd());
    expect(servedWhenRead).toBe(true);
  });

  it('writes nothing when there is nothing to change', async () => {
    await put(crd());
    const { revision } = store;
    const again = new CrdController({ store, base: builtinCatalog(), prefixOf, now: () => '2027-01-01T00:00:00Z' });
    expect(again.catalog().byKind('example.com/v1', 'Widget')).toBeDefined();
    again.start();
    await again.settled();
    await again.close();
    expect(store.revision).toBe(revision);
  });

  it('gives a name to the next when its holder goes', async () => {
    await put(crd());
    await put(crd('gadgets', 'Widget'));
    expect(isEstablished(stored(crd('gadgets'))!)).toBe(false);
    await remove(crd());
    expect(stored(crd())).toBeUndefined();
    expect(isEstablished(stored(crd('gadgets'))!)).toBe(true);
    expect(controller.catalog().byKind('example.com/v1', 'Widget')?.plural).toBe('gadgets');
  });

  it('removes the objects of a deleted definition, then the definition', async () => {
    await put(crd());
    for (const name of ['x', 'y', 'z']) await putWidget(widget(name));
    await remove(crd());
    expect(store.count('/registry/example.com/widgets/')).toBe(0);
    expect(stored(crd())).toBeUndefined();
    expect(controller.catalog()).toBe(builtinCatalog());
  });

  it('waits for objects that others have still to let go', async () => {
    await put(crd());
    await putWidget(widget('x', ['example.com/wait']));
    await remove(crd());
    const key = '/registry/example.com/widgets/a/x';
    expect((store.get(key)!.value as KubeObject).metadata).toMatchObject({
      deletionTimestamp: now,
      finalizers: ['example.com/wait'],
      resourceVersion: String(store.get(key)?.revision),
    });
    expect(stored(crd())).toBeDefined();
    expect(controller.catalog().byKind('example.com/v1', 'Widget')?.verbs).not.toContain('create');
    await store.write({ verb: 'delete', key });
    await controller.settled();
    expect(stored(crd())).toBeUndefined();
  });

  it('keeps a definition that others also need', async () => {
    await put({ ...crd(), metadata: { name: 'widgets.example.com', finalizers: ['example.com/mine'] } });
    await remove(crd());
    expect(stored(crd())?.metadata.finalizers).toEqual(['example.com/mine']);
  });
});
