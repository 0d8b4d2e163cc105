import { describe, expect, it } from 'vitest';
import { canonicalQuantity } from './quantity.ts';

describe('quantities', () => {
  it.each([
    ['0.1', '100m'],
    [1, '1'],
    ['1', '1'],
    ['1000m', '1'],
    ['2000m', '2'],
    ['1500m', '1500m'],
    ['0.5', '500m'],
    ['1000', '1k'],
    ['100000', '100k'],
    ['64Mi', '64Mi'],
    ['1024Mi', '1Gi'],
    ['0.5Gi', '512Mi'],
    ['1Ki', '1Ki'],
    ['0.5Ki', '512'],
    ['0', '0'],
    ['0Mi', '0'],
    ['-0.1', '-100m'],
    ['1e3', '1e3'],
    ['nonsense', 'nonsense'],
    ['', ''],
  ])('%s is %s', (text, expected) => {
    expect(canonicalQuantity(text)).toBe(expected);
  });
});
