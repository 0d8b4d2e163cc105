import { readFileSync } from 'node:fs';
import { describe } from 'vitest';
import type { KubeObject } from '../../src/api/index.ts';
import { documentsIn } from '../../src/base/index.ts';
import { deployment } from '../kit/objects.ts';
import { scenario } from '../kit/scenario.ts';

const page = readFileSync(new URL('../../docs/scheduling.md', import.meta.url), 'utf8');
const blocks = [...page.matchAll(/```yaml\n(.*?)```/gs)].map((match) => match[1] ?? '');
const shown = blocks.flatMap((text) => documentsIn(text) as KubeObject[]);

function named(name: string): KubeObject {
  const found = shown.find(({ metadata }) => metadata.name === name);
  if (!found) throw new Error(`the page shows no ${name}`);
  return found;
}

const words = { burst: false, scopes: ['namespace'] } as const;
const request = (cpu: string) => ({ containers: [{ name: 'main', image: 'nginx:1.25', resources: { requests: { cpu } } }] });

describe('The manifests of docs/scheduling.md do what the page says', () => {
  scenario(
    'replicas that do not fit into the primary group go to the cloud',
    async ({ user, admin, expect }) => {
      const web = deployment('web', { replicas: 3 });
      await admin.hasCapacity('member1', 2);
      await admin.hasCapacity('member2', 5);
      await user.creates(named('overflow'), web);
      await expect(web).hasReplicas({ member1: 2, member2: 1 });
    },
    words,
  );

  scenario(
    'a job with several sorts of pods goes to a member that has capacity for all',
    async ({ user, admin, expect }) => {
      const task = (name: string, replicas: number) => ({ name, replicas, template: { spec: request('100m') } });
      const job = {
        apiVersion: 'batch.volcano.sh/v1alpha1',
        kind: 'Job',
        metadata: { name: 'training', namespace: 'default' },
        spec: { tasks: [task('master', 1), task('worker', 4)] },
      } as KubeObject;
      for (const member of ['member1', 'member2', 'member3']) await admin.hasCapacity(member, 4);
      await admin.hasCapacity('member4', 5);
      await user.creates(named('training'), job);
      await expect(job).runsOn('member4');
    },
    { ...words, gates: { MultiplePodTemplatesScheduling: true } },
  );

  scenario(
    'a workload waits for the PriorityClass that its policy names',
    async ({ user, admin, expect }) => {
      const urgent = deployment('urgent');
      await user.creates(named('urgent'), urgent);
      await expect(urgent).runsNowhere();
      await admin.creates(named('gold'));
      await expect(urgent).runsOn('member1');
    },
    words,
  );

  scenario(
    'workloads of one shard are placed apart',
    async ({ user, expect }) => {
      const labels = { shard: 'a' };
      const [first, second] = [deployment('first', { labels }), deployment('second', { labels })];
      await user.creates(named('apart'), first, second);
      await expect(first).runsOn('member1');
      await expect(second).runsOn('member2');
    },
    { ...words, gates: { WorkloadAffinity: true } },
  );

  scenario(
    'members get their shares of the quota',
    async ({ user, expect }) => {
      const share = { apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'team', namespace: 'default' } };
      await user.creates(named('team'));
      await expect(share).says('spec.hard', { member1: { cpu: '3' }, member2: { cpu: '1' } });
    },
    words,
  );
});
