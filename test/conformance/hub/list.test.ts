import { expect, it } from 'vitest';
import { at, textAt } from './driver.ts';
import type { Reply } from './driver.ts';
import { configMap, conformance } from './suite.ts';

function names(reply: Reply): string[] {
  return (at(reply.body, 'items') as object[]).map((item) => textAt(item, 'metadata.name'));
}

conformance('list', (hub) => {
  async function filled(count: number): Promise<string> {
    const ns = await hub.namespace();
    for (let i = 0; i < count; i++) {
      const labels = { parity: i % 2 === 0 ? 'even' : 'odd', index: String(i) };
      await hub.post(`/api/v1/namespaces/${ns}/configmaps`, configMap(`c${i}`, {}, { labels }));
    }
    return ns;
  }
  const own = '?labelSelector=parity';

  it('lists one namespace or all, with the revision of the list', async () => {
    const ns = await filled(3);
    const one = await hub.get(`/api/v1/namespaces/${ns}/configmaps${own}`);
    expect(one.status).toBe(200);
    expect(one.body).toMatchObject({ kind: 'ConfigMapList', apiVersion: 'v1' });
    expect(names(one)).toEqual(['c0', 'c1', 'c2']);
    expect(Number(textAt(one.body, 'metadata.resourceVersion'))).toBeGreaterThanOrEqual(
      Number(textAt(one.body, 'items.2.metadata.resourceVersion')),
    );
    const all = await hub.get(`/api/v1/configmaps${own}`);
    expect(names(all)).toEqual(expect.arrayContaining(['c0', 'c1', 'c2']));
  });

  it('does not repeat the type of built-in kinds in each item', async () => {
    const ns = await filled(1);
    const reply = await hub.get(`/api/v1/namespaces/${ns}/configmaps${own}`);
    expect(at(reply.body, 'items.0.kind')).toBeUndefined();
    expect(at(reply.body, 'items.0.metadata.name')).toBe('c0');
  });

  it('gives out pages of one snapshot', async () => {
    const ns = await filled(5);
    const path = `/api/v1/namespaces/${ns}/configmaps${own}&limit=2`;
    const first = await hub.get(path);
    expect(names(first)).toEqual(['c0', 'c1']);
    await hub.post(`/api/v1/namespaces/${ns}/configmaps`, configMap('c2b', {}, { labels: { parity: 'odd' } }));
    await hub.delete(`/api/v1/namespaces/${ns}/configmaps/c3`);
    const second = await hub.get(`${path}&continue=${textAt(first.body, 'metadata.continue')}`);
    expect(names(second)).toEqual(['c2', 'c3']);
    expect(textAt(second.body, 'metadata.resourceVersion')).toBe(textAt(first.body, 'metadata.resourceVersion'));
    const third = await hub.get(`${path}&continue=${textAt(second.body, 'metadata.continue')}`);
    expect(names(third)).toEqual(['c4']);
    expect(at(third.body, 'metadata.continue') ?? '').toBe('');
  });

  it('counts what remains when nothing is selected', async () => {
    const ns = await filled(4);
    const total = names(await hub.get(`/api/v1/namespaces/${ns}/configmaps`)).length;
    const page = await hub.get(`/api/v1/namespaces/${ns}/configmaps?limit=1`);
    expect(at(page.body, 'metadata.remainingItemCount')).toBe(total - 1);
  });

  it('refuses a continue token that is none', async () => {
    const reply = await hub.get('/api/v1/configmaps?limit=1&continue=nonsense');
    expect(reply.status).toBe(400);
  });

  it.each([
    ['parity=even', ['c0', 'c2']],
    ['parity!=even', ['c1', 'c3']],
    ['parity in (even,odd),index notin (1,2)', ['c0', 'c3']],
    ['index>1', ['c2', 'c3']],
    ['parity,!missing,index<2', ['c0', 'c1']],
    ['parity==odd', ['c1', 'c3']],
  ])('selects by labels: %s', async (selector, expected) => {
    const ns = await filled(4);
    const reply = await hub.get(
      `/api/v1/namespaces/${ns}/configmaps?labelSelector=${encodeURIComponent(`${selector},parity`)}`,
    );
    expect(names(reply)).toEqual(expected);
  });

  it('selects by name and namespace, and refuses fields that the kind does not offer', async () => {
    const ns = await filled(3);
    const byName = await hub.get(`/api/v1/namespaces/${ns}/configmaps?fieldSelector=metadata.name%3Dc1`);
    expect(names(byName)).toEqual(['c1']);
    const elsewhere = await hub.get(`/api/v1/configmaps?fieldSelector=metadata.name%3Dc1,metadata.namespace%3D${ns}`);
    expect(names(elsewhere)).toEqual(['c1']);
    const bad = await hub.get('/api/v1/configmaps?fieldSelector=data.k%3Dv');
    expect(bad.status).toBe(400);
    expect(textAt(bad.body, 'message')).toBe(
      '"data.k" is not a known field selector: only "metadata.name", "metadata.namespace"',
    );
    const badPods = await hub.get('/api/v1/pods?fieldSelector=spec.color%3Dred');
    expect(textAt(badPods.body, 'message')).toBe('field label not supported: spec.color');
  });

  it('knows that a revision is still to come', async () => {
    const reply = await hub.get('/api/v1/configmaps?resourceVersion=999999999999');
    expect(reply.status).toBe(504);
    expect(textAt(reply.body, 'message')).toContain('Too large resource version: 999999999999');
    expect(reply.body).toMatchObject({ details: { causes: [{ reason: 'ResourceVersionTooLarge' }] } });
  });

  it('lists exactly at an older revision', async () => {
    const ns = await filled(2);
    const before = await hub.get(`/api/v1/namespaces/${ns}/configmaps${own}`);
    await hub.delete(`/api/v1/namespaces/${ns}/configmaps/c0`);
    const revision = textAt(before.body, 'metadata.resourceVersion');
    const again = await hub.get(
      `/api/v1/namespaces/${ns}/configmaps${own}&resourceVersion=${revision}&resourceVersionMatch=Exact`,
    );
    expect(names(again)).toEqual(['c0', 'c1']);
    const wrong = await hub.get(`/api/v1/configmaps?resourceVersionMatch=Exact`);
    expect(wrong.status).toBe(422);
  });

  it('deletes a collection by selector', async () => {
    const ns = await filled(4);
    const reply = await hub.delete(`/api/v1/namespaces/${ns}/configmaps?labelSelector=parity%3Deven`);
    expect(reply.status).toBe(200);
    expect(names(await hub.get(`/api/v1/namespaces/${ns}/configmaps${own}`))).toEqual(['c1', 'c3']);
  });

  it('shows tables and bare metadata', async () => {
    const ns = await filled(2);
    const table = await hub.get(`/api/v1/namespaces/${ns}/configmaps${own}`, {
      accept: 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json',
    });
    expect(table.body).toMatchObject({ kind: 'Table', apiVersion: 'meta.k8s.io/v1' });
    expect(at(table.body, 'columnDefinitions.0.name')).toBe('Name');
    expect(at(table.body, 'rows.1.cells.0')).toBe('c1');
    expect(at(table.body, 'rows.1.object.kind')).toBe('PartialObjectMetadata');
    const metadata = await hub.get(`/api/v1/namespaces/${ns}/configmaps${own}`, {
      accept: 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io',
    });
    expect(metadata.body).toMatchObject({ kind: 'PartialObjectMetadataList', apiVersion: 'meta.k8s.io/v1' });
    expect(at(metadata.body, 'items.0.metadata.name')).toBe('c0');
    expect(at(metadata.body, 'items.0.data')).toBeUndefined();
    expect((await hub.get('/api/v1/configmaps', { accept: 'application/unheard-of' })).status).toBe(406);
  });
});
