import type { Plan } from '../../engine/index.ts';
import { effectWhen, fatesOf, groupsOf, policyText, totalsLine, whenText } from './groups.ts';

const most = 200;

/** A plan as a comment on a change request: warnings and notes first, groups open, every effect folded away. */
export function markdownOf(plan: Plan, notes: readonly string[] = []): string {
  const [head = '', ...rest] = planMarkdown(plan).split('\n');
  const warnings = plan.warnings.map(({ object, message }) => `> **Warning:** ${object}: ${message}\n`);
  const quotes = [...warnings, ...notes.map((note) => `> Note: ${note}\n`)].join('>\n');
  return quotes === '' ? [head, ...rest].join('\n') : `${head}\n\n${quotes}${rest.join('\n')}`;
}

function planMarkdown(plan: Plan): string {
  if (plan.errors.length > 0) {
    const rows = plan.errors.map(({ object, path, message }) => [object, path ? `\`${path}\`` : '', message]);
    return `### Sluice plan: refused\n\n${grid(['Object', 'Field', 'Why'], rows)}`;
  }
  if (plan.effects.length === 0) return '### Sluice plan: nothing changes in any member\n';
  const groups = groupsOf(fatesOf(plan));
  const rows = groups.map(({ effectName, when, waitsFor, templates, namespace, clusters, policy, because }) => [
    `**${effectName}**`,
    whenText({ when, waitsFor }),
    String(templates.length),
    namespace || '–',
    clusters,
    policy || '–',
    `\`${because}\``,
  ]);
  const effects = plan.effects
    .slice(0, most)
    .map((one) => [
      `${one.template.kind}/${one.template.name}`,
      one.template.namespace ?? '–',
      one.cluster,
      one.effect,
      effectWhen(one),
      `\`${one.because}\``,
      one.policy ? policyText(one.policy) : '–',
    ]);
  const more = plan.effects.length - effects.length;
  return [
    `### Sluice plan: ${totalsLine(groups)}\n`,
    grid(['Effect', 'When', 'Templates', 'Namespace', 'Clusters', 'Policy', 'Because'], rows),
    `<details><summary>${plan.effects.length} effects</summary>\n`,
    grid(['Template', 'Namespace', 'Cluster', 'Effect', 'When', 'Because', 'Policy'], effects),
    ...(more > 0 ? [`… and ${more} more.\n`] : []),
    '</details>\n',
  ].join('\n');
}

function grid(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  return line(heads) + line(heads.map(() => '---')) + rows.map(line).join('');
}

function line(cells: readonly string[]): string {
  return `| ${cells.map(escaped).join(' | ')} |\n`;
}

function escaped(text: string): string {
  return text.replaceAll('|', String.raw`\|`).replaceAll('\n', ' ');
}
