/**
 * The engine's knowledge of kinds: replicas, pod templates, dependencies, health, status, fields that a member may
 * keep.
 */
export { aggregateStatus, healthOf, reflectStatus } from './status/status.ts';
export { readinessOf } from './status/readiness.ts';
export type { Readiness } from './status/readiness.ts';
export { deadlineSecondsOf, defaultDeadlineSeconds, podTrouble, troubleOf } from './status/trouble.ts';
export { customizationsIn, interpreterOf } from './interpreter.ts';
export type { Interpreted, Interpreter, Reports } from './interpreter.ts';
export { operations } from './operations.ts';
export type { HookQuestion } from './operations.ts';
export { nativeInterpreter } from './native.ts';
export { dependenciesOf, dependencyKinds } from './dependencies.ts';
export { retain } from './retain.ts';

export { podTemplateOf, replicasOf, reviseReplicas, withoutReplicas, workloadKind } from './workloads.ts';
export type { Replicas, WorkloadKind } from './workloads.ts';
export { AnswerAwaited, isForKind } from './webhooks.ts';
