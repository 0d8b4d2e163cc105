import { describe, expect, test } from 'vitest';
import type { KubeObject } from '../../api/index.ts';
import { customization, deployment } from '../../../test/kit/objects.ts';
import { sizeOf } from '../claim/index.ts';
import { interpreterOf, nativeInterpreter } from './index.ts';

const rolloutKind = { apiVersion: 'argoproj.io/v1alpha1', kind: 'Rollout' };
const web = deployment('web', { replicas: 3 });
const rollout = { ...web, ...rolloutKind } as KubeObject;
const counts = (count: number): Readonly<Record<string, string>> => ({
  replicaResource: `function GetReplicas() return ${count} end`,
});

const viewOf = (...customizations: readonly KubeObject[]): Parameters<typeof interpreterOf>[0] => ({
  has: () => customizations.length > 0,
  each: (_, visit) => customizations.forEach((one) => visit(one, '')),
});

describe('the interpreter of a kind', () => {
  test('is native where nothing else is known', () => {
    expect(interpreterOf(viewOf(), web)).toBe(nativeInterpreter);
  });

  test('is one of the program for kinds of third parties, and native for the hooks that this one lacks', () => {
    const interpreter = interpreterOf(viewOf(), rollout);
    expect(interpreter.replicas(rollout).value?.replicas).toBe(3);
    expect(interpreter.components(rollout).value).toBeUndefined();
  });

  test('goes by customizations first, the first name of them', () => {
    const view = viewOf(customization('b', counts(8), rolloutKind), customization('a', counts(7), rolloutKind));
    const interpreter = interpreterOf(view, rollout);
    expect(interpreter.replicas(rollout).value?.replicas).toBe(7);
    expect(interpreter.health(rollout).value).toBe('Unhealthy');
  });

  test('is the same object until a customization changes, and ignores one that is being deleted', () => {
    const one = customization('a', counts(7));
    expect(interpreterOf(viewOf(one), web)).toBe(interpreterOf(viewOf(one), web));
    expect(interpreterOf(viewOf({ ...one }), web)).not.toBe(interpreterOf(viewOf(one), web));
    const leaving = { ...one, metadata: { ...one.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' } };
    expect(interpreterOf(viewOf(leaving), web)).toBe(nativeInterpreter);
  });
});

test('A kind with components has these in its binding, and no replicas', () => {
  const spec = { job: { parallelism: 2 }, jobManager: { replicas: 1 } };
  const flink = { apiVersion: 'flink.apache.org/v1beta1', kind: 'FlinkDeployment', metadata: { name: 'f' }, spec };
  expect(sizeOf(interpreterOf(viewOf(), flink), flink as KubeObject)).toEqual({
    value: {
      components: [
        { name: 'jobmanager', replicas: 1 },
        { name: 'taskmanager', replicas: 2 },
      ],
    },
  });
});

test.each<[string, string, string]>([
  ['replicaResource', 'function GetReplicas() return "2" end', 'GetReplicas must return a number'],
  ['replicaResource', 'function GetReplicas() return -1 end', 'GetReplicas must return a number of replicas, not -1'],
  [
    'replicaResource',
    'function GetReplicas() return 1, { resourceRequest = { cpu = "much" } } end',
    'GetReplicas must return quantities in resourceRequest',
  ],
  [
    'componentResource',
    'function GetComponents() return {{ replicas = 1 }} end',
    'GetComponents must name every component',
  ],
  ['componentResource', 'function GetComponents() return "x" end', 'GetComponents must return a list of components'],
])('A result of the wrong shape is a failure: %s %s', (field, script, error) => {
  const interpreter = interpreterOf(viewOf(customization('a', { [field]: script })), web);
  expect(sizeOf(interpreter, web)).toEqual({ value: {}, error: `${field}: ${error}` });
});

test('A script cannot make another object of the one that it is given', () => {
  const retention = 'function Retain(a) a.kind = "Secret"; a.metadata.name = "other"; return a end';
  const { value } = interpreterOf(viewOf(customization('a', { retention })), web).retain(web, web);
  expect(value).toMatchObject({ kind: 'Deployment', metadata: { name: 'web', namespace: 'default' } });
});

test('Time is the newest in the arguments', () => {
  const statusReflection = 'function ReflectStatus() return { at = os.date("!%Y-%m-%dT%H:%M:%SZ") } end';
  const seen = { ...web, status: { times: ['2026-01-02T00:00:00Z', '2026-01-01T00:00:00Z'] } } as KubeObject;
  const interpreter = interpreterOf(viewOf(customization('a', { statusReflection })), web);
  expect(interpreter.reflectStatus(seen)).toEqual({ value: { at: '2026-01-02T00:00:00Z' } });
});
