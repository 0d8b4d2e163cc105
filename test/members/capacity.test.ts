import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Transport } from '../../src/client/index.ts';
import { Member } from '../../src/members/index.ts';
import type { Probe } from '../../src/api/index.ts';
import { until } from '../kit/until.ts';
import { made, named, podsLabelled, startMember } from './fleet.ts';
import type { DrivenMember } from './fleet.ts';

let started: DrivenMember;
let member: Member;
/** Paths of what was asked for and answered, watches left out. */
const asked: string[] = [];
const counting = (transport: Transport): Transport => ({
  send: (request) => {
    asked.push(request.path);
    return transport.send(request);
  },
  stream: (request) => transport.stream(request),
  close: () => transport.close(),
});

beforeAll(async () => {
  started = await startMember({ dataDir: ':memory:' });
  const { name, url, token, caBundle } = started.member;
  member = new Member(name, { server: url, token, caBundle }, { between: counting });
});
afterAll(async () => {
  await member.close();
  await started.close();
});

type Healthy = Extract<Probe, { readonly health: 'healthy' }>;

async function looked(): Promise<Healthy> {
  const probe = await member.probe();
  if (probe.health !== 'healthy') throw new Error(probe.message);
  return probe;
}

test('the room of a member follows its Pods without listing them again', async () => {
  const { nodeSummary, resourceSummary } = await looked();
  expect(nodeSummary?.totalNum).toBeGreaterThan(0);
  expect(nodeSummary?.readyNum).toBe(nodeSummary?.totalNum);
  expect(Number(resourceSummary?.allocatable?.['pods'])).toBeGreaterThan(0);
  expect(resourceSummary?.allocated?.['pods']).toBe('0');

  asked.length = 0;
  const spec = { ...podsLabelled('web'), replicas: 3 };
  await started.client.create(made('Deployment', 'web', { spec }));
  await until('three Pods are counted', async () => (await looked()).resourceSummary?.allocated?.['pods'] === '3');
  await started.client.delete(named('Deployment', 'web'));
  await until('none is', async () => (await looked()).resourceSummary?.allocated?.['pods'] === '0');
  expect(asked.filter((path) => /\/(pods|nodes)$/.test(path))).toEqual([]);
}, 30_000);
