import type { KubeObject } from './meta.ts';

/** A Lua script that answers one question about objects of a kind. */
export interface LuaRule {
  readonly luaScript: string;
}

/** The questions that a customization may answer, by the name of their field. */
export interface Customizations {
  readonly retention?: LuaRule;
  readonly replicaResource?: LuaRule;
  readonly componentResource?: LuaRule;
  readonly replicaRevision?: LuaRule;
  readonly statusReflection?: LuaRule;
  readonly statusAggregation?: LuaRule;
  readonly healthInterpretation?: LuaRule;
  readonly dependencyInterpretation?: LuaRule;
}

/** Tells how to read and change objects of one kind, in Lua. */
export interface ResourceInterpreterCustomization extends KubeObject {
  readonly apiVersion: 'config.karmada.io/v1alpha1';
  readonly kind: 'ResourceInterpreterCustomization';
  readonly spec: {
    readonly target: { readonly apiVersion: string; readonly kind: string };
    readonly customizations: Customizations;
  };
}

/** The questions that a webhook may be asked; `*` stands for all. */
export const interpreterOperations = [
  '*',
  'InterpretReplica',
  'InterpretComponent',
  'ReviseReplica',
  'InterpretStatus',
  'Prune',
  'Retain',
  'AggregateStatus',
  'InterpretHealth',
  'InterpretDependency',
] as const;

/** A question that a webhook may be asked. */
export type InterpreterOperation = (typeof interpreterOperations)[number];

/** A webhook and the questions and kinds that it answers for. */
export interface InterpreterWebhook {
  readonly name: string;
  readonly clientConfig: {
    readonly url?: string;
    readonly service?: {
      readonly namespace: string;
      readonly name: string;
      readonly path?: string;
      readonly port?: number;
    };
    readonly caBundle?: string;
  };
  readonly rules?: readonly {
    readonly operations: readonly InterpreterOperation[];
    readonly apiGroups: readonly string[];
    readonly apiVersions: readonly string[];
    readonly kinds: readonly string[];
  }[];
  readonly timeoutSeconds?: number;
  readonly interpreterContextVersions: readonly string[];
}

/** Tells how to read and change objects by asking webhooks. */
export interface ResourceInterpreterWebhookConfiguration extends KubeObject {
  readonly apiVersion: 'config.karmada.io/v1alpha1';
  readonly kind: 'ResourceInterpreterWebhookConfiguration';
  readonly webhooks: readonly InterpreterWebhook[];
}

/** A request to a webhook, as Karmada writes it; the uid is added when it is sent. */
export interface InterpreterRequest {
  readonly kind: { readonly group: string; readonly version: string; readonly kind: string };
  readonly name: string;
  readonly namespace?: string;
  readonly operation: InterpreterOperation;
  readonly object: KubeObject;
  readonly observedObject?: KubeObject;
  readonly replicas?: number;
  readonly aggregatedStatus?: readonly unknown[];
}

/** A question to a webhook. The answer depends on nothing else. */
export interface WebhookQuestion {
  readonly webhook: InterpreterWebhook;
  readonly request: InterpreterRequest;
}

/** The answer of a webhook, with its patch as a list of operations, or why it gave none that counts. */
export type WebhookAnswer = { readonly response: Readonly<Record<string, unknown>> } | { readonly error: string };
