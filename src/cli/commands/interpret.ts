import { Command, InvalidArgumentError, Option } from 'commander';
import type { AggregatedStatusItem, KubeObject, ResourceInterpreterCustomization } from '../../api/index.ts';
import { isObject } from '../../base/index.ts';
import { interpreterOf, interpretsKey, operations, validate } from '../../engine/index.ts';
import type { HookQuestion, Interpreter } from '../../engine/index.ts';
import type { Run } from '../commands.ts';
import { Failure, UsageError } from '../failure.ts';
import { documentsOf, manifestsOf } from '../files.ts';
import type { Io } from '../io.ts';
import { formatOption, printed } from '../print/output.ts';

interface InterpretFlags {
  readonly filename: readonly string[];
  readonly check?: boolean;
  readonly execute?: boolean;
  readonly operation?: string;
  readonly desiredFile?: string;
  readonly observedFile?: string;
  readonly statusFile?: string;
  readonly desiredReplica?: number;
  readonly output: string;
}

const names = Object.keys(operations);

/** `sluice interpret` */
export function interpretCommand({ io }: Run): Command {
  return new Command('interpret')
    .description(
      'Check the scripts of ResourceInterpreterCustomizations, or say what the interpreter of a kind answers about an object. Reads files only.',
    )
    .requiredOption(
      '-f, --filename <FILE...>',
      'customizations, and objects to interpret; files, folders, or - for standard input',
    )
    .addOption(new Option('--check', 'validate the customizations and compile their scripts').conflicts('execute'))
    .option('--execute', 'ask the hooks about the objects; so it is without --check')
    .addOption(new Option('--operation <OPERATION>', `ask this hook only: ${names.join(', ')}`).argParser(operationIn))
    .option('--desired-file <FILE>', 'the template')
    .option('--observed-file <FILE>', 'the object as it is in a member')
    .option('--status-file <FILE>', 'the list of what members report, for AggregateStatus')
    .addOption(new Option('--desired-replica <N>', 'the replicas for ReviseReplica').argParser(countIn))
    .addOption(formatOption('yaml', 'json'))
    .addHelpText(
      'after',
      `
Examples:
  sluice interpret -f customization.yaml --check
  sluice interpret -f customization.yaml --operation InterpretHealth --observed-file object.yaml
  sluice interpret -f deployment.yaml
`,
    )
    .action(async (flags: InterpretFlags) => {
      const manifests = await manifestsOf(flags.filename, io);
      const customizations = manifests.filter(isCustomization);
      if (flags.check) return check(io, customizations);
      return execute(io, flags, { customizations, objects: manifests.filter((one) => !isCustomization(one)) });
    });
}

function operationIn(word: string): string {
  const name = names.find((one) => one.toLowerCase() === word.toLowerCase());
  if (name === undefined) throw new InvalidArgumentError(`Allowed choices are ${names.join(', ')}.`);
  return name;
}

function countIn(word: string): number {
  const count = Number(word);
  if (!Number.isInteger(count) || count < 0) throw new InvalidArgumentError('It must be a number of replicas.');
  return count;
}

function isCustomization(object: KubeObject): object is ResourceInterpreterCustomization {
  return object.kind === 'ResourceInterpreterCustomization';
}

/** Every customization with its faults; the first line of a fault names the script and the line in it. */
function check(io: Io, customizations: readonly ResourceInterpreterCustomization[]): void {
  if (customizations.length === 0) throw new Failure('there is no ResourceInterpreterCustomization in the files');
  let failed = 0;
  for (const customization of customizations) {
    const faults = validate(customization);
    failed += faults.length;
    const scripts = Object.keys(customization.spec?.customizations ?? {}).join(', ');
    const { name } = customization.metadata;
    io.out(faults.length === 0 ? `${name}: ${scripts}: ok\n` : `${name}: not valid\n`);
    for (const { field, detail } of faults) io.out(`  ${field}: ${detail}\n`);
  }
  if (failed > 0) throw new Failure(`${failed} ${failed === 1 ? 'error' : 'errors'}`);
}

interface Given {
  readonly customizations: readonly ResourceInterpreterCustomization[];
  readonly objects: readonly KubeObject[];
}

async function execute(io: Io, flags: InterpretFlags, { customizations, objects }: Given): Promise<void> {
  const questions = await questionsOf(io, flags, objects);
  const answers = questions.map((question) => {
    const object = (question.desired ?? question.observed) as KubeObject;
    const { apiVersion, kind, metadata } = object;
    const interpreter = interpreterFor(customizations, object);
    return {
      object: { apiVersion, kind, ...(metadata.namespace && { namespace: metadata.namespace }), name: metadata.name },
      ...asked(interpreter, question, flags.operation),
    };
  });
  printed(io, flags.output, answers.length === 1 ? answers[0] : answers);
  const failed = answers.filter(({ errors }) => errors !== undefined).length;
  if (failed > 0) throw new Failure('a script failed');
}

function interpreterFor(customizations: readonly ResourceInterpreterCustomization[], object: KubeObject): Interpreter {
  const found = customizations.filter(({ spec }) => interpretsKey(spec.target) === interpretsKey(object));
  return interpreterOf(
    { has: () => found.length > 0, each: (_, visit) => found.forEach((one) => visit(one, '')) },
    object,
  );
}

interface Answers {
  readonly answers: Readonly<Record<string, unknown>>;
  readonly errors?: Readonly<Record<string, string>>;
}

function asked(interpreter: Interpreter, question: HookQuestion, only: string | undefined): Answers {
  const answers: Record<string, unknown> = {};
  const errors: Record<string, string> = {};
  for (const name of only === undefined ? names : [only]) {
    const { value, error } = operations[name]?.(interpreter, question) ?? without(name, only);
    if (error !== undefined) errors[name] = error;
    else if (value !== undefined) answers[name] = value;
  }
  return Object.keys(errors).length > 0 ? { answers, errors } : { answers };
}

/** A hook that lacks an argument is left out, unless it was asked for by name. */
function without(name: string, only: string | undefined): { readonly value: undefined; readonly error?: string } {
  if (only === undefined) return { value: undefined };
  throw new UsageError(lacking[name] ?? `${name} needs an object: name it with -f`);
}

const lacking: Readonly<Record<string, string>> = {
  ReviseReplica: 'ReviseReplica needs an object and --desired-replica',
  Retain: 'Retain needs --desired-file and --observed-file',
  AggregateStatus: 'AggregateStatus needs an object and --status-file',
};

/** One question about the files of the flags; without them, one about each object of the files. */
async function questionsOf(
  io: Io,
  flags: InterpretFlags,
  objects: readonly KubeObject[],
): Promise<readonly HookQuestion[]> {
  const one = async (file: string | undefined): Promise<KubeObject | undefined> =>
    file === undefined ? undefined : (await manifestsOf([file], io))[0];
  const [desired, observed] = [await one(flags.desiredFile), await one(flags.observedFile)];
  const items = flags.statusFile === undefined ? undefined : await itemsIn(io, flags.statusFile);
  const shared = { items, count: flags.desiredReplica };
  if (desired ?? observed) return [{ desired, observed, ...shared }];
  if (objects.length > 0) return objects.map((object) => ({ desired: object, ...shared }));
  throw new UsageError('there is no object to interpret: name it with --observed-file, or use --check');
}

/** The reports of members: one list, or one document for each. */
async function itemsIn(io: Io, file: string): Promise<readonly AggregatedStatusItem[]> {
  const items = (await documentsOf(file, io)).flat();
  if (items.every((item) => isObject(item) && typeof item['clusterName'] === 'string'))
    return items as readonly AggregatedStatusItem[];
  throw new Failure(`${file} must be a list of objects with clusterName and status`);
}
