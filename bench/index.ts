/**
 * Runs the benchmarks and prints one table: `npm run bench`, or `npm run bench -- engine store` for files that start so.
 * A benchmark is a file `bench/x.ts` that exports `run`; it must leave nothing running behind. A file without it is a program
 * of its own, started by hand.
 */
import { readdirSync } from 'node:fs';
import { tableOf } from './kit/measure.ts';
import type { Figure } from './kit/measure.ts';

interface Benchmark {
  readonly run?: () => readonly Figure[] | Promise<readonly Figure[]>;
}

function namesOf(wanted: readonly string[]): readonly string[] {
  const names = readdirSync(import.meta.dirname)
    .filter((file) => file.endsWith('.ts') && file !== 'index.ts')
    .map((file) => file.slice(0, -'.ts'.length))
    .sort();
  return wanted.length === 0 ? names : names.filter((name) => wanted.some((want) => name.startsWith(want)));
}

const wanted = process.argv.slice(2);
const names = namesOf(wanted);
if (names.length === 0 && wanted.length > 0) {
  console.error(`no benchmark starts with ${wanted.join(' or ')}`);
  process.exitCode = 2;
}
const figures: (Figure & { bench: string })[] = [];
for (const bench of names) {
  const { run } = (await import(`./${bench}.ts`)) as Benchmark;
  if (!run) continue;
  process.stderr.write(`${bench} …\n`);
  for (const figure of await run()) figures.push({ ...figure, bench });
}
if (figures.length > 0) console.log(tableOf(figures));
