import type { Plan, When } from '../../engine/index.ts';
import type { Io } from '../io.ts';
import { coloursOf } from './colour.ts';
import type { Colours } from './colour.ts';
import { fatesOf, groupsOf, policyText, totalsLine } from './groups.ts';
import type { Deed, Fate, Group } from './groups.ts';
import { table } from './table.ts';

/** So many templates are listed without being asked for. */
const listed = 20;

/** A plan for people: what happens in groups, then template by template, or effect by effect. */
export function planText(plan: Plan, io: Io, details: boolean): string {
  const colours = coloursOf(io);
  if (plan.errors.length > 0) return errorsText(plan, colours);
  if (plan.effects.length === 0) return `${colours.good('nothing changes in any member')}\n`;
  const fates = fatesOf(plan);
  const groups = groupsOf(fates);
  const list = details ? effectsText(plan, io) : fatesText(fates, io, colours);
  return `${groupsText(groups, io, colours)}\n${list}\n${colours.strong(totalsLine(groups))}\n`;
}

function errorsText({ errors }: Plan, colours: Colours): string {
  const lines = errors.map(({ object, path, message }) => `  ${object}: ${path ? `${path}: ` : ''}${message}`);
  return `${colours.danger('the hub would refuse this change')}\n${lines.join('\n')}\n`;
}

function groupsText(groups: readonly Group[], io: Io, colours: Colours): string {
  const rows = groups.map(({ deed, when, namespace, policy, clusters, because, templates }) => [
    paintedDeed(deed, when, colours),
    when === 'now' ? when : colours.caution(when),
    String(templates.length),
    namespace || '-',
    clusters,
    policy || '-',
    because,
  ]);
  return table(['EFFECT', 'WHEN', 'TEMPLATES', 'NAMESPACE', 'CLUSTERS', 'POLICY', 'BECAUSE'], rows, io);
}

function paintedDeed(deed: Deed, when: When, colours: Colours): string {
  if (when !== 'now') return colours.faint(deed);
  if (deed === 'delete' || deed === 'restart') return colours.danger(deed);
  return deed === 'create' ? colours.good(deed) : colours.caution(deed);
}

function fatesText(fates: readonly Fate[], io: Io, colours: Colours): string {
  const rows = fates
    .slice(0, listed)
    .map(({ template, deed, when, clusters }) => [
      `${template.kind}/${template.name}`,
      template.namespace ?? '-',
      paintedDeed(deed, when, colours),
      when,
      clusters,
    ]);
  const more = fates.length - rows.length;
  const rest = more > 0 ? `… and ${more} more: --details lists them all\n` : '';
  return table(['TEMPLATE', 'NAMESPACE', 'EFFECT', 'WHEN', 'CLUSTERS'], rows, io) + rest;
}

function effectsText({ effects }: Plan, io: Io): string {
  const rows = effects.map(({ template, cluster, effect, when, because, policy }) => [
    `${template.kind}/${template.name}`,
    template.namespace ?? '-',
    cluster,
    effect,
    when,
    because,
    policy ? policyText(policy) : '-',
  ]);
  return table(['TEMPLATE', 'NAMESPACE', 'CLUSTER', 'EFFECT', 'WHEN', 'BECAUSE', 'POLICY'], rows, io);
}
