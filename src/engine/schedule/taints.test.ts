import { describe, expect, test } from 'vitest';
import type { Taint, Toleration } from '../../api/index.ts';
import { repellingTaint, taintText, tolerates } from './taints.ts';

const gpu: Taint = { key: 'gpu', value: 'yes', effect: 'NoSchedule' };
const bare: Taint = { key: 'gpu', effect: 'NoExecute' };

describe('tolerates', () => {
  test.each<[string, Toleration, boolean, boolean]>([
    ['nothing', {}, false, false],
    ['everything', { operator: 'Exists' }, true, true],
    ['the key', { key: 'gpu', operator: 'Exists' }, true, true],
    ['another key', { key: 'cpu', operator: 'Exists' }, false, false],
    ['key and value', { key: 'gpu', operator: 'Equal', value: 'yes' }, true, false],
    ['equal when no operator is said', { key: 'gpu', value: 'yes' }, true, false],
    ['another value', { key: 'gpu', value: 'no' }, false, false],
    ['the empty value', { key: 'gpu' }, false, true],
    ['one effect', { key: 'gpu', operator: 'Exists', effect: 'NoSchedule' }, true, false],
    ['for a time', { key: 'gpu', operator: 'Exists', tolerationSeconds: 1 }, true, true],
    ['equal to no key', { value: 'yes' }, false, false],
  ])('%s', (_, toleration, ofGpu, ofBare) => {
    expect(tolerates(toleration, gpu)).toBe(ofGpu);
    expect(tolerates(toleration, bare)).toBe(ofBare);
  });
});

describe('repellingTaint', () => {
  const exists: Toleration = { key: 'gpu', operator: 'Exists', effect: 'NoSchedule' };
  test.each<[string, readonly Taint[] | undefined, readonly Toleration[] | undefined, Taint | undefined]>([
    ['no taints', undefined, undefined, undefined],
    ['one that is not tolerated', [gpu], undefined, gpu],
    ['one that is', [gpu], [exists], undefined],
    ['the second is not', [gpu, bare], [exists], bare],
    ['one that only discourages', [{ key: 'gpu', effect: 'PreferNoSchedule' }], undefined, undefined],
  ])('%s', (_, taints, tolerations, taint) => expect(repellingTaint(taints, tolerations)).toEqual(taint));

  test('a taint that evicts later lets nothing in, unless nothing is evicted', () => {
    const forever: Toleration = { key: 'gpu', operator: 'Exists' };
    expect(repellingTaint([bare], [{ ...forever, tolerationSeconds: 5 }])).toBeUndefined();
    expect(repellingTaint([bare], [{ ...forever, tolerationSeconds: 5 }], true)).toBe(bare);
    expect(repellingTaint([gpu], [{ ...forever, tolerationSeconds: 5 }], true)).toBeUndefined();
    expect(repellingTaint([bare], [forever], true)).toBeUndefined();
  });
});

test('a taint is written as people write it', () => {
  expect(taintText(gpu)).toBe('gpu=yes:NoSchedule');
  expect(taintText(bare)).toBe('gpu:NoExecute');
});
