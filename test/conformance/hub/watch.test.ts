import { expect, it } from 'vitest';
import { at, textAt } from './driver.ts';
import { configMap, conformance } from './suite.ts';

conformance('watch', (hub) => {
  const selected = 'labelSelector=seen%3Dyes';

  it('shows creations, changes and deletions after a revision', async () => {
    const ns = await hub.namespace();
    const path = `/api/v1/namespaces/${ns}/configmaps`;
    const made = await hub.post(path, configMap('a', {}, { labels: { seen: 'yes' } }));
    const revision = textAt(made.body, 'metadata.resourceVersion');
    const watching = await hub.watch(`${path}?watch=true&resourceVersion=${revision}&${selected}`);
    expect(watching.status).toBe(200);
    await hub.post(path, configMap('b', {}, { labels: { seen: 'yes' } }));
    await hub.patch(`${path}/b`, { data: { k: 'v' } });
    await hub.delete(`${path}/b`);
    const events = [await watching.next(), await watching.next(), await watching.next()];
    expect(events.map((event) => event?.type)).toEqual(['ADDED', 'MODIFIED', 'DELETED']);
    expect(events.map((event) => textAt(event?.object, 'metadata.name'))).toEqual(['b', 'b', 'b']);
    const revisions = events.map((event) => Number(textAt(event?.object, 'metadata.resourceVersion')));
    expect(revisions).toEqual(revisions.toSorted((a, b) => a - b));
    expect(new Set(revisions).size).toBe(3);
    expect(at(events[2]?.object, 'data')).toEqual({ k: 'v' });
    watching.close();
  });

  it('begins with what is there when no revision is given', async () => {
    const ns = await hub.namespace();
    const path = `/api/v1/namespaces/${ns}/configmaps`;
    await hub.post(path, configMap('a', {}, { labels: { seen: 'yes' } }));
    const watching = await hub.watch(`${path}?watch=true&${selected}`);
    expect(await watching.next()).toMatchObject({
      type: 'ADDED',
      object: { kind: 'ConfigMap', metadata: { name: 'a' } },
    });
    await hub.post(path, configMap('b', {}, { labels: { seen: 'yes' } }));
    expect(await watching.next()).toMatchObject({ type: 'ADDED', object: { metadata: { name: 'b' } } });
    watching.close();
  });

  it('marks the end of the initial state for those who ask', async () => {
    const ns = await hub.namespace();
    const path = `/api/v1/namespaces/${ns}/configmaps`;
    await hub.post(path, configMap('a', {}, { labels: { seen: 'yes' } }));
    const watching = await hub.watch(
      `${path}?watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true&${selected}`,
    );
    expect(await watching.next()).toMatchObject({ type: 'ADDED' });
    const bookmark = await watching.next();
    expect(bookmark).toMatchObject({
      type: 'BOOKMARK',
      object: { kind: 'ConfigMap', metadata: { annotations: { 'k8s.io/initial-events-end': 'true' } } },
    });
    expect(textAt(bookmark?.object, 'metadata.resourceVersion')).toMatch(/^\d+$/);
    watching.close();
  });

  it('begins with a collection of any size and goes on after it', async () => {
    const ns = await hub.namespace();
    const path = `/api/v1/namespaces/${ns}/configmaps`;
    const count = 24;
    const large = { value: 'x'.repeat(1_000_000) };
    for (let i = 0; i < count; i++) await hub.post(path, configMap(`c${i}`, large, { labels: { seen: 'yes' } }));
    const watching = await hub.watch(
      `${path}?watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true&${selected}`,
    );
    const types: (string | undefined)[] = [];
    for (let i = 0; i <= count; i++) types.push((await watching.next())?.type);
    expect(types).toEqual([...Array.from({ length: count }, () => 'ADDED'), 'BOOKMARK']);
    await hub.delete(`${path}/c0`);
    expect(await watching.next()).toMatchObject({ type: 'DELETED', object: { metadata: { name: 'c0' } } });
    watching.close();
  });

  it('shows an object that enters or leaves the selection as added or deleted', async () => {
    const ns = await hub.namespace();
    const path = `/api/v1/namespaces/${ns}/configmaps`;
    const made = await hub.post(path, configMap('a'));
    const revision = textAt(made.body, 'metadata.resourceVersion');
    const watching = await hub.watch(`${path}?watch=true&resourceVersion=${revision}&${selected}`);
    await hub.patch(`${path}/a`, { metadata: { labels: { seen: 'yes' } } });
    await hub.patch(`${path}/a`, { data: { k: 'v' } });
    const left = await hub.patch(`${path}/a`, { metadata: { labels: { seen: 'no' } } });
    const events = [await watching.next(), await watching.next(), await watching.next()];
    expect(events.map((event) => event?.type)).toEqual(['ADDED', 'MODIFIED', 'DELETED']);
    expect(textAt(events[2]?.object, 'metadata.labels.seen')).toBe('yes');
    expect(textAt(events[2]?.object, 'metadata.resourceVersion')).toBe(textAt(left.body, 'metadata.resourceVersion'));
    watching.close();
  });

  it('watches one object by its name, and reads it when it is asked for by its URL', async () => {
    const ns = await hub.namespace();
    const path = `/api/v1/namespaces/${ns}/configmaps`;
    const made = await hub.post(path, configMap('a'));
    const revision = textAt(made.body, 'metadata.resourceVersion');
    const watching = await hub.watch(`${path}?watch=true&resourceVersion=${revision}&fieldSelector=metadata.name%3Da`);
    await hub.post(path, configMap('b'));
    await hub.patch(`${path}/a`, { data: { k: 'v' } });
    expect(await watching.next()).toMatchObject({ type: 'MODIFIED', object: { metadata: { name: 'a' } } });
    watching.close();
    expect((await hub.get(`${path}/a?watch=true`)).body).toMatchObject({ kind: 'ConfigMap', data: { k: 'v' } });
  });

  it('shows tables, with their columns once', async () => {
    const ns = await hub.namespace();
    const path = `/api/v1/namespaces/${ns}/configmaps`;
    await hub.post(path, configMap('a', {}, { labels: { seen: 'yes' } }));
    const watching = await hub.watch(`${path}?watch=true&${selected}`, {
      accept: 'application/json;as=Table;v=v1;g=meta.k8s.io',
    });
    const first = await watching.next();
    expect(first).toMatchObject({
      type: 'ADDED',
      object: { kind: 'Table', rows: [{ cells: ['a', 0, expect.anything()] }] },
    });
    expect(at(first?.object, 'columnDefinitions.0.name')).toBe('Name');
    await hub.patch(`${path}/a`, { data: { k: 'v' } });
    const second = await watching.next();
    expect(second).toMatchObject({ type: 'MODIFIED', object: { rows: [{ cells: ['a', 1, expect.anything()] }] } });
    expect(at(second?.object, 'columnDefinitions')).toBeNull();
    watching.close();
  });

  it('ends by itself when the time asked for is over', async () => {
    const ns = await hub.namespace();
    const watching = await hub.watch(`/api/v1/namespaces/${ns}/configmaps?watch=true&timeoutSeconds=1&${selected}`);
    expect(await watching.next()).toBeUndefined();
  });

  it('refuses options that contradict each other', async () => {
    const reply = await hub.get('/api/v1/configmaps?watch=true&sendInitialEvents=true&allowWatchBookmarks=true');
    expect(reply.status).toBe(422);
    expect(textAt(reply.body, 'message')).toContain(
      'resourceVersionMatch: Forbidden: sendInitialEvents requires setting resourceVersionMatch to NotOlderThan',
    );
  });
});
