import { existsSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeFolder } from './folder.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(path.join(tmpdir(), 'sluice-folder-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

test('a folder is made with those above it, and only once', () => {
  const folder = path.join(home, 'a', 'b', 'c');
  expect(makeFolder(folder, 0o700)).toBe(true);
  expect(statSync(folder).mode & 0o077).toBe(0);
  expect(makeFolder(folder, 0o700)).toBe(false);
});

test('a file in its place, or above it, is an error', () => {
  const file = path.join(home, 'file');
  writeFileSync(file, '');
  expect(() => makeFolder(file)).toThrow('EEXIST');
  expect(() => makeFolder(path.join(file, 'below'))).toThrow('ENOTDIR');
});

test('a link that leads nowhere is an error', () => {
  const link = path.join(home, 'link');
  symlinkSync(path.join(home, 'nowhere'), link);
  expect(() => makeFolder(path.join(link, 'below'))).toThrow('EEXIST');
});

// Node's own way to make folders never comes back from there.
test.skipIf(!existsSync('/proc/self'))('where nothing can be made, that is an error', () => {
  expect(() => makeFolder('/proc/sluice')).toThrow('ENOENT');
  expect(() => makeFolder('/proc/sluice/below')).toThrow('ENOENT');
});
