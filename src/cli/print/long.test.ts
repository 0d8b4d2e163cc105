import { expect, test } from 'vitest';
import { memberCluster } from '../../../test/kit/objects.ts';
import type { Cluster } from '../../api/index.ts';
import { fleetOf, worldOf } from '../../engine/index.ts';
import type { Effect, Plan, TemplateReport } from '../../engine/index.ts';
import type { Io } from '../io.ts';
import { planText } from './plan.ts';
import { fleetText, templatesText } from './status.ts';

const io = { columns: undefined, colour: false } as Io;
const template = (i: number) => ({ apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop', name: `app${i}` });
const numbers = Array.from({ length: 22 }, (_, i) => 22 - i);

function moves(): Plan {
  const effects = numbers.flatMap((i): readonly Effect[] => [
    { template: template(i), cluster: 'member1', effect: 'delete', when: 'now', because: 'PolicyEdited' },
    { template: template(i), cluster: 'member2', effect: 'create', when: 'now', because: 'PolicyEdited' },
  ]);
  return { apiVersion: 'sluice.dev/v1', kind: 'Plan', effects, warnings: [], errors: [], totals: {} as Plan['totals'] };
}

test('a long plan lists twenty templates as people count, and says how to see the rest', () => {
  const lines = planText(moves(), io, false).split('\n');
  const listed = lines.filter((line) => line.startsWith('Deployment/'));
  expect(listed.map((line) => line.split(' ')[0])).toEqual(
    Array.from({ length: 20 }, (_, i) => `Deployment/app${i + 1}`),
  );
  expect(lines).toContain('… and 2 more: --details lists them all');
  expect(lines.at(-2)).toBe('would restart 0, move 22 in 1 namespace, delete 0');
});

test('in detail every effect has its line', () => {
  const lines = planText(moves(), io, true).split('\n');
  expect(lines.filter((line) => line.startsWith('Deployment/'))).toHaveLength(44);
  expect(lines.some((line) => line.startsWith('…'))).toBe(false);
});

test('a long status begins with what is worst', () => {
  const reports = numbers.map((i): TemplateReport => ({
    template: template(i),
    policy: null,
    state: i === 22 ? 'failing' : 'pending',
    clusters: [],
    pending: null,
  }));
  const lines = templatesText(reports, io, { lines: 3, advice: 'look there' }).split('\n');
  expect(lines.slice(1, 4).map((line) => line.split(' ')[0])).toEqual([
    'Deployment/app22',
    'Deployment/app1',
    'Deployment/app2',
  ]);
  expect(lines[4]).toBe('… and 19 more: look there');
});

test('many templates in the same state for the same reason take one row', () => {
  const message = 'member2 is not ready since 2026-01-01T12:03:00Z: unreachable';
  const reports = numbers.map((i): TemplateReport => ({
    template: template(i),
    policy: { kind: 'PropagationPolicy', namespace: 'shop', name: 'web' },
    state: 'unhealthy',
    clusters: [{ name: 'member2', state: 'unhealthy', message }],
    pending: null,
  }));
  const lines = templatesText(reports, io, { lines: 20, advice: 'look there', fold: true }).split('\n');
  expect(lines).toHaveLength(3);
  expect(lines[1]).toMatch(
    /^22 templates +shop +unhealthy +member2 +PropagationPolicy\/shop\/web +member2 is not ready/,
  );
});

test('a fleet without members says how to get one', () => {
  expect(fleetText(fleetOf(worldOf({ objects: [], now: '2026-01-01T00:00:00Z' }), {}), io, { wide: false })).toBe(
    'there are no members: `sluice join` makes a cluster one\n\n0 templates: 0 in effect\n',
  );
});

test('an outage is named after the members, with what follows from it', () => {
  const failed = (name: string): Cluster => {
    const member = memberCluster(name);
    const [ready] = member.status?.conditions ?? [];
    return { ...member, status: { conditions: ready ? [{ ...ready, status: 'False' }] : [] } };
  };
  const objects = [failed('member1'), failed('member2'), memberCluster('member3')];
  const report = fleetOf(worldOf({ objects, now: '2026-01-01T00:00:00Z' }), {});
  const outage = '2 of 3 members failed within 300 s: member1, member2';
  expect(report.outage).toBe(outage);
  const lines = fleetText(report, io, { wide: false }).split('\n');
  expect(lines).toContain(`Outage: ${outage}. Nothing is evicted until enough of them are back.`);
});
