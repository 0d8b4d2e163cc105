import { groupOf } from '../../api/index.ts';
import type {
  Component,
  Health,
  InterpreterOperation,
  InterpreterRequest,
  InterpreterWebhook,
  KubeObject,
  Ref,
  ResourceInterpreterWebhookConfiguration,
  View,
  WebhookQuestion,
} from '../../api/index.ts';
import { PatchFailure, withOperations } from '../../base/index.ts';
import type { PatchOperation } from '../../base/index.ts';
import type { Replicas } from './workloads.ts';
import { webhooksKey } from '../match/index.ts';
import type { Interpreted, Interpreter } from './interpreter.ts';
import { ScriptFailure } from './scripts/hook.ts';
import { componentsIn, dependenciesIn, objectIn, replicasIn } from './scripts/results.ts';

type Kind = Pick<Ref, 'apiVersion' | 'kind'>;
type Ask = NonNullable<View['askWebhook']>;

/** The facts of a decision lack the answer of a webhook that is being asked: the question is asked again when it is there. */
export class AnswerAwaited extends Error {
  constructor(webhook: string, operation: InterpreterOperation) {
    super(`webhook ${webhook} is being asked for ${operation}`);
    this.name = 'AnswerAwaited';
  }
}

/** Tells whether a webhook has a rule for this kind. */
export function isForKind(webhook: InterpreterWebhook, kind: Kind): boolean {
  return rulesFor(webhook, kind).length > 0;
}

const names = (list: readonly string[], name: string): boolean => list.includes('*') || list.includes(name);

function rulesFor(
  { rules = [] }: InterpreterWebhook,
  { apiVersion, kind }: Kind,
): NonNullable<InterpreterWebhook['rules']> {
  const group = groupOf(apiVersion);
  const version = apiVersion.slice(group === '' ? 0 : group.length + 1);
  return rules.filter(
    ({ apiGroups, apiVersions, kinds }) => names(apiGroups, group) && names(apiVersions, version) && names(kinds, kind),
  );
}

interface Known {
  readonly webhooks: readonly InterpreterWebhook[];
  readonly base: Interpreter;
  readonly interpreter: Interpreter;
}

/** By the function that asks, then by kind. */
const known = new WeakMap<Ask, Map<string, Known>>();

/**
 * The interpreter of a kind for which webhooks have rules: for each operation the first webhook by name that has it, or
 * else the base. As long as nothing about the kind changes it is the same object.
 */
export function interpreterByWebhooks(
  view: Pick<View, 'each' | 'askWebhook'>,
  kind: Kind,
  base: Interpreter,
): Interpreter {
  const { askWebhook } = view;
  const webhooks = webhooksFor(view, kind);
  if (!askWebhook || webhooks.length === 0) return base;
  const byKind = known.get(askWebhook) ?? new Map<string, Known>();
  known.set(askWebhook, byKind);
  const key = `${kind.apiVersion}|${kind.kind}`;
  const before = byKind.get(key);
  const isSame = before?.webhooks.length === webhooks.length && webhooks.every((one, i) => one === before.webhooks[i]);
  if (before && isSame && before.base === base) return before.interpreter;
  const interpreter = interpreterAsking(hookFor(webhooks, kind), base, askWebhook);
  byKind.set(key, { webhooks, base, interpreter });
  return interpreter;
}

function webhooksFor(view: Pick<View, 'each'>, kind: Kind): readonly InterpreterWebhook[] {
  const found: { readonly name: string; readonly webhook: InterpreterWebhook }[] = [];
  view.each(webhooksKey, (configuration) => {
    if (configuration.metadata.deletionTimestamp) return;
    for (const webhook of (configuration as ResourceInterpreterWebhookConfiguration).webhooks)
      if (isForKind(webhook, kind)) found.push({ name: `${configuration.metadata.name}/${webhook.name}`, webhook });
  });
  return found.sort((a, b) => (a.name < b.name ? -1 : 1)).map(({ webhook }) => webhook);
}

type HookFor = (operation: InterpreterOperation) => InterpreterWebhook | undefined;

function hookFor(webhooks: readonly InterpreterWebhook[], kind: Kind): HookFor {
  return (operation) =>
    webhooks.find((webhook) => rulesFor(webhook, kind).some(({ operations }) => names(operations, operation)));
}

interface Asking<T> {
  readonly object: KubeObject;
  readonly more?: Pick<InterpreterRequest, 'observedObject' | 'replicas' | 'aggregatedStatus'>;
  readonly read: (response: Readonly<Record<string, unknown>>) => T;
  /** The value to go on with when the webhook fails. */
  readonly otherwise: T;
}

type Answering = <T>(asking: Asking<T>) => Interpreted<T>;
type AskFor = (operation: InterpreterOperation) => Answering | undefined;

function interpreterAsking(hook: HookFor, base: Interpreter, askWebhook: Ask): Interpreter {
  const askFor: AskFor = (operation) => {
    const webhook = hook(operation);
    return webhook && ((asking) => answerOf(askWebhook, { webhook, operation }, asking));
  };
  return {
    hasScripts: true,
    ...hooksOfTemplates(askFor, base),
    ...hooksThatChange(askFor, base),
    ...hooksOfCopies(askFor, base),
  };
}

function hooksOfTemplates(
  askFor: AskFor,
  base: Interpreter,
): Pick<Interpreter, 'replicas' | 'components' | 'dependencies'> {
  const [replicas, components] = [askFor('InterpretReplica'), askFor('InterpretComponent')];
  const dependencies = askFor('InterpretDependency');
  return {
    replicas(object) {
      const read: Asking<Replicas | undefined>['read'] = (response) =>
        replicasIn([response['replicas'], response['replicaRequirements']], object.metadata.namespace);
      return replicas ? replicas({ object, otherwise: undefined, read }) : base.replicas(object);
    },
    components(object) {
      const read: Asking<readonly Component[] | undefined>['read'] = (response) =>
        componentsIn(response['components'], object.metadata.namespace);
      return components ? components({ object, otherwise: undefined, read }) : base.components(object);
    },
    dependencies(object) {
      return dependencies ? dependencies(dependenciesOf(object)) : base.dependencies(object);
    },
  };
}

function hooksThatChange(
  askFor: AskFor,
  base: Interpreter,
): Pick<Interpreter, 'reviseReplicas' | 'retain' | 'aggregateStatus'> {
  const [revise, retain, aggregate] = [askFor('ReviseReplica'), askFor('Retain'), askFor('AggregateStatus')];
  return {
    reviseReplicas(object, replicas) {
      if (!revise) return base.reviseReplicas(object, replicas);
      return revise({ object, more: { replicas }, otherwise: object, read: patching(object) });
    },
    retain(object, observed) {
      if (!retain) return base.retain(object, observed);
      const more = { observedObject: contentOf(observed) };
      return retain({ object, more, otherwise: object, read: patching(object) });
    },
    aggregateStatus(object, reports) {
      if (!aggregate) return base.aggregateStatus(object, reports);
      const read: Asking<unknown>['read'] = (response) =>
        (patched(object, response) as KubeObject & { readonly status?: unknown }).status;
      return aggregate({ object, more: { aggregatedStatus: reports.items }, otherwise: undefined, read });
    },
  };
}

function hooksOfCopies(askFor: AskFor, base: Interpreter): Pick<Interpreter, 'reflectStatus' | 'health'> {
  const [reflect, health] = [askFor('InterpretStatus'), askFor('InterpretHealth')];
  return {
    reflectStatus(object) {
      return reflect
        ? reflect<unknown>({ object, otherwise: undefined, read: rawStatusIn })
        : base.reflectStatus(object);
    },
    health(object) {
      return health ? health<Health>({ object, otherwise: 'Unknown', read: healthIn }) : base.health(object);
    },
  };
}

function dependenciesOf(object: KubeObject): Asking<readonly Ref[] | undefined> {
  return { object, otherwise: undefined, read: ({ dependencies }) => dependenciesIn(dependencies ?? []) };
}

function patching(object: KubeObject): Asking<KubeObject>['read'] {
  return (response) => patched(object, response);
}

const rawStatusIn = ({ rawStatus }: Readonly<Record<string, unknown>>): unknown => rawStatus;

function healthIn({ healthy }: Readonly<Record<string, unknown>>): Health {
  if (typeof healthy !== 'boolean') throw new ScriptFailure('must say in healthy true or false');
  return healthy ? 'Healthy' : 'Unhealthy';
}

/** The object with the operations of the answer applied; it stays the object that it is. */
function patched<T extends KubeObject>(object: T, { patch }: Readonly<Record<string, unknown>>): T {
  if (patch === undefined) return object;
  try {
    return objectIn(withOperations(object, patch as readonly PatchOperation[]), object) as T;
  } catch (error) {
    if (error instanceof PatchFailure) throw new ScriptFailure(`must return a patch that fits: ${error.message}`);
    throw error;
  }
}

function answerOf<T>(
  askWebhook: Ask,
  { webhook, operation }: { readonly webhook: InterpreterWebhook; readonly operation: InterpreterOperation },
  { object, more, read, otherwise }: Asking<T>,
): Interpreted<T> {
  const failed = (words: string): Interpreted<T> => ({
    value: otherwise,
    error: `webhook ${webhook.name}: ${operation}: ${words}`,
  });
  const answer = askWebhook(questionOf(webhook, operation, { object, ...more }));
  if (!answer) throw new AnswerAwaited(webhook.name, operation);
  if ('error' in answer) return failed(answer.error);
  try {
    return { value: read(answer.response) };
  } catch (error) {
    if (error instanceof ScriptFailure) return failed(error.message);
    throw error;
  }
}

function questionOf(
  webhook: InterpreterWebhook,
  operation: InterpreterOperation,
  asked: Pick<InterpreterRequest, 'object' | 'observedObject' | 'replicas' | 'aggregatedStatus'>,
): WebhookQuestion {
  const { apiVersion, kind, metadata } = asked.object;
  const group = groupOf(apiVersion);
  const version = apiVersion.slice(group === '' ? 0 : group.length + 1);
  const { name, namespace } = metadata;
  const request = { kind: { group, version, kind }, name, ...(namespace !== undefined && { namespace }), operation };
  return { webhook, request: { ...request, ...asked, object: contentOf(asked.object) } };
}

const contents = new WeakMap<KubeObject, KubeObject>();

/** The object without what changes at every write: an answer is remembered for the content. */
function contentOf(object: KubeObject): KubeObject {
  const before = contents.get(object);
  if (before) return before;
  const { resourceVersion: _, managedFields: __, ...metadata } = object.metadata;
  const content = { ...object, metadata };
  contents.set(object, content);
  return content;
}
