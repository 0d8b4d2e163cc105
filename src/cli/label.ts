import { Command } from 'commander';
import type { KubeObject } from '../api/index.ts';
import { nameOf } from './change.ts';
import type { Run } from './commands.ts';
import { connecting, dryRunOption, dryWords, namespaceOption, withHub } from './connect.ts';
import type { TryingFlags } from './connect.ts';
import { Failure, UsageError } from './failure.ts';
import { changed } from './hold.ts';
import { findTarget } from './kinds.ts';
import { told, writtenOption } from './print/output.ts';

interface LabelFlags extends TryingFlags {
  readonly namespace?: string;
  readonly overwrite?: boolean;
}

/** `sluice label` */
export function labelCommand(run: Run): Command {
  return marking(run, 'labels', {
    name: 'label',
    description: 'Set or take away labels of an object of the hub, as of a member that policies choose by label.',
    example: 'sluice label cluster/member1 tier=edge region-',
  });
}

/** `sluice annotate` */
export function annotateCommand(run: Run): Command {
  return marking(run, 'annotations', {
    name: 'annotate',
    description: 'Set or take away annotations of an object of the hub.',
    example: 'sluice annotate deployment/nginx -n shop owner=web-team',
  });
}

interface Words {
  readonly name: string;
  readonly description: string;
  readonly example: string;
}

function marking({ io }: Run, field: 'labels' | 'annotations', { name, description, example }: Words): Command {
  return connecting(new Command(name))
    .description(description)
    .argument('<KIND/NAME>', 'an object of the hub, as cluster/member1')
    .argument('<KEY=VALUE...>', 'KEY=VALUE to set, KEY- to take away')
    .addOption(namespaceOption())
    .option('--overwrite', 'change values that are there')
    .addOption(dryRunOption('let the hub judge, and write nothing'))
    .addOption(writtenOption())
    .addHelpText('after', `\nExample:\n  ${example}\n`)
    .action((word: string, marks: readonly string[], flags: LabelFlags) =>
      withHub(flags, io, async (hub) => {
        const target = await findTarget(hub, word, flags.namespace ?? hub.namespace);
        const change = (object: KubeObject): KubeObject => {
          const map = marks.reduce(
            (present, mark) => marked(present, mark, flags.overwrite === true),
            object.metadata[field] ?? {},
          );
          return { ...object, metadata: { ...object.metadata, [field]: map } };
        };
        const after = await changed({ client: hub.client, dryRun: flags.dryRun }, target, change);
        const words = `${nameOf(target)} ${name === 'label' ? 'labeled' : 'annotated'}${dryWords(flags)}\n`;
        told(io, flags.output, { objects: [after], words });
      }),
    );
}

/** Labels or annotations after one change. */
export function marked(
  present: Readonly<Record<string, string>>,
  mark: string,
  overwrite: boolean,
): Readonly<Record<string, string>> {
  const parts = /^(?<key>[^=]+?)(?:=(?<value>.*)|(?<remove>-))$/s.exec(mark)?.groups;
  if (!parts?.['key']) throw new UsageError(`${JSON.stringify(mark)} is neither KEY=VALUE nor KEY-`);
  const { key, value } = parts;
  const { [key ?? '']: before, ...others } = present;
  if (value === undefined) return others;
  if (before !== undefined && before !== value && !overwrite)
    throw new Failure(`${key} has the value ${before}: change it with --overwrite`);
  return { ...others, [key ?? '']: value };
}
