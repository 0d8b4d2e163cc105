import { afterAll, beforeAll, expect, test } from 'vitest';
import { Member } from '../../src/members/index.ts';
import { startMember } from './fleet.ts';
import type { DrivenMember } from './fleet.ts';

let started: DrivenMember;
beforeAll(async () => {
  started = await startMember();
});
afterAll(() => started.close());

async function probe(token: string): Promise<unknown> {
  const { name, url: server, caBundle } = started.member;
  const member = new Member(name, { server, token, caBundle }, { readyMilliseconds: 300 });
  try {
    return await member.probe();
  } finally {
    await member.close();
  }
}

test('a member that does not answer is not waited for as long as any request', async () => {
  await started.member.setFaults({ partition: true });
  expect(await probe(started.member.token)).toEqual({ health: 'unreachable', message: '/readyz is not answered' });
  await started.member.setFaults({ partition: false });
});

test('a member that does not know us says so in its own words', async () => {
  expect(await probe('wrong')).toEqual({ health: 'unhealthy', message: '/readyz answered 401: Unauthorized' });
});
