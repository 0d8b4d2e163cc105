import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { crds } from '../../src/api/index.ts';
import { admission } from '../../src/admission/index.ts';
import { createHub } from '../../src/apiserver/index.ts';
import type { Hub, HubResponse } from '../../src/apiserver/index.ts';
import { memoryStore } from '../../src/store/index.ts';
import { sluice } from '../cli/kit.ts';

const user = { name: 'tenant', groups: ['system:masters'] };
const refusal = 'yaml: document contains excessive aliasing';

/** Anchors, each a list of ten aliases to the one before: 10^levels texts of one letter. */
function anchors(levels: number): string {
  const lines = ['a0: &a0 x'];
  for (let i = 1; i <= levels; i++)
    lines.push(
      `a${i}: &a${i} [${Array(10)
        .fill(`*a${i - 1}`)
        .join(', ')}]`,
    );
  return lines.map((line) => `    ${line}`).join('\n');
}

const configMap = (levels: number): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: bomb\n  annotations:\n${anchors(levels)}\n`;

/** The way that a tenant with `edit` has: any JSON is a value of an override. */
const override = (levels: number): string => `apiVersion: policy.karmada.io/v1alpha1
kind: OverridePolicy
metadata: {name: bomb}
spec:
  resourceSelectors: [{apiVersion: v1, kind: ConfigMap}]
  overrideRules:
  - overriders:
      plaintext:
      - path: /data
        operator: replace
        value:
${anchors(levels)
  .split('\n')
  .map((line) => `      ${line}`)
  .join('\n')}
`;

describe('a hub', () => {
  let hub: Hub;
  const store = memoryStore();
  beforeAll(async () => {
    hub = await createHub({
      store,
      definitions: crds(),
      admit: [admission({ controllers: new Set(), now: () => new Date(0) })],
    });
  });
  afterAll(async () => {
    await hub.close();
    await store.close();
  });

  const send = (method: string, at: string, type: string, text: string): Promise<HubResponse> => {
    const [bare = '', query = ''] = at.split('?');
    const headers = { 'content-type': type };
    return hub.handle({ method, path: bare, query, headers, user, wantsObjects: true, body: Buffer.from(text) });
  };
  const maps = '/api/v1/namespaces/default/configmaps';
  const overrides = '/apis/policy.karmada.io/v1alpha1/namespaces/default/overridepolicies';
  const applying = '?fieldManager=me&force=true';

  test.each([
    ['a create', 'POST', maps, 'application/yaml', configMap],
    ['a create of an override', 'POST', overrides, 'application/yaml', override],
    ['an update', 'PUT', `${maps}/bomb`, 'application/yaml', configMap],
    ['an apply', 'PATCH', `${maps}/bomb${applying}`, 'application/apply-patch+yaml', configMap],
    ['an apply of an override', 'PATCH', `${overrides}/bomb${applying}`, 'application/apply-patch+yaml', override],
  ])('answers %s that aliases would blow up with 400', async (_, method, at, type, body) => {
    const before = store.revision;
    // The smallest that kube-apiserver refuses too, and one that would fill any memory.
    for (const levels of [5, 12]) {
      const answer = await send(method, at, type, body(levels));
      expect(answer.status).toBe(400);
      expect((answer.object as { message: string }).message).toContain(refusal);
    }
    expect(store.revision).toBe(before);
  });

  test('takes aliases of ordinary size', async () => {
    const answer = await send('PATCH', `${overrides}/small${applying}`, 'application/apply-patch+yaml', override(2));
    // The name in the body is another: only that is wrong.
    expect((answer.object as { message: string }).message).toContain('does not match the name on the URL');
    const text = override(2).replace('name: bomb', 'name: small');
    const applied = await send('PATCH', `${overrides}/small${applying}`, 'application/apply-patch+yaml', text);
    expect(applied.status).toBe(201);
  });
});

describe('the command line', () => {
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'aliases-'));
    await writeFile(path.join(folder, 'bomb.yaml'), configMap(12));
    await writeFile(path.join(folder, 'config'), `apiVersion: v1\nkind: Config\nx:\n${anchors(12)}\n`);
  });
  afterAll(() => rm(folder, { recursive: true }));

  test('refuses manifests, in one line', async () => {
    const { code, err } = await sluice(['plan', '-f', 'bomb.yaml'], { directory: folder });
    expect(code).toBe(1);
    expect(err).toContain(refusal);
    expect(err.trim().split('\n')).toHaveLength(1);
  });

  test('refuses manifests from standard input', async () => {
    const { code, err } = await sluice(['plan', '-f', '-'], { directory: folder, input: configMap(12) });
    expect([code, err.includes(refusal)]).toEqual([1, true]);
  });

  test('refuses kubeconfigs', async () => {
    const { code, err } = await sluice(['status', '--kubeconfig', path.join(folder, 'config')]);
    expect([code, err.includes(refusal)]).toEqual([1, true]);
  });

  test('reads snapshots as JSON alone, which has no aliases', async () => {
    await writeFile(path.join(folder, 'policy.yaml'), configMap(1));
    const { code, err } = await sluice(['plan', '-f', 'policy.yaml', '--snapshot', 'bomb.yaml'], { directory: folder });
    expect([code, err.includes('is not a snapshot')]).toEqual([1, true]);
  });
});
