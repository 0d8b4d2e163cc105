import { evaluate } from '@marcbachmann/cel-js';
import { load } from 'js-yaml';
import { describe, expect, test } from 'vitest';
import { crdSchemaOf } from '../index.ts';
import type { Schema } from '../index.ts';

/** A value as rules see it: a field that is called like a word of CEL stands between underscores. */
function inCel(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [name === 'namespace' ? '__namespace__' : name, part]),
  );
}

/** The messages of the CEL rules that a value breaks, at any depth. */
function broken(value: unknown, schema: Schema): readonly string[] {
  const below: readonly (readonly string[])[] = Array.isArray(value)
    ? value.map((item) => broken(item, schema.items ?? {}))
    : Object.entries(schema.properties ?? {}).map(([name, part]) => {
        const member = (value as Record<string, unknown> | undefined)?.[name];
        return member === undefined ? [] : broken(member, part);
      });
  const own = (schema['x-kubernetes-validations'] ?? []).filter(
    ({ rule }) => evaluate(rule, { self: inCel(value) }) !== true,
  );
  return [...own.map(({ message }) => message ?? ''), ...below.flat()];
}

const selectors = 'resourceSelectors: [{ apiVersion: v1, kind: ConfigMap }]';

describe.each(['PropagationPolicy', 'ClusterPropagationPolicy'])('the rules in the schema of %s', (kind) => {
  test.each<[string, RegExp?]>([
    [selectors],
    ['resourceSelectors: [{ apiVersion: v1, kind: A, exclude: { namespace: a } }]', /spec\.excludedResources/],
    [`${selectors}, excludeResourceSelectors: [{ namespace: a }]`, /excludedResources/],
    [`${selectors}, excludedResources: [{}]`, /at least one of apiVersion, kind, namespace, name, labelSelector/],
    [`${selectors}, excludedResources: [{ namespace: a }, { labelSelector: {} }]`],
    [`${selectors}, placement: { clusterAffinity: {} }`],
    [`${selectors}, placement: { clusterAffinities: [{ affinityName: a }] }`],
    [`${selectors}, placement: { clusterAffinity: {}, clusterAffinities: [] }`, /one of them/],
    [`${selectors}, suspension: {}`],
    [`${selectors}, suspension: { suspendDispatching: true }`],
    [`${selectors}, suspension: { dispatchingOnClusters: { clusterNames: [a] } }`],
    [`${selectors}, suspension: { dispatching: true, dispatchingOnClusters: {} }`],
    [`${selectors}, suspension: { dispatching: false, dispatchingOnClusters: { clusterNames: [a] } }`],
    [
      `${selectors}, suspension: { dispatching: true, dispatchingOnClusters: { clusterNames: [a] } }`,
      /dispatching stops all/,
    ],
    [
      `${selectors}, suspension: { suspendDispatching: true, suspendDispatchingOnClusters: { clusterNames: [a] } }`,
      /suspendDispatching stops all/,
    ],
    [`${selectors}, suspension: { suspendDispatching: true, dispatching: true }`, /two spellings/],
    [`${selectors}, suspension: { suspendDispatching: true, dispatchingOnClusters: {} }`, /two spellings/],
  ])('%s', (text, message) => {
    const found = broken({ spec: load(`{ ${text} }`) }, crdSchemaOf('policy.karmada.io/v1alpha1', kind)!);
    expect(found).toEqual(message ? [expect.stringMatching(message)] : []);
  });
});
