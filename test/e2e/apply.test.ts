import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSystem } from '../cli/kit.ts';
import type { System } from '../cli/kit.ts';
import { deployments, policy } from '../kit/objects.ts';
import { programOf } from '../kit/programs.ts';

/** Everything that two programs could write down differently. */
const manifest = `
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
  labels: { b: front, a: "yes" }
  annotations: { note: "line one\\nline two \\u2028 ü" }
spec:
  replicas: 0x2
  minReadySeconds: 10
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec:
      containers:
        - name: web
          image: nginx:1.27
          args: ["--rate=0.5", "1e3"]
          resources: { limits: { cpu: 500m, memory: 1Gi }, requests: { cpu: 250m } }
`;

let system: System;
beforeAll(async () => {
  system = await openSystem({ members: ['member1'] });
  await system.apply(policy('web', { to: 'member1', select: [deployments()] }));
});
afterAll(() => system.close());

async function kubectl(...args: readonly string[]): Promise<string> {
  const env = { HOME: system.folder, PATH: process.env['PATH'], KUBECONFIG: system.kubeconfig };
  return (await promisify(execFile)(programOf('kubectl'), args, { cwd: system.folder, env })).stdout;
}

test('an object that kubectl applied is unchanged for us, and an object that we applied is unchanged for kubectl', async () => {
  await writeFile(path.join(system.folder, 'web.yaml'), manifest);
  expect(await kubectl('apply', '-f', 'web.yaml')).toBe('deployment.apps/web created\n');
  await system.settle();
  expect(await system.run(['plan', '-f', 'web.yaml'])).toMatchObject({
    code: 0,
    out: 'nothing changes in any member\n',
  });
  expect((await system.run(['apply', '-f', 'web.yaml'])).out).toBe('Deployment/default/web unchanged\n');

  const changed = manifest.replace('line two', '<two> & more');
  await writeFile(path.join(system.folder, 'web.yaml'), changed);
  expect((await system.run(['apply', '-f', 'web.yaml'])).out).toBe('Deployment/default/web configured\n');
  expect(await kubectl('apply', '-f', 'web.yaml')).toBe('deployment.apps/web unchanged\n');
});

test('server-side apply by kubectl leaves no annotation, and none is planned', async () => {
  const file = path.join(system.folder, 'server.yaml');
  await writeFile(
    file,
    JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'served' }, data: { a: 'b' } }),
  );
  await kubectl('apply', '--server-side', '-f', 'server.yaml');
  await system.apply(
    policy('maps', { to: 'member1', select: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'served' }] }),
  );
  expect(await system.run(['plan', '-f', 'server.yaml'])).toMatchObject({
    code: 0,
    out: 'nothing changes in any member\n',
  });
});
