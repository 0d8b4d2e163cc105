import type { Component, KubeObject, Ref, ReplicaRequirements } from '../../../api/index.ts';
import { quantity, sumText } from '../../../api/index.ts';
import { isObject } from '../../../base/index.ts';
import type { Replicas } from '../workloads.ts';
import { ScriptFailure } from './hook.ts';

/*
 * Checks the results of scripts: the hub must not store what it would refuse from others.
 */

/** `GetReplicas` returns a number and, if it likes, what each replica needs. */
export function replicasIn([count, needs]: readonly unknown[], namespace: string | undefined): Replicas {
  const requirements = requirementsIn(needs, namespace);
  return { replicas: wholeNumber(count), ...(requirements && { requirements }) };
}

const most = 2 ** 31 - 1;

function wholeNumber(count: unknown): number {
  if (typeof count !== 'number') throw new ScriptFailure('must return a number');
  const whole = Math.trunc(count);
  if (whole < 0 || whole > most) throw new ScriptFailure(`must return a number of replicas, not ${count}`);
  return whole;
}

function requirementsIn(needs: unknown, namespace: string | undefined): ReplicaRequirements | undefined {
  if (needs === undefined || needs === null) return undefined;
  if (!isObject(needs)) throw new ScriptFailure('must return the requirements as a table');
  const { nodeClaim, resourceRequest, namespace: own, priorityClassName } = needs;
  const place = typeof own === 'string' ? own : namespace;
  const request = textsIn(resourceRequest, 'resourceRequest');
  const found = {
    ...(isObject(nodeClaim) && { nodeClaim }),
    ...(request && { resourceRequest: request }),
    ...(typeof priorityClassName === 'string' && { priorityClassName }),
  };
  return Object.keys(found).length === 0 ? undefined : { ...found, ...(place !== undefined && { namespace: place }) };
}

function textsIn(map: unknown, name: string): Readonly<Record<string, string>> | undefined {
  if (!isObject(map)) return undefined;
  const texts = Object.entries(map).map(([key, value]) => {
    const amount = quantity(value);
    if (amount === undefined) throw new ScriptFailure(`must return quantities in ${name}`);
    return [key, sumText(amount, value)] as const;
  });
  return Object.fromEntries(texts);
}

/** `GetComponents` returns a list of names, replicas and what each replica needs. */
export function componentsIn(list: unknown, namespace: string | undefined): readonly Component[] | undefined {
  if (list === undefined) return undefined;
  return listIn(list, 'components').map((item: unknown) => {
    if (!isObject(item) || typeof item['name'] !== 'string') throw new ScriptFailure('must name every component');
    const replicaRequirements = requirementsIn(item['replicaRequirements'], namespace);
    return {
      name: item['name'],
      replicas: wholeNumber(item['replicas']),
      ...(replicaRequirements && { replicaRequirements }),
    };
  });
}

/** An object as a script changed it; it stays the object that it is. */
export function objectIn(result: unknown, before: KubeObject): KubeObject {
  if (!isObject(result) || !isObject(result['metadata'])) throw new ScriptFailure('must return the object, a table');
  const { apiVersion, kind, metadata } = before;
  const { name, namespace } = metadata;
  return {
    ...(result as unknown as KubeObject),
    apiVersion,
    kind,
    metadata: { ...result['metadata'], name, ...(namespace !== undefined && { namespace }) },
  };
}

/** `GetDependencies` returns a list of references by name. */
export function dependenciesIn(list: unknown): readonly Ref[] {
  return list === undefined ? [] : listIn(list, 'references').map(referenceIn);
}

/** A list; an empty table is one, too. */
function listIn(list: unknown, what: string): readonly unknown[] {
  if (Array.isArray(list)) return list;
  if (isObject(list) && Object.keys(list).length === 0) return [];
  throw new ScriptFailure(`must return a list of ${what}`);
}

function referenceIn(item: unknown): Ref {
  const { apiVersion, kind, namespace, name } = isObject(item) ? item : {};
  const isComplete = [apiVersion, kind, name].every((part) => typeof part === 'string' && part !== '');
  if (!isComplete) throw new ScriptFailure('must return references with apiVersion, kind and name');
  return {
    apiVersion: apiVersion as string,
    kind: kind as string,
    ...(typeof namespace === 'string' && namespace !== '' && { namespace }),
    name: name as string,
  };
}
