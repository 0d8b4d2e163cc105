import { Command } from 'commander';
import type { KubeObject } from '../../api/index.ts';
import { nameOf } from '../change.ts';
import type { Run } from '../commands.ts';
import { connecting, dryRunOption, dryWords, namespaceOption, withHub } from '../connect.ts';
import { changedWithConsent, yesOption } from '../consent.ts';
import type { ConsentFlags } from '../consent.ts';
import { Failure, UsageError } from '../failure.ts';
import { findTarget } from '../kinds.ts';
import { told, writtenOption } from '../print/output.ts';

interface LabelFlags extends ConsentFlags {
  readonly namespace?: string;
  readonly overwrite?: boolean;
}

/** `sluice label` */
export function labelCommand(run: Run): Command {
  return marking(run, 'labels', {
    name: 'label',
    past: 'labeled',
    description: 'Set or remove labels of an object of the hub, for example of a member that policies select by label.',
    example: 'sluice label cluster/member1 tier=edge region-',
  });
}

/** `sluice annotate` */
export function annotateCommand(run: Run): Command {
  return marking(run, 'annotations', {
    name: 'annotate',
    past: 'annotated',
    description: 'Set or remove annotations of an object of the hub.',
    example: 'sluice annotate deployment/nginx -n shop owner=web-team',
  });
}

interface LabelWords {
  readonly name: string;
  /** In kubectl's words. */
  readonly past: string;
  readonly description: string;
  readonly example: string;
}

function marking(
  { io }: Run,
  field: 'labels' | 'annotations',
  { name, past, description, example }: LabelWords,
): Command {
  return connecting(new Command(name))
    .description(description)
    .argument('<KIND/NAME>', 'an object of the hub, for example cluster/member1')
    .argument('<KEY=VALUE...>', 'KEY=VALUE to set, KEY- to remove')
    .addOption(namespaceOption())
    .option('--overwrite', 'change existing values')
    .addOption(yesOption())
    .addOption(dryRunOption('validate on the hub, print the plan, and write nothing'))
    .addOption(writtenOption())
    .addHelpText('after', `\nExample:\n  ${example}\n`)
    .action((word: string, marks: readonly string[], flags: LabelFlags) =>
      withHub(flags, io, async (hub) => {
        const target = await findTarget(hub, word, flags.namespace ?? hub.namespace);
        let done = '';
        const change = (object: KubeObject): KubeObject => {
          const before = object.metadata[field] ?? {};
          const map = marks.reduce((present, mark) => marked(present, mark, flags.overwrite === true), before);
          done = doneWords(past, { before, after: map });
          return { ...object, metadata: { ...object.metadata, [field]: map } };
        };
        const what = `${name.charAt(0).toUpperCase()}${name.slice(1)} ${nameOf(target)}`;
        const after = await changedWithConsent({ hub, io, flags, what }, target, change);
        told(io, flags.output, { objects: [after], words: `${nameOf(target)} ${done}${dryWords(flags)}\n` });
      }),
    );
}

type Marks = Readonly<Record<string, string>>;

/** kubectl's words for what happened to labels: `labeled`, `unlabeled` or `not labeled`; annotations are `annotated`. */
function doneWords(past: string, { before, after }: { readonly before: Marks; readonly after: Marks }): string {
  if (past !== 'labeled' || Object.entries(after).some(([key, value]) => before[key] !== value)) return past;
  return Object.keys(before).some((key) => !(key in after)) ? `un${past}` : `not ${past}`;
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
