import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { KubeObject, OverridePolicy } from '../../src/api/index.ts';
import { documentsIn } from '../../src/base/index.ts';
import { configMap, configMaps, deployment, deployments } from '../kit/objects.ts';
import { scenario } from '../kit/scenario.ts';

const page = readFileSync(new URL('../../docs/overrides.md', import.meta.url), 'utf8');
const blocks = [...page.matchAll(/```yaml\n(.*?)```/gs)].map((match) => match[1] ?? '');
const shown = blocks.flatMap((text) => documentsIn(text) as OverridePolicy[]);

function named(name: string): OverridePolicy {
  const found = shown.find(({ metadata }) => metadata.name === name);
  if (!found) throw new Error(`the page shows no ${name}`);
  return found;
}

test('the page shows override policies of both scopes', () => {
  expect(new Set(shown.map(({ kind }) => kind))).toEqual(new Set(['OverridePolicy', 'ClusterOverridePolicy']));
});

const nginx = deployment('nginx');
const both = ['member1', 'member2'];

scenario('the policies of the page do what it says', async ({ user, policy, expect: see }) => {
  await user.creates(policy('pp', { to: both, select: [deployments(), configMaps()] }), nginx);
  const settings = { ...configMap('settings'), data: { 'app.json': '{"db":{"host":"local"}}' } } as KubeObject;
  await user.creates(named('mirror'), named('settings'), settings);
  await see(nginx).runsImage({ member1: 'mirror.example.com/nginx:1.25', member2: 'nginx:1.25' });
  await see(nginx).says('metadata.labels.team', { member1: 'web', member2: 'web' });
  await see(settings).says('data', { member1: settings['data' as never], member2: settings['data' as never] });
});

scenario(
  'the lazy policy of the page waits for its template',
  async ({ user, policy, expect: see }) => {
    await user.creates(policy('pp', { to: 'member1' }), nginx, named('base-image'));
    await see(nginx).runsImage({ member1: 'nginx:1.25' });
    await user.touches(nginx);
    await see(nginx).runsImage({ member1: 'nginx:1.27' });
  },
  { burst: false },
);
