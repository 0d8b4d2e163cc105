import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { main } from '../main.ts';

interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

async function interpret(input: string, ...args: readonly string[]): Promise<Ran> {
  let [out, err] = ['', ''];
  const code = await main(['interpret', '-f', '-', ...args], {
    out: (text) => void (out += text),
    err: (text) => void (err += text),
    columns: undefined,
    colour: false,
    progress: false,
    interactive: false,
    environment: {},
    directory: tmpdir(),
    readInput: async () => input,
    ask: async () => '',
    interrupted: new AbortController().signal,
  });
  return { code, out, err };
}

const customization = (script: string): string => `
apiVersion: config.karmada.io/v1alpha1
kind: ResourceInterpreterCustomization
metadata: { name: counts }
spec:
  target: { apiVersion: apps/v1, kind: Deployment }
  customizations: { replicaResource: { luaScript: '${script}' } }
---`;
const web = `
apiVersion: apps/v1
kind: Deployment
metadata: { name: web, namespace: shop }
spec: { replicas: 2 }
`;
const adds = customization('function GetReplicas(obj) return obj.spec.replicas + 1 end');

test('A script that compiles passes the check', async () => {
  expect(await interpret(adds, '--check')).toEqual({ code: 0, out: 'counts: replicaResource: ok\n', err: '' });
});

test('A script that does not compile fails the check with its line', async () => {
  const { code, out } = await interpret(customization('function GetReplicas(obj) return end end'), '--check');
  expect(code).toBe(1);
  expect(out).toBe(
    `counts: not valid\n  spec.customizations.replicaResource.luaScript: line 1: '<eof>' expected near 'end'\n`,
  );
});

test('A customization answers for its kind, native rules answer the rest', async () => {
  const { code, out } = await interpret(`${adds}${web}`, '-o', 'json');
  expect(code).toBe(0);
  expect(JSON.parse(out)).toMatchObject({
    object: { kind: 'Deployment', name: 'web' },
    answers: { InterpretReplica: { replicas: 3 }, InterpretHealth: 'Unhealthy' },
  });
});

test('One operation can be asked, in any case of its letters', async () => {
  const { out } = await interpret(
    `${adds}${web}`,
    '--operation',
    'reviseReplica',
    '--desired-replica',
    '7',
    '-o',
    'json',
  );
  expect(JSON.parse(out)).toMatchObject({ answers: { ReviseReplica: { spec: { replicas: 7 } } } });
});

test('A script that fails is an error with its line', async () => {
  const { code, out, err } = await interpret(`${customization('function GetReplicas(obj) return obj.a.b end')}${web}`);
  expect(code).toBe(1);
  expect(out).toContain('replicaResource: line 1: attempt to index a nil value');
  expect(err).toContain('a script failed');
});

test.each([
  [web, ['--check'], 1, 'there is no ResourceInterpreterCustomization in the files'],
  [adds, [], 2, 'there is no object to interpret: name it with --observed-file, or use --check'],
  [web, ['--operation', 'retain'], 2, 'Retain needs --desired-file and --observed-file'],
  [web, ['--operation', 'guess'], 2, 'Allowed choices are InterpretReplica'],
] as const)('Without what it needs it says so: %#', async (input, args, code, words) => {
  const ran = await interpret(input, ...args);
  expect(ran.code).toBe(code);
  expect(ran.err).toContain(words);
});
