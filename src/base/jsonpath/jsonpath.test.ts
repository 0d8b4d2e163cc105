import { expect, it } from 'vitest';
import { parseJsonPath, TemplateError, valuesAt } from '../index.ts';

const object = {
  metadata: { name: 'x', labels: { 'app.kubernetes.io/name': 'web' } },
  spec: {
    replicas: 3,
    paused: false,
    clusters: [
      { name: 'a', weight: 1 },
      { name: 'b', weight: 5 },
      { name: 'c', weight: 9 },
    ],
  },
  status: {
    conditions: [
      { type: 'Scheduled', status: 'True' },
      { type: 'Ready', status: 'False', reason: 'Not [yet]' },
    ],
    empty: null,
  },
};

it.each([
  ['.metadata.name', ['x']],
  ['$.metadata.name', ['x']],
  ['.spec.replicas', [3]],
  ['.spec.paused', [false]],
  ['.spec.missing.deeper', []],
  ['.status.empty', [null]],
  ['.status.empty.deeper', []],
  ['.spec.clusters[*].name', ['a', 'b', 'c']],
  ['.spec.clusters[0].name', ['a']],
  ['.spec.clusters[-1].name', ['c']],
  ['.spec.clusters[7].name', []],
  ['.spec.clusters[0,2].name', ['a', 'c']],
  ['.spec.clusters[1:].name', ['b', 'c']],
  ['.spec.clusters[:1].name', ['a']],
  ['.status.conditions[?(@.type=="Ready")].status', ['False']],
  [".status.conditions[?(@.type=='Ready')].status", ['False']],
  ['.status.conditions[?(@.type == "Missing")].status', []],
  ['.status.conditions[?(@.reason)].type', ['Ready']],
  ['.status.conditions[?(@.reason=="Not [yet]")].type', ['Ready']],
  ['.status.conditions[?(@.type!="Ready")].type', ['Scheduled']],
  ['.spec.clusters[?(@.weight>=5)].name', ['b', 'c']],
  ['.spec.clusters[?(@.weight<5)].name', ['a']],
  ['.spec.clusters[?(@.name>1)].name', []],
  [".metadata.labels['app\\.kubernetes\\.io/name']", ['web']],
  // Dots within quotes separate names, as in client-go.
  [".metadata.labels['app.kubernetes.io/name']", []],
  ['.spec..name', ['a', 'b', 'c']],
  ['.spec.clusters[9]', []],
  ['.metadata.', [object.metadata]],
  ['.metadata.labels.app\\.kubernetes\\.io/name', ['web']],
  ['.metadata.labels.*', ['web']],
  ['.constructor', []],
])('%s', (path, expected) => {
  expect(valuesAt(parseJsonPath(path), object)).toEqual(expected);
});

it.each(['metadata', '.spec.clusters[', '.spec[?(@.a', '.spec.clusters[x]'])('refuses %s', (path) => {
  expect(() => parseJsonPath(path)).toThrow(TemplateError);
});
