/**
 * Writes docs/karmada.md from the table in src/api/support: `node tools/karmada.ts`. The warnings of the API and of `sluice plan`
 * come from the same table; a test keeps page and table equal.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { kindSupport, settingSupport } from '../src/api/index.ts';
import type { KindSupport, SettingSupport, Support, SupportRow } from '../src/api/index.ts';

const intro = `# Karmada's API in Sluice

Sluice serves the API of Karmada: its manifests, \`kubectl\` and its Go client work unchanged. This page says for every kind, field,
feature gate, controller, flag, label and annotation whether it **works** as in Karmada, **differs** (and how), or does **not yet** act.

A kind or field that does not yet act is accepted and kept, so that manifests can be moved here as they are. The API answers a write
of it with a warning, which \`kubectl\` prints, and \`sluice plan\` lists it under its warnings.

Generated from one table in the code, which also feeds the warnings: \`node tools/karmada.ts\`.
`;

const words: Readonly<Record<Support, string>> = { works: 'works', differs: 'differs', notYet: 'not yet' };

/** The page of a table. */
export function karmadaPage(kinds: readonly KindSupport[], settings: readonly SettingSupport[]): string {
  const all = kinds.flatMap((one) => one.kinds.map((kind) => [kind, one.group, words[one.support], one.note]));
  return [
    intro,
    `## Kinds\n\n${table(['kind', 'API', 'state', 'notes'], all)}`,
    ...kinds.filter(({ support }) => support !== 'notYet').map(fieldsOf),
    ...settings.map(({ title, rows }) => `## ${title}\n\n${table(['name', 'state', 'notes'], rowsOf(rows))}`),
  ].join('\n');
}

function fieldsOf({ kinds, fields }: KindSupport): string {
  return `## Fields of ${kinds.join(' and ')}\n\n${table(['field', 'state', 'notes'], rowsOf(fields))}`;
}

function rowsOf(rows: Readonly<Record<string, SupportRow>>): readonly (readonly string[])[] {
  return Object.entries(rows).map(([name, { support, note }]) => [`\`${name}\``, words[support], note]);
}

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = heads.map((_, i) => Math.max(3, ...[heads, ...rows].map((row) => row[i]?.length ?? 0)));
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join(' | ')} |\n`;
  return [line(heads), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('');
}

if (import.meta.main) {
  writeFileSync(join(import.meta.dirname, '../docs/karmada.md'), karmadaPage(kindSupport, settingSupport));
}
