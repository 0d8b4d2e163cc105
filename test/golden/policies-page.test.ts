import { readFileSync } from 'node:fs';
import { loadAll } from 'js-yaml';
import { expect, test } from 'vitest';
import { crdSchemaOf, fieldErrorText, shapeErrors } from '../../src/api/index.ts';
import type { KubeObject } from '../../src/api/index.ts';
import { mutate, validate } from '../../src/engine/index.ts';
import { deployment } from '../kit/objects.ts';
import { scenario } from '../kit/scenario.ts';

const page = readFileSync(new URL('../../docs/policies.md', import.meta.url), 'utf8');
const blocks = [...page.matchAll(/```yaml\n(.*?)```/gs)].map((match) => match[1] ?? '');
const manifests = blocks.flatMap((text) => loadAll(text) as KubeObject[]).filter((object) => object.kind !== undefined);

test('the page shows a policy of every kind', () => {
  expect(new Set(manifests.map((object) => object.kind))).toEqual(
    new Set(['PropagationPolicy', 'ClusterPropagationPolicy', 'RolloutPolicy', 'ClusterRolloutPolicy']),
  );
});

test.each(manifests.map((object) => [`${object.kind} ${object.metadata.name}`, object] as const))(
  'the hub accepts %s as the page shows it',
  (_, object) => {
    const schema = crdSchemaOf(object.apiVersion, object.kind);
    if (!schema) throw new Error(`no schema for ${object.kind}`);
    expect(shapeErrors(object, schema).map(fieldErrorText)).toEqual([]);
    const { namespace } = object.metadata;
    const facts = { operation: 'CREATE', uuid: 'id', ...(namespace && { namespace }) } as const;
    expect(validate(mutate(object, facts)).map(fieldErrorText)).toEqual([]);
  },
);

const nginx = deployment('nginx');

scenario(
  'the story of the lazy policy, as the page tells it',
  async ({ admin, user, policy, expect: see, restart }) => {
    await admin.creates(policy('pp', { to: 'member1', lazy: true }));
    await user.creates(nginx);
    await see(nginx).runsOn('member1');
    await admin.updates(policy('pp', { to: 'member2', lazy: true }));
    await restart();
    await user.reports(nginx, { observedGeneration: 1 });
    await see(nginx).runsOn('member1');
    await user.touches(nginx);
    await see(nginx).runsOn('member2');
    await admin.updates(policy('pp', { to: 'member3' }));
    await see(nginx).runsOn('member3');
    await admin.deletes(policy('pp'));
    await user.updates(deployment('nginx', { image: 'nginx:2' }));
    await see(nginx).runsImage({ member3: 'nginx:1.25' });
    await admin.creates(policy('other', { to: 'member4' }));
    await see(nginx).runsImage({ member4: 'nginx:2' });
  },
  { burst: false },
);
