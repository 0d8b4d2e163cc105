import { expect, test } from 'vitest';
import type { Effect, Plan } from '../../engine/index.ts';
import type { Io } from '../io.ts';
import type { TemplateReport } from '../world/report.ts';
import { planText } from './plan.ts';
import { fleetText, templatesText } from './status.ts';

const io = { columns: undefined, colour: false } as Io;
const template = (i: number) => ({ apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop', name: `app${i}` });
const numbers = Array.from({ length: 22 }, (_, i) => 22 - i);

function moves(): Plan {
  const effects = numbers.flatMap((i): readonly Effect[] => [
    { template: template(i), cluster: 'member1', effect: 'delete', when: 'now', because: 'Refreshed' },
    { template: template(i), cluster: 'member2', effect: 'create', when: 'now', because: 'Refreshed' },
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

test('a fleet without members says how to get one', () => {
  const totals = { templates: 0, failing: 0, held: 0, pending: 0, progressing: 0, inEffect: 0, notPropagated: 0 };
  const fleet = { apiVersion: 'sluice.dev/v1', kind: 'FleetStatus', totals, members: [], templates: [] } as const;
  expect(fleetText(fleet, io, { wide: false })).toBe(
    'there are no members: `sluice join` makes a cluster one\n\n0 templates: 0 in effect\n',
  );
});
