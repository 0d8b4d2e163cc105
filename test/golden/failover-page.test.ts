import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { KubeObject, WorkloadRebalancer } from '../../src/api/index.ts';
import { documentsIn } from '../../src/base/index.ts';
import { deployment } from '../kit/objects.ts';
import { scenario } from '../kit/scenario.ts';
import { taint } from '../kit/taint.ts';

const page = readFileSync(new URL('../../docs/failover.md', import.meta.url), 'utf8');
const blocks = [...page.matchAll(/```yaml\n(.*?)```/gs)].map((match) => match[1] ?? '');
const shown = blocks.flatMap((text) => documentsIn(text) as KubeObject[]);

function named(name: string): KubeObject {
  const found = shown.find(({ metadata }) => metadata.name === name);
  if (!found) throw new Error(`the page shows no ${name}`);
  return found;
}

test('the page shows every kind of failover', () => {
  expect(new Set(shown.map(({ kind }) => kind))).toEqual(
    new Set(['ClusterTaintPolicy', 'PropagationPolicy', 'WorkloadRebalancer']),
  );
});

const once = { burst: false, scopes: ['namespace'] } as const;

scenario(
  'the first policy of the page tolerates a taint for five minutes, and an unhealthy workload for two',
  async (cast) => {
    const { admin, user, expect: see } = cast;
    await admin.creates(named('web'), named('network'));
    const web = deployment('web', { replicas: 2, outcome: 'NeverReady' });
    await user.creates(web);
    await admin.readies('member1', web, 2);
    await taint(cast, 'member1', [{ key: 'example.com/network', effect: 'NoExecute' }]);
    await admin.waits(299);
    await see(web).runsOn('member1');
    await admin.waits(2);
    await see(web).runsOn('member1', 'member2');
    await admin.readies('member2', web, 2);
    await see(web).runsOn('member2');
    await taint(cast, 'member1', []);

    await admin.readies('member2', web, 0);
    await admin.waits(119);
    await see(web).runsOn('member2');
    await admin.waits(2);
    await see(web).runsOn('member1', 'member2');

    await admin.creates(named('after-the-outage'));
    await see(named('after-the-outage')).onHub((object) => {
      expect((object as WorkloadRebalancer).status?.observedWorkloads).toMatchObject([{ result: 'Successful' }]);
    });
  },
  { ...once, gates: { Failover: true } },
);

scenario(
  'the second policy of the page gives the new copy a label with the state of the old one',
  async ({ admin, user, expect: see }) => {
    await admin.creates(named('stateful'));
    const stateful = deployment('stateful', { replicas: 2, outcome: 'NeverReady' });
    await user.creates(stateful);
    await admin.readies('member1', stateful, 0);
    await admin.waits(121);
    await see(stateful).runsOn('member2');
    await see(stateful).says('metadata.labels.replicas-before', { member2: '2' });
  },
  { ...once, gates: { StatefulFailoverInjection: true } },
);
