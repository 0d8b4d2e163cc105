import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { KubeObject, Overriders } from '../../src/api/index.ts';
import { documentIn, freeze, yamlOf } from '../../src/base/index.ts';
import { overridden } from '../../src/engine/index.ts';
import { memberCluster } from '../kit/objects.ts';

const folder = join(import.meta.dirname, 'overrides');
const suffix = '.input.yaml';
const cases = readdirSync(folder).filter((file) => file.endsWith(suffix));

interface Input {
  readonly object: KubeObject;
  readonly overriders: Overriders;
}

/** The object that a member gets, or what is wrong with the override. */
function made({ object, overriders }: Input): unknown {
  const policy = { kind: 'OverridePolicy', name: 'op', precision: 1, isLazy: false, rules: [{ overriders }] } as const;
  const result = overridden(object, [policy], memberCluster('member1'));
  return 'error' in result ? result : result.object;
}

describe('overriders', () => {
  test.each(cases.map((file) => file.slice(0, -suffix.length)))('%s', async (name) => {
    const input = freeze(documentIn(readFileSync(join(folder, `${name}${suffix}`), 'utf8')) as Input);
    await expect(yamlOf(made(input))).toMatchFileSnapshot(join(folder, `${name}.output.yaml`));
  });

  test('there is a golden for each overrider', () => {
    const overriders = cases.map((file) => (documentIn(readFileSync(join(folder, file), 'utf8')) as Input).overriders);
    expect(new Set(overriders.flatMap((one) => Object.keys(one))).size).toBe(7);
  });
});
