import { InvalidArgumentError, Option } from 'commander';
import type { KubeObject, Ref } from '../../api/index.ts';
import type { Io } from '../io.ts';
import { evaluate, parseTemplate, TemplateError } from '../../base/index.ts';
import { Failure } from '../failure.ts';
import { yamlOf } from '../../base/index.ts';
import { columnsOf, customColumns } from './columns.ts';

const jsonpath = 'jsonpath=';

/**
 * The flag `-o` with the formats of a command; the first is the default for people. A command with JSON also offers
 * templates.
 */
export function formatOption(...formats: readonly string[]): Option {
  const [usual] = formats;
  return new Option('-o, --output <FORMAT>', 'how to print')
    .choices([...formats, `${jsonpath}TEMPLATE`])
    .argParser((text: string) => {
      if (!formats.includes(text) && !isTemplate(text))
        throw new InvalidArgumentError(`Allowed choices are ${formats.join(', ')}, ${jsonpath}TEMPLATE.`);
      return text;
    })
    .default(usual);
}

/** The flag `-o` of a command that shows something. */
export function outputOption(...formats: readonly string[]): Option {
  return formatOption('table', ...formats);
}

/** The flag `-o` of a command that lists objects: what `outputOption` takes, and custom columns. */
export function listOption(...formats: readonly string[]): Option {
  const option = outputOption(...formats);
  const { parseArg } = option;
  return option
    .choices([...(option.argChoices ?? []), `${customColumns}COLUMNS`])
    .argParser((text: string, before: string) => {
      if (text.startsWith(customColumns)) return checkedColumns(text);
      return parseArg?.(text, before) as string;
    });
}

/** Wrong columns are found out before anything is asked. */
function checkedColumns(text: string): string {
  try {
    columnsOf(text);
    return text;
  } catch (error) {
    if (error instanceof TemplateError) throw new InvalidArgumentError(`${error.message}.`);
    throw error;
  }
}

/** The flag `-o` of a command that writes something. */
export function writtenOption(): Option {
  return formatOption('text', 'json', 'yaml', 'name');
}

/** A template that cannot be read is found out before anything is done. */
function isTemplate(text: string): boolean {
  if (!text.startsWith(jsonpath)) return false;
  try {
    parseTemplate(text.slice(jsonpath.length));
    return true;
  } catch (error) {
    if (error instanceof TemplateError) throw new InvalidArgumentError(`${error.message}.`);
    throw error;
  }
}

/** Prints a value for programs; false when the format is for people. */
export function printed(io: Pick<Io, 'out'>, format: string, value: unknown): boolean {
  const text = formatted(format, value);
  if (text !== undefined) io.out(text);
  return text !== undefined;
}

/** A value for programs; undefined when the format is for people. */
export function formatted(format: string, value: unknown): string | undefined {
  if (format === 'json') return `${JSON.stringify(value, undefined, 2)}\n`;
  if (format === 'yaml') return yamlOf(value);
  return format.startsWith(jsonpath) ? filled(format.slice(jsonpath.length), value) : undefined;
}

function filled(template: string, value: unknown): string {
  try {
    return evaluate(parseTemplate(template), value);
  } catch (error) {
    if (error instanceof TemplateError) throw new Failure(`-o ${jsonpath}${template}: ${error.message}`);
    throw error;
  }
}

/** Tells what was written: in words, or the objects as they are now. */
export function told(io: Io, format: string, { objects, words }: Written): void {
  if (format === 'name')
    io.out(objects.map((object) => `${resourceName({ ...object, ...object.metadata })}\n`).join(''));
  else if (!printed(io, format, objects.length === 1 ? objects[0] : listOf(objects))) io.out(words);
}

/** The objects that a command wrote. */
export interface Written {
  readonly objects: readonly KubeObject[];
  readonly words: string;
}

/** Several objects as one. */
export function listOf(items: readonly KubeObject[]): object {
  return { apiVersion: 'v1', kind: 'List', metadata: { resourceVersion: '' }, items };
}

/** `deployment.apps/nginx`, as kubectl names what it was asked for by name. */
export function resourceName({ apiVersion, kind, name }: Pick<Ref, 'apiVersion' | 'kind' | 'name'>): string {
  const [group = ''] = apiVersion.includes('/') ? apiVersion.split('/') : [];
  return `${kind.toLowerCase()}${group && `.${group}`}/${name}`;
}

/** How long ago, as kubectl writes it: 5s, 3m, 2h, 4d. */
export function ageOf(time: string | undefined, now: number): string {
  if (time === undefined) return '<unknown>';
  const seconds = Math.max(0, Math.floor((now - Date.parse(time)) / 1000));
  if (seconds < 120) return `${seconds}s`;
  if (seconds < 7200) return `${Math.floor(seconds / 60)}m`;
  return seconds < 172_800 ? `${Math.floor(seconds / 3600)}h` : `${Math.floor(seconds / 86_400)}d`;
}

/** `1 template`, `2 templates`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
