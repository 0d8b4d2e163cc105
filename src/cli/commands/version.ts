import { Command } from 'commander';
import type { Run } from '../commands.ts';
import { assetOf, releaseAssetOf } from '../assets.ts';
import { formatOption, printed } from '../print/output.ts';

/** The version of the package. */
export function packageVersion(): string {
  const { version } = assetOf(new URL('../../../package.json', import.meta.url)) as { readonly version: string };
  return version;
}

/** The commit from which a release was made; undefined in a checkout. */
function packageCommit(): string | undefined {
  const build = releaseAssetOf(new URL('../../build.json', import.meta.url)) as
    | { readonly commit?: string }
    | undefined;
  return build?.commit;
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
      const commit = packageCommit();
      const own = { version, ...(commit !== undefined && { commit }), node: process.version };
      const words = commit === undefined ? '' : `commit ${commit}, `;
      if (!printed(io, output, { apiVersion: 'sluice.dev/v1', kind: 'Version', ...own }))
        io.out(`sluice ${version} (${words}Node.js ${process.version})\n`);
    });
}
