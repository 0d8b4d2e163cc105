import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdir, symlink } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSystem } from '../cli/kit.ts';
import type { System } from '../cli/kit.ts';
import { deployment, deployments, policy } from '../kit/objects.ts';
import { programOf } from '../kit/programs.ts';

const top = path.join(import.meta.dirname, '../..');

let system: System;
beforeAll(async () => {
  system = await openSystem({ members: ['member1', 'member2'] });
  await system.apply(policy('web', { to: 'member1', select: [deployments()] }), deployment('nginx'));
  // As npm installs what package.json names under bin.
  const { bin } = JSON.parse(readFileSync(path.join(top, 'package.json'), 'utf8')) as { bin: Record<string, string> };
  await mkdir(path.join(system.folder, 'bin'));
  for (const [name, file] of Object.entries(bin))
    await symlink(path.join(top, file), path.join(system.folder, 'bin', name));
});
afterAll(() => system.close());

function kubectl(...args: readonly string[]): Promise<{ code: number; out: string; err: string }> {
  const env = { HOME: system.folder, PATH: `${path.join(system.folder, 'bin')}:${process.env['PATH']}` };
  return new Promise((resolve) => {
    execFile(programOf('kubectl'), args, { cwd: system.folder, env }, (error, out, err) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, out, err }),
    );
  });
}

test('kubectl finds the plugin', async () => {
  expect((await kubectl('plugin', 'list')).out).toContain('kubectl-sluice');
  expect((await kubectl('sluice', 'version')).out).toMatch(/^sluice \d/);
});

test('kubectl sluice plan says what a change would do, with its exit code', async () => {
  const file = await system.file('move.yaml', policy('web', { to: 'member2', select: [deployments()] }));
  const { code, out, err } = await kubectl('sluice', 'plan', '-f', file, '--karmada-context', 'sluice');
  expect([code, err]).toEqual([3, '']);
  expect(out).toMatch(/would restart 0, move 1 in 1 namespace, delete 0\n$/);
  expect((await kubectl('sluice', 'plan', '--help')).out).toContain('Usage: sluice plan');
});
