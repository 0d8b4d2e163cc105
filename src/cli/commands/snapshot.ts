import { Command } from 'commander';
import type { Run } from '../commands.ts';
import { connecting, withHub } from '../connect.ts';
import type { HubFlags } from '../connect.ts';
import { withMembers } from '../members.ts';
import { snapshotText } from '../world/file.ts';
import { tellHidden } from '../world/hidden.ts';
import { fetchSnapshot } from '../world/state.ts';

/** `sluice snapshot` */
export function snapshotCommand({ io }: Run): Command {
  return connecting(new Command('snapshot'))
    .description(
      'Print the state of the hub, as far as you may see it, for `sluice plan --snapshot`. Values of Secrets are replaced by fingerprints.',
    )
    .addHelpText(
      'after',
      `
Examples:
  sluice snapshot > state.json
  sluice plan -f policy.yaml --snapshot state.json     plan without access to the hub, for example in CI
`,
    )
    .action((flags: HubFlags) =>
      withHub(flags, io, (hub) =>
        withMembers(hub, flags.timeout, async (members) => {
          const snapshot = await fetchSnapshot(hub, members, 'plan');
          tellHidden(io, snapshot);
          io.out(`${snapshotText(snapshot)}\n`);
        }),
      ),
    );
}
