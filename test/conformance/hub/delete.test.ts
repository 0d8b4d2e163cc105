import { expect, it } from 'vitest';
import { at, textAt } from './driver.ts';
import type { Reply } from './driver.ts';
import { configMap, conformance, deployment } from './suite.ts';

function ownedBy(owner: Reply, more: object = {}): object {
  const { apiVersion, kind } = owner.body as { apiVersion: string; kind: string };
  const reference = {
    apiVersion,
    kind,
    name: textAt(owner.body, 'metadata.name'),
    uid: textAt(owner.body, 'metadata.uid'),
  };
  return { ownerReferences: [{ ...reference, ...more }] };
}

conformance('deletion', (hub) => {
  it('keeps an object with finalizers until the last one is gone', async () => {
    const ns = await hub.namespace();
    const path = `/apis/apps/v1/namespaces/${ns}/deployments/web`;
    await hub.post(
      `/apis/apps/v1/namespaces/${ns}/deployments`,
      deployment('web', {}, { finalizers: ['example.com/a'] }),
    );
    const begun = await hub.delete(path);
    expect(begun.status).toBe(200);
    expect(at(begun.body, 'metadata.deletionTimestamp')).toEqual(expect.any(String));
    expect(at(begun.body, 'metadata.deletionGracePeriodSeconds')).toBe(0);
    expect(at(begun.body, 'metadata.generation')).toBe(2);
    const again = await hub.delete(path);
    expect(textAt(again.body, 'metadata.resourceVersion')).toBe(textAt(begun.body, 'metadata.resourceVersion'));
    const added = await hub.patch(path, { metadata: { finalizers: ['example.com/a', 'example.com/b'] } });
    expect(added.status).toBe(422);
    expect(textAt(added.body, 'message')).toContain(
      'metadata.finalizers: Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{"example.com/b"}',
    );
    const freed = await hub.patch(path, { metadata: { finalizers: null } });
    expect(freed.status).toBe(200);
    expect((await hub.get(path)).status).toBe(404);
  });

  it('heeds preconditions', async () => {
    const ns = await hub.namespace();
    const path = `/api/v1/namespaces/${ns}/configmaps/a`;
    const made = await hub.post(`/api/v1/namespaces/${ns}/configmaps`, configMap('a'));
    const wrong = await hub.delete(path, { preconditions: { uid: 'other' } });
    expect(wrong.status).toBe(409);
    expect(textAt(wrong.body, 'message')).toContain(
      `the UID in the precondition (other) does not match the UID in record (${textAt(made.body, 'metadata.uid')})`,
    );
    const right = await hub.delete(path, {
      preconditions: {
        uid: textAt(made.body, 'metadata.uid'),
        resourceVersion: textAt(made.body, 'metadata.resourceVersion'),
      },
    });
    expect(right.status).toBe(200);
  });

  it('refuses a propagation policy that it does not know', async () => {
    const ns = await hub.namespace();
    await hub.post(`/api/v1/namespaces/${ns}/configmaps`, configMap('a'));
    const reply = await hub.delete(`/api/v1/namespaces/${ns}/configmaps/a`, { propagationPolicy: 'Sideways' });
    expect(reply.status).toBe(422);
    expect(textAt(reply.body, 'message')).toContain('propagationPolicy: Unsupported value: "Sideways"');
  });

  it('collects dependents in the background', async () => {
    const ns = await hub.namespace();
    const path = `/api/v1/namespaces/${ns}/configmaps`;
    const owner = await hub.post(path, configMap('owner'));
    const middle = await hub.post(path, configMap('middle', {}, ownedBy(owner)));
    await hub.post(path, configMap('leaf', {}, ownedBy(middle)));
    expect((await hub.delete(`${path}/owner`)).body).toMatchObject({ status: 'Success' });
    await hub.until(`${path}/middle`, 404);
    await hub.until(`${path}/leaf`, 404);
  });

  it('collects what names an owner that does not exist', async () => {
    const ns = await hub.namespace();
    const path = `/api/v1/namespaces/${ns}/configmaps`;
    const owner = await hub.post(path, configMap('owner'));
    await hub.delete(`${path}/owner`);
    await hub.post(path, configMap('late', {}, ownedBy(owner)));
    await hub.until(`${path}/late`, 404);
  });

  it('keeps what has another owner, and takes the dead one off', async () => {
    const ns = await hub.namespace();
    const path = `/api/v1/namespaces/${ns}/configmaps`;
    const first = await hub.post(path, configMap('first'));
    const second = await hub.post(path, configMap('second'));
    const both = [ownedBy(first), ownedBy(second)].flatMap(
      (one) => (one as { ownerReferences: object[] }).ownerReferences,
    );
    const made = await hub.post(path, configMap('shared', {}, { ownerReferences: both }));
    const watching = await hub.watch(
      `${path}?watch=true&fieldSelector=metadata.name%3Dshared&resourceVersion=${textAt(made.body, 'metadata.resourceVersion')}`,
    );
    await hub.delete(`${path}/first`);
    const event = await watching.next();
    watching.close();
    expect(event?.type).toBe('MODIFIED');
    expect(at(event?.object, 'metadata.ownerReferences')).toEqual([expect.objectContaining({ name: 'second' })]);
  });

  it('in the foreground, goes after the dependents that block it', async () => {
    const ns = await hub.namespace();
    const path = `/api/v1/namespaces/${ns}/configmaps`;
    const owner = await hub.post(path, configMap('owner'));
    const blocked = { ...ownedBy(owner, { blockOwnerDeletion: true }), finalizers: ['example.com/hold'] };
    const child = await hub.post(path, configMap('child', {}, blocked));
    const watching = await hub.watch(
      `${path}?watch=true&fieldSelector=metadata.name%3Dchild&resourceVersion=${textAt(child.body, 'metadata.resourceVersion')}`,
    );
    const begun = await hub.delete(`${path}/owner`, { propagationPolicy: 'Foreground' });
    expect(at(begun.body, 'metadata.finalizers')).toEqual(['foregroundDeletion']);
    expect(at((await watching.next())?.object, 'metadata.deletionTimestamp')).toEqual(expect.any(String));
    watching.close();
    expect((await hub.get(`${path}/owner`)).status).toBe(200);
    await hub.patch(`${path}/child`, { metadata: { finalizers: null } });
    await hub.until(`${path}/owner`, 404);
    expect((await hub.get(`${path}/child`)).status).toBe(404);
  });

  it('orphans dependents when asked to', async () => {
    const ns = await hub.namespace();
    const path = `/api/v1/namespaces/${ns}/configmaps`;
    const owner = await hub.post(path, configMap('owner'));
    await hub.post(path, configMap('child', {}, ownedBy(owner)));
    await hub.delete(`${path}/owner`, { propagationPolicy: 'Orphan' });
    await hub.until(`${path}/owner`, 404);
    const child = await hub.get(`${path}/child`);
    expect(child.status).toBe(200);
    expect(at(child.body, 'metadata.ownerReferences')).toBeUndefined();
  });
});
