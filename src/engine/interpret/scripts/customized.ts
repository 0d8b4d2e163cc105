import type { Component, Customizations, KubeObject, Ref } from '../../../api/index.ts';
import { isObject } from '../../../base/index.ts';
import type { Interpreted, Interpreter, Reports } from '../interpreter.ts';
import type { Replicas } from '../workloads.ts';
import { answerOf, ScriptFailure } from './hook.ts';
import type { Hook } from './hook.ts';
import { componentsIn, dependenciesIn, objectIn, replicasIn } from './results.ts';

/** The fields of a customization and the function that each script has. */
const functionNames: Readonly<Record<keyof Customizations, string>> = {
  retention: 'Retain',
  replicaResource: 'GetReplicas',
  componentResource: 'GetComponents',
  replicaRevision: 'ReviseReplica',
  statusReflection: 'ReflectStatus',
  statusAggregation: 'AggregateStatus',
  healthInterpretation: 'InterpretHealth',
  dependencyInterpretation: 'GetDependencies',
};

/** The interpreter of a kind with scripts: for each hook the first script that there is, or else the base. */
export function customized(customizations: readonly Customizations[], base: Interpreter): Interpreter {
  const hook = (field: keyof Customizations): Hook | undefined => hooks(field)[0];
  const hooks = (field: keyof Customizations): readonly Hook[] =>
    customizations.flatMap((one) => {
      const script = one[field]?.luaScript;
      return script === undefined ? [] : [{ field, name: functionNames[field], script }];
    });
  return {
    hasScripts: true,
    replicas: replicasHook(hook('replicaResource'), base),
    components: componentsHook(hook('componentResource'), base),
    reviseReplicas: revisionHook(hook('replicaRevision'), base),
    retain: retentionHook(hook('retention'), base),
    aggregateStatus: aggregationHook(hook('statusAggregation'), base),
    dependencies: dependenciesHook(hooks('dependencyInterpretation'), base),
    reflectStatus: reflectionHook(hook('statusReflection'), base),
    health: healthHook(hook('healthInterpretation'), base),
  };
}

/** The answer about an object, remembered as long as the object is: it is asked for again and again. */
function remembering<T>(answer: (object: KubeObject) => Interpreted<T>): (object: KubeObject) => Interpreted<T> {
  const known = new WeakMap<KubeObject, Interpreted<T>>();
  return (object) => {
    const before = known.get(object);
    if (before) return before;
    const fresh = answer(object);
    known.set(object, fresh);
    return fresh;
  };
}

function replicasHook(hook: Hook | undefined, base: Interpreter): Interpreter['replicas'] {
  if (!hook) return (template) => base.replicas(template);
  return remembering((template) =>
    answerOf<Replicas | undefined>(undefined, hook, {
      args: [template],
      read: (results) => replicasIn(results, template.metadata.namespace),
    }),
  );
}

function componentsHook(hook: Hook | undefined, base: Interpreter): Interpreter['components'] {
  if (!hook) return (template) => base.components(template);
  return remembering((template) =>
    answerOf<readonly Component[] | undefined>(undefined, hook, {
      args: [template],
      read: ([list]) => componentsIn(list, template.metadata.namespace),
    }),
  );
}

function revisionHook(hook: Hook | undefined, base: Interpreter): Interpreter['reviseReplicas'] {
  if (!hook) return (manifest, count) => base.reviseReplicas(manifest, count);
  return (manifest, count) =>
    answerOf(manifest, hook, { args: [manifest, count], read: ([object]) => objectIn(object, manifest) });
}

function retentionHook(hook: Hook | undefined, base: Interpreter): Interpreter['retain'] {
  if (!hook) return (desired, observed) => base.retain(desired, observed);
  return (desired, observed) =>
    answerOf(desired, hook, { args: [desired, observed], read: ([object]) => objectIn(object, desired) });
}

/** Scripts are asked about the members that have a Work, and give the whole template with its new status. */
function aggregationHook(hook: Hook | undefined, base: Interpreter): Interpreter['aggregateStatus'] {
  if (!hook) return (template, reports) => base.aggregateStatus(template, reports);
  return (template, { items }: Reports) =>
    answerOf<unknown>(undefined, hook, {
      // As in Karmada, no report at all is nil.
      args: [template, items.length > 0 ? items : undefined],
      read: ([object]) => {
        if (!isObject(object)) throw new ScriptFailure('must return the object, a table');
        return object['status'];
      },
    });
}

/** Several customizations of a kind may know of dependencies: all of them count. */
function dependenciesHook(hooks: readonly Hook[], base: Interpreter): Interpreter['dependencies'] {
  if (hooks.length === 0) return (template) => base.dependencies(template);
  return remembering((template) => {
    const found = new Map<string, Ref>();
    for (const hook of hooks) {
      const { value, error } = answerOf<readonly Ref[]>([], hook, {
        args: [template],
        read: ([list]) => dependenciesIn(list),
      });
      if (error !== undefined) return { value: undefined, error };
      for (const ref of value) found.set([ref.apiVersion, ref.kind, ref.namespace ?? '', ref.name].join('|'), ref);
    }
    return { value: [...found.keys()].sort().map((key) => found.get(key) as Ref) };
  });
}

function reflectionHook(hook: Hook | undefined, base: Interpreter): Interpreter['reflectStatus'] {
  if (!hook) return (present) => base.reflectStatus(present);
  return remembering((present) =>
    answerOf<unknown>(undefined, hook, {
      args: [present],
      read: ([status]) => {
        if (status === undefined || isObject(status)) return status;
        throw new ScriptFailure('must return a table');
      },
    }),
  );
}

function healthHook(hook: Hook | undefined, base: Interpreter): Interpreter['health'] {
  if (!hook) return (present) => base.health(present);
  return remembering((present) =>
    answerOf('Unknown', hook, {
      args: [present],
      read: ([healthy]) => {
        if (typeof healthy !== 'boolean') throw new ScriptFailure('must return true or false');
        return healthy ? 'Healthy' : 'Unhealthy';
      },
    }),
  );
}
