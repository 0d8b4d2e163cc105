import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The folder of a Go module, fetched into Go's own cache if it is not there yet. */
export function moduleFolder(module: string, version: string): string {
  const answer = execFileSync('go', ['mod', 'download', '-json', `${module}@${version}`], {
    cwd: tmpdir(),
    encoding: 'utf8',
  });
  return (JSON.parse(answer) as { readonly Dir: string }).Dir;
}

/** A JSON file of a module. */
export function readJson(...path: readonly string[]): unknown {
  return JSON.parse(readFileSync(join(...path), 'utf8'));
}

/** JSON with one member a line, so that a new release shows as a readable diff. */
export function oneMemberALine(value: Readonly<Record<string, unknown>>): string {
  const lines = Object.entries(value).map(([key, member]) => `${JSON.stringify(key)}:${JSON.stringify(member)}`);
  return `{\n${lines.join(',\n')}\n}\n`;
}
