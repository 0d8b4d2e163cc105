import type { AggregatedStatusItem, KubeObject } from '../../api/index.ts';
import type { Interpreted, Interpreter } from './interpreter.ts';

/** The arguments of hooks; `desired` is the template, `observed` the object in a member. */
export interface HookQuestion {
  readonly desired?: KubeObject | undefined;
  readonly observed?: KubeObject | undefined;
  readonly items?: readonly AggregatedStatusItem[] | undefined;
  readonly count?: number | undefined;
}

type Ask = (interpreter: Interpreter, question: HookQuestion) => Interpreted<unknown> | undefined;

const about =
  (ask: (interpreter: Interpreter, object: KubeObject) => Interpreted<unknown>): Ask =>
  (interpreter, { desired, observed }) => {
    const object = desired ?? observed;
    return object && ask(interpreter, object);
  };

const aboutCopy =
  (ask: (interpreter: Interpreter, object: KubeObject) => Interpreted<unknown>): Ask =>
  (interpreter, { desired, observed }) => {
    const object = observed ?? desired;
    return object && ask(interpreter, object);
  };

/** The hooks under Karmada's names; each answers undefined when the question lacks what it needs. */
export const operations: Readonly<Record<string, Ask>> = {
  InterpretReplica: about((interpreter, object) => interpreter.replicas(object)),
  InterpretComponent: about((interpreter, object) => interpreter.components(object)),
  ReviseReplica: (interpreter, { desired, observed, count }) => {
    const object = desired ?? observed;
    return object && count !== undefined ? interpreter.reviseReplicas(object, count) : undefined;
  },
  Retain: (interpreter, { desired, observed }) =>
    desired && observed ? interpreter.retain(desired, observed) : undefined,
  AggregateStatus: (interpreter, { desired, observed, items }) => {
    const object = desired ?? observed;
    return object && items ? interpreter.aggregateStatus(object, { items, awaited: [] }) : undefined;
  },
  InterpretStatus: aboutCopy((interpreter, object) => interpreter.reflectStatus(object)),
  InterpretHealth: aboutCopy((interpreter, object) => interpreter.health(object)),
  InterpretDependency: about((interpreter, object) => interpreter.dependencies(object)),
};
