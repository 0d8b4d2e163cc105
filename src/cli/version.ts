import { readFileSync } from 'node:fs';
import { Command } from 'commander';

/** The version of the package. */
export function packageVersion(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { readonly version: string }).version;
}

/** `sluice version` */
export function versionCommand(): Command {
  return new Command('version')
    .description('print the version of sluice and of the Node.js that runs it')
    .action(() => void process.stdout.write(`sluice ${packageVersion()} (Node.js ${process.version})\n`));
}
