import { ofOneObject } from './spellings.ts';
import { commands } from './commands.ts';
import { asHubFlags, valueOf } from './complete-flags.ts';
import type { Io } from './io.ts';
import { writtenShapes } from './shape.ts';
import type { CommandShape } from './shape.ts';

/** The hidden command that the completion scripts of shells call with the words of the line so far. */
export const completer = '__complete';

/** A word that can stand here; the description is for shells that show one. */
export interface Candidate {
  readonly word: string;
  readonly description?: string;
}

/** Tells a shell to offer the names of files instead. */
const files: readonly Candidate[] = [{ word: ':files' }];

/** Words that only a hub knows. */
export type HubWords = 'members' | 'namespaces' | 'kinds' | 'objects' | 'policies' | 'contexts';

/** The line to complete: its words without the program, the last of them unfinished. */
export interface TypedLine {
  readonly words: readonly string[];
  readonly io: Io;
}

/** Prints what the last word of a line can become, one candidate a line. Never fails: a shell has no place for errors. */
export async function complete(words: readonly string[], io: Io): Promise<void> {
  const line = { words: joined(words), io };
  const found = await candidates(line).catch(() => []);
  const last = line.words.at(-1) ?? '';
  const typed = last.slice(last.startsWith('-') ? last.indexOf('=') + 1 : 0);
  const fitting = found.filter(({ word }) => word.startsWith(':') || word.startsWith(typed));
  io.out(fitting.map(({ word, description }) => `${word}${description ? `\t${description}` : ''}\n`).join(''));
}

/** Bash splits `--output=json` into three words. */
function joined(words: readonly string[]): readonly string[] {
  const whole: string[] = [];
  for (const word of words) {
    const last = whole.at(-1);
    if (last !== undefined && last.startsWith('--') && (word === '=' || last.endsWith('='))) {
      whole[whole.length - 1] = last + word;
    } else whole.push(word);
  }
  return whole;
}

async function candidates(line: TypedLine): Promise<readonly Candidate[]> {
  const [called = '', ...rest] = line.words;
  if (rest.length === 0) return commands.map(({ name, summary }) => ({ word: name, description: summary }));
  if (called === 'help') return commands.map(({ name }) => ({ word: name }));
  const shape = writtenShapes()[called];
  return shape ? ofCommand(line, called, shape) : [];
}

async function ofCommand(line: TypedLine, called: string, shape: CommandShape): Promise<readonly Candidate[]> {
  const last = line.words.at(-1) ?? '';
  const flag = last.startsWith('--') && last.includes('=') ? last.slice(0, last.indexOf('=')) : line.words.at(-2);
  const value = valueOf(shape, flag ?? '');
  if (value) return valuesOf(line, value);
  return last.startsWith('-') ? flagsOf(shape) : argumentsOf(line, called, shape);
}

function flagsOf({ options }: CommandShape): readonly Candidate[] {
  const own = options.flatMap(({ flags, description }) => {
    const [long] = /--[a-z-]+/.exec(flags) ?? [];
    return long ? [{ word: long, description }] : [];
  });
  return [...own, { word: '--help', description: 'show help' }];
}

type Value = NonNullable<ReturnType<typeof valueOf>>;

async function valuesOf(line: TypedLine, value: Value): Promise<readonly Candidate[]> {
  if (value.choices) return value.choices.map((word) => ({ word: word.replace(/[A-Z]+$/, '') }));
  if (value.of === 'files') return files;
  return value.of === undefined ? [] : fromHub(line, value.of);
}

const membersOnly: ReadonlySet<string> = new Set(['unjoin', 'cordon', 'uncordon', 'taint', 'sim']);

async function argumentsOf(line: TypedLine, called: string, shape: CommandShape): Promise<readonly Candidate[]> {
  const before = positional(line.words.slice(1, -1), shape);
  const [first] = shape.arguments;
  if (first?.choices && before.length === 0) return first.choices.map((word) => ({ word }));
  if (membersOnly.has(called)) return before.length === 0 ? fromHub(line, 'members') : [];
  if (called === 'get') return fromHub(line, before.length === 0 ? 'kinds' : 'objects');
  return ofOneObject.has(called) && before.length === 0 ? objectWords(line, called) : [];
}

/** Objects of the hub; removals are resumed like one. */
async function objectWords(line: TypedLine, called: string): Promise<readonly Candidate[]> {
  const objects = await fromHub(line, 'objects');
  return called === 'resume' ? [{ word: 'removals' }, ...objects] : objects;
}

/** The words that are neither flags nor their values. */
function positional(words: readonly string[], shape: CommandShape): readonly string[] {
  return words.filter((word, i) => !word.startsWith('-') && !valueOf(shape, words[i - 1] ?? ''));
}

/** Reading the client takes longer than everything else here. */
async function fromHub(line: TypedLine, what: HubWords): Promise<readonly Candidate[]> {
  const { hubWords } = await import('./complete-hub.ts');
  const [called = '', ...rest] = line.words;
  const before = positional(
    rest.slice(0, -1),
    writtenShapes()[called] ?? { description: '', arguments: [], options: [], after: '' },
  );
  const flags = asHubFlags(rest);
  return hubWords({
    io: line.io,
    flags,
    what,
    kind: called === 'get' ? before[0] : undefined,
    last: rest.at(-1) ?? '',
  });
}
