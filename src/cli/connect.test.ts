import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test, vi } from 'vitest';
import { clock, durationOf, kubeconfigsOf } from './connect.ts';

test.each([
  ['30s', 30_000],
  ['2m', 120_000],
  ['1h30m', 5_400_000],
  ['500ms', 500],
  ['1.5s', 1500],
  ['45', 45_000],
  ['0', 0],
])('%s is a duration', (text, milliseconds) => expect(durationOf(text, '--timeout')).toBe(milliseconds));

test.each(['', 'soon', '5 s', '1m x', '-3s'])('%j is none', (text) =>
  expect(() => durationOf(text, '--timeout')).toThrow('--timeout'),
);

test('the kubeconfig of the flag comes first, then the environment, then the folder, then home', async () => {
  const directory = await mkdtemp(path.join(tmpdir(), 'sluice-cli-'));
  const environment = { KUBECONFIG: '/a:/b' };
  try {
    expect(kubeconfigsOf({}, { directory, environment: {} })).toEqual([path.join(homedir(), '.kube', 'config')]);
    expect(kubeconfigsOf({}, { directory, environment })).toEqual(['/a', '/b']);
    await mkdir(path.join(directory, '.sluice'));
    await writeFile(path.join(directory, '.sluice', 'kubeconfig'), '');
    expect(kubeconfigsOf({}, { directory, environment })).toEqual(['/a', '/b']);
    const local = [path.join(directory, '.sluice', 'kubeconfig')];
    expect(kubeconfigsOf({}, { directory, environment: {} })).toEqual(local);
    expect(kubeconfigsOf({}, { directory, environment: { KUBECONFIG: '' } })).toEqual(local);
    expect(kubeconfigsOf({ kubeconfig: 'x' }, { directory, environment })).toEqual([path.join(directory, 'x')]);
  } finally {
    await rm(directory, { recursive: true });
  }
});

test('a pause of months is not over at once', () => {
  vi.useFakeTimers();
  try {
    const rang = vi.fn();
    clock.after(durationOf('90d', '--pause'), rang);
    vi.advanceTimersByTime(60_000);
    expect(rang).not.toHaveBeenCalled();
  } finally {
    vi.useRealTimers();
  }
});
