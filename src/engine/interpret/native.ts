import { dependenciesOf } from './dependencies.ts';
import type { Interpreted, Interpreter } from './interpreter.ts';
import { retain } from './retain.ts';
import { aggregateStatus, healthOf, reflectStatus } from './status/status.ts';
import { replicasOf, reviseReplicas } from './workloads.ts';

const sure = <T>(value: T): Interpreted<T> => ({ value });
const nothing = sure(undefined);

/** The rules for the kinds of Kubernetes itself, and for kinds of which nothing is known. */
export const nativeInterpreter: Interpreter = {
  hasScripts: false,
  replicas: (template) => sure(replicasOf(template)),
  components: () => nothing,
  reviseReplicas: (manifest, count) => sure(reviseReplicas(manifest, count)),
  retain: (desired, observed) => sure(retain(desired, observed)),
  aggregateStatus: (template, { items, awaited }) => sure(aggregateStatus(template, [...items, ...awaited])),
  dependencies: (template) => sure(dependenciesOf(template)),
  reflectStatus: (present) => sure(reflectStatus(present)),
  health: (present) => sure(healthOf(present)),
};
