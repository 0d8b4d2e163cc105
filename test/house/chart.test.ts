/** The chart is made of the objects of `sluice install`; `test/kube/install.test.ts` also renders it with Helm. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { chartFiles, chartVersion } from '../../tools/chart.ts';

const root = join(import.meta.dirname, '../..');
const files = chartFiles(chartVersion());

test('deploy/chart and the alert rules say what `node tools/chart.ts` writes', () => {
  for (const [file, text] of files) {
    expect(existsSync(join(root, file)), file).toBe(true);
    expect(readFileSync(join(root, file), 'utf8'), file).toBe(text);
  }
});

test('the chart has no other files', () => {
  const found = readdirSync(join(root, 'deploy/chart'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(root.length + 1));
  expect(found.filter((file) => !files.has(file))).toEqual([]);
});
