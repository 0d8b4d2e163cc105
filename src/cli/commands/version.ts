import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import type { Run } from '../commands.ts';
import { formatOption, printed } from '../print/output.ts';

/** The version of the package. */
export function packageVersion(): string {
  const text = readFileSync(new URL('../../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { readonly version: string }).version;
}

/** This program and its version. */
export const program = (): string => `sluice ${packageVersion()}`;

/** `sluice version` */
export function versionCommand({ io }: Run): Command {
  return new Command('version')
    .description('print the version of sluice and of the Node.js that runs it')
    .addOption(formatOption('text', 'json', 'yaml'))
    .addHelpText('after', '\nExamples:\n  sluice version\n  sluice version -o json\n')
    .action(({ output }: { readonly output: string }) => {
      const version = packageVersion();
      const value = { apiVersion: 'sluice.dev/v1', kind: 'Version', version, node: process.version };
      if (!printed(io, output, value)) io.out(`sluice ${version} (Node.js ${process.version})\n`);
    });
}
