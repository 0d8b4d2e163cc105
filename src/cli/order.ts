import { writtenShapes } from './shape.ts';

/** Arguments with the command in front: `--kubeconfig F status` is `status --kubeconfig F`, `--help plan` is `plan --help`. */
export function commandFirst(args: readonly string[]): readonly string[] {
  if (!args[0]?.startsWith('-')) return args;
  const at = commandAt(args, flagsWithValue());
  if (at === undefined) return args;
  return [args[at] ?? '', ...args.slice(0, at), ...args.slice(at + 1)];
}

/** The place of the first word that is neither a flag nor the value of one. */
function commandAt(args: readonly string[], valued: ReadonlySet<string>): number | undefined {
  for (let i = 0; i < args.length; i++) {
    const word = args[i] ?? '';
    if (word === '--') return undefined;
    if (!word.startsWith('-')) return i;
    if (valued.has(word)) i++;
  }
  return undefined;
}

/** Every flag, of any command, that takes a value: `-n`, `--namespace`. */
function flagsWithValue(): ReadonlySet<string> {
  const options = Object.values(writtenShapes()).flatMap((shape) => shape.options);
  const valued = options.filter(({ flags }) => flags.includes('<')).flatMap(({ flags }) => flags.split(/[ ,]+/));
  return new Set([...valued.filter((word) => word.startsWith('-')), '--karmada-context']);
}
