/**
 * Writes docs/karmada-specs.md from test/karmada, which has a file for each file of Karmada's end-to-end suite:
 * `node tools/karmada-specs.ts`. A test keeps page and files equal, and looks for the tests that they name.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { load } from 'js-yaml';

const top = join(import.meta.dirname, '..');
const folder = join(top, 'test/karmada');

/** A spec of Karmada and our answer: the tests that show the same, or why there is none. */
export interface ComparedSpec {
  readonly spec: string;
  /** Tests of ours as `FILE > TITLE`. */
  readonly shown?: string | readonly string[];
  /** The part that is not there yet, or not compared. */
  readonly open?: string;
}

export interface ComparedFile {
  readonly name: string;
  readonly specs: readonly ComparedSpec[];
}

/** All files of the suite that are compared, by name. */
export function comparedFiles(): readonly ComparedFile[] {
  const names = readdirSync(folder).filter((name) => name.endsWith('.yaml'));
  return names.sort().map((name) => ({
    name: `${basename(name, '.yaml')}_test.go`,
    specs: load(readFileSync(join(folder, name), 'utf8')) as readonly ComparedSpec[],
  }));
}

/** The tests that a spec names, each as file and title. */
export function testsOf({ shown = [] }: ComparedSpec): readonly (readonly [file: string, title: string])[] {
  return [shown].flat().map((one) => {
    const [file = '', ...title] = one.split(' > ');
    return [file, title.join(' > ')];
  });
}

const intro = `# Karmada's specs

Karmada's end-to-end suite is public, in the folder e2e/suites/base of its tests. For each of its specs these tables name the test that shows the
same here, or say why there is none. Scenarios run twice: on the model in memory, and on a whole system.

Generated from [test/karmada](../test/karmada/): \`node tools/karmada-specs.ts\`.
`;

/** The page of all files. */
export function specsPage(files: readonly ComparedFile[]): string {
  return [intro, summaryOf(files), ...files.map(sectionOf)].join('\n');
}

function summaryOf(files: readonly ComparedFile[]): string {
  const specs = files.flatMap((file) => file.specs);
  const shown = specs.filter((one) => one.shown !== undefined).length;
  return `Of ${specs.length} specs in ${files.length} files, ${shown} have a test here and ${specs.length - shown} are open.\n`;
}

function sectionOf({ name, specs }: ComparedFile): string {
  const rows = specs.map((one) => [cell(one.spec), answerOf(one)] as const);
  return `## ${name}\n\n${table(['spec', 'here'], rows)}`;
}

function answerOf(spec: ComparedSpec): string {
  const tests = testsOf(spec).map(([file, title]) => `${cell(title)} ([${basename(file)}](../${file}))`);
  return [...tests, ...(spec.open === undefined ? [] : [`open: ${cell(spec.open)}`])].join('; ');
}

/** Text that stands in a cell as it is. */
const cell = (text: string): string => text.replace(/[|*_[\]<>`]/g, '\\$&');

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = heads.map((_, i) => Math.max(3, ...[heads, ...rows].map((row) => row[i]?.length ?? 0)));
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((text, i) => text.padEnd(widths[i] ?? 0)).join(' | ')} |\n`;
  return [line(heads), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('');
}

if (import.meta.main) writeFileSync(join(top, 'docs/karmada-specs.md'), specsPage(comparedFiles()));
