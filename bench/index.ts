/**
 * Runs the benchmarks and prints one table: `npm run bench`, or `npm run bench -- engine store` for files that start so.
 * A benchmark is a file `bench/x.ts` that exports `run`; it must leave nothing running behind.
 */
import { readdirSync } from 'node:fs';
import type { Figure } from './kit/measure.ts';

interface Benchmark {
  readonly run: () => readonly Figure[] | Promise<readonly Figure[]>;
}

function namesOf(wanted: readonly string[]): readonly string[] {
  const names = readdirSync(import.meta.dirname)
    .filter((file) => file.endsWith('.ts') && file !== 'index.ts')
    .map((file) => file.slice(0, -'.ts'.length))
    .sort();
  return wanted.length === 0 ? names : names.filter((name) => wanted.some((want) => name.startsWith(want)));
}

function table(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  const pad = (cell: string, i: number): string =>
    i === 2 ? cell.padStart(widths[i] ?? 0) : cell.padEnd(widths[i] ?? 0);
  return rows.map((row) => row.map(pad).join('  ').trimEnd()).join('\n');
}

const wanted = process.argv.slice(2);
const names = namesOf(wanted);
if (names.length === 0 && wanted.length > 0) {
  console.error(`no benchmark starts with ${wanted.join(' or ')}`);
  process.exitCode = 2;
}
const rows: string[][] = [['BENCH', 'WHAT', 'FIGURE', 'UNIT', 'BUDGET']];
for (const name of names) {
  process.stderr.write(`${name} …\n`);
  const { run } = (await import(`./${name}.ts`)) as Benchmark;
  for (const { what, value, unit, budget } of await run()) {
    const figure = value >= 100 ? Math.round(value).toLocaleString('en') : value.toPrecision(3);
    rows.push([name, what, figure, unit, budget === undefined ? '' : `${budget} ${unit}`]);
  }
}
if (names.length > 0) console.log(table(rows));
