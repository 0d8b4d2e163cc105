import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import type { Run } from './commands.ts';

/** The version of the package. */
export function packageVersion(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { readonly version: string }).version;
}

/** `sluice version` */
export function versionCommand({ io }: Run): Command {
  return new Command('version')
    .description('print the version of sluice and of the Node.js that runs it')
    .action(() => io.out(`sluice ${packageVersion()} (Node.js ${process.version})\n`));
}
