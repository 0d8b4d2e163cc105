import type { Plan, When } from '../../engine/index.ts';
import type { Io } from '../io.ts';
import { coloursOf } from './colour.ts';
import type { Colours } from './colour.ts';
import { effectWhen, fatesOf, groupsOf, policyText, totalsLine, whenText } from './groups.ts';
import type { EffectName, Fate, Group } from './groups.ts';
import { table } from './table.ts';

/** Number of templates that are listed by default. */
const listed = 20;

/** A plan for people: what happens in groups, then template by template, or effect by effect. */
export function planText(plan: Plan, io: Io, details: boolean): string {
  const colours = coloursOf(io);
  if (plan.errors.length > 0) return errorsText(plan, colours);
  const warnings = warningsText(plan, colours);
  if (plan.effects.length === 0) return `${warnings}${colours.good('nothing changes in any member')}\n`;
  const fates = fatesOf(plan);
  const groups = groupsOf(fates);
  const list = details ? effectsText(plan, io) : fatesText(fates, io, colours);
  return `${groupsText(groups, io, colours)}\n${list}\n${warnings}${colours.strong(totalsLine(groups))}\n`;
}

/** One line for each warning. */
function warningsText({ warnings }: Plan, colours: Colours): string {
  return warnings.map(({ object, message }) => `${colours.caution('warning:')} ${object}: ${message}\n`).join('');
}

function errorsText({ errors }: Plan, colours: Colours): string {
  const lines = errors.map(({ object, path, message }) => `  ${object}: ${path ? `${path}: ` : ''}${message}`);
  return `${colours.danger('the hub would refuse this change')}\n${lines.join('\n')}\n`;
}

function groupsText(groups: readonly Group[], io: Io, colours: Colours): string {
  const rows = groups.map(({ effectName, when, waitsFor, namespace, policy, clusters, because, templates }) => [
    paintedEffect(effectName, when, colours),
    when === 'now' ? when : colours.caution(whenText({ when, waitsFor })),
    String(templates.length),
    namespace || '-',
    clusters,
    policy || '-',
    because,
  ]);
  return table(['EFFECT', 'WHEN', 'TEMPLATES', 'NAMESPACE', 'CLUSTERS', 'POLICY', 'BECAUSE'], rows, io);
}

function paintedEffect(effectName: EffectName, when: When, colours: Colours): string {
  if (when !== 'now' && when !== 'unreachable') return colours.faint(effectName);
  if (effectName === 'delete' || effectName === 'restart') return colours.danger(effectName);
  return effectName === 'create' ? colours.good(effectName) : colours.caution(effectName);
}

function fatesText(fates: readonly Fate[], io: Io, colours: Colours): string {
  const rows = fates
    .slice(0, listed)
    .map(({ template, effectName, when, waitsFor, clusters }) => [
      `${template.kind}/${template.name}`,
      template.namespace ?? '-',
      paintedEffect(effectName, when, colours),
      whenText({ when, waitsFor }),
      clusters,
    ]);
  const more = fates.length - rows.length;
  const rest = more > 0 ? `… and ${more} more: --details lists them all\n` : '';
  return table(['TEMPLATE', 'NAMESPACE', 'EFFECT', 'WHEN', 'CLUSTERS'], rows, io) + rest;
}

function effectsText({ effects }: Plan, io: Io): string {
  const rows = effects.map((one) => [
    `${one.template.kind}/${one.template.name}`,
    one.template.namespace ?? '-',
    one.cluster,
    one.effect,
    effectWhen(one),
    one.because,
    one.policy ? policyText(one.policy) : '-',
  ]);
  return table(['TEMPLATE', 'NAMESPACE', 'CLUSTER', 'EFFECT', 'WHEN', 'BECAUSE', 'POLICY'], rows, io);
}
