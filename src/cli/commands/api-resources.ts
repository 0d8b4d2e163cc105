import { Command } from 'commander';
import { apiVersionOf } from '../../api/index.ts';
import { isTemplateKind } from '../../engine/index.ts';
import type { Run } from '../commands.ts';
import { connecting, withHub } from '../connect.ts';
import type { HubFlags } from '../connect.ts';
import { preferredKinds } from '../kinds.ts';
import { outputOption, printed } from '../print/output.ts';
import { table } from '../print/table.ts';

interface ResourcesFlags extends HubFlags {
  readonly output: string;
}

/** `sluice api-resources` */
export function apiResourcesCommand({ io }: Run): Command {
  return connecting(new Command('api-resources'))
    .description(
      'List the kinds that the hub serves, with the words that commands take for them. TEMPLATE says whether objects of the kind can be propagated.',
    )
    .addOption(outputOption('json', 'yaml', 'name'))
    .addHelpText('after', '\nExample:\n  sluice api-resources\n')
    .action((flags: ResourcesFlags) =>
      withHub(flags, io, async ({ served }) => {
        const kinds = [...preferredKinds(served.kinds)].sort((a, b) =>
          `${a.group}/${a.plural}` < `${b.group}/${b.plural}` ? -1 : 1,
        );
        if (printed(io, flags.output, { apiVersion: 'sluice.dev/v1', kind: 'KindList', items: kinds })) return;
        if (flags.output === 'name') {
          io.out(kinds.map(({ plural, group }) => `${plural}${group && `.${group}`}\n`).join(''));
          return;
        }
        const rows = kinds.map((kind) => [
          kind.plural,
          kind.shortNames?.join(',') ?? '',
          apiVersionOf(kind),
          String(kind.namespaced),
          kind.kind,
          isTemplateKind({ apiVersion: apiVersionOf(kind), kind: kind.kind }) ? 'yes' : 'no',
        ]);
        io.out(
          table(['NAME', 'SHORTNAMES', 'APIVERSION', 'NAMESPACED', 'KIND', 'TEMPLATE'], rows, { columns: undefined }),
        );
      }),
    );
}
