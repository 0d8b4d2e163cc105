import type { Plan } from '../../engine/index.ts';
import type { Io } from '../io.ts';
import { coloursOf } from './colour.ts';
import type { Colours } from './colour.ts';
import { groupsOf, policyText, totalsLine } from './groups.ts';
import type { Deed } from './groups.ts';
import { table } from './table.ts';

/** So many effects are listed without being asked for. */
const listed = 20;

/** A plan for people. */
export function planText(plan: Plan, io: Io, details: boolean): string {
  const colours = coloursOf(io);
  if (plan.errors.length > 0) return errorsText(plan, colours);
  if (plan.effects.length === 0) return `${colours.good('nothing changes in any member')}\n`;
  return `${groupsText(plan, io, colours)}\n${effectsText(plan, io, details)}\n${colours.strong(totalsLine(plan))}\n`;
}

function errorsText({ errors }: Plan, colours: Colours): string {
  const lines = errors.map(({ object, path, message }) => `  ${object}: ${path ? `${path}: ` : ''}${message}`);
  return `${colours.danger('the hub would refuse this change')}\n${lines.join('\n')}\n`;
}

function groupsText(plan: Plan, io: Io, colours: Colours): string {
  const rows = groupsOf(plan).map(({ deed, when, namespace, policy, clusters, because, templates }) => [
    when === 'now' ? painted(deed, colours) : colours.faint(deed),
    when === 'now' ? when : colours.caution(when),
    String(templates.length),
    namespace || '-',
    clusters,
    policy || '-',
    because,
  ]);
  return table(['EFFECT', 'WHEN', 'TEMPLATES', 'NAMESPACE', 'CLUSTERS', 'POLICY', 'BECAUSE'], rows, io);
}

function painted(deed: Deed, colours: Colours): string {
  if (deed === 'delete' || deed === 'restart') return colours.danger(deed);
  return deed === 'create' ? colours.good(deed) : colours.caution(deed);
}

function effectsText({ effects }: Plan, io: Io, details: boolean): string {
  const shown = details ? effects : effects.slice(0, listed);
  const rows = shown.map(({ template, cluster, effect, when, because, policy }) => [
    `${template.kind}/${template.name}`,
    template.namespace ?? '-',
    cluster,
    effect,
    when,
    because,
    policy ? policyText(policy) : '-',
  ]);
  const more = effects.length - shown.length;
  const rest = more > 0 ? `… and ${more} more: --details lists them all\n` : '';
  return table(['TEMPLATE', 'NAMESPACE', 'CLUSTER', 'EFFECT', 'WHEN', 'BECAUSE', 'POLICY'], rows, io) + rest;
}
