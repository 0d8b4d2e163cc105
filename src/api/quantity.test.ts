import { describe, expect, test } from 'vitest';
import { amountOf, compareQuantities, largestAmount, quantity, quantityOf, unit } from './quantity.ts';

describe('an amount', () => {
  test.each<[unknown, bigint | undefined]>([
    ['1', unit],
    [2, 2n * unit],
    ['0.5', unit / 2n],
    ['.5', unit / 2n],
    ['5.', 5n * unit],
    ['100m', unit / 10n],
    ['1n', 1n],
    ['0.1n', 1n],
    ['1k', 1000n * unit],
    ['1Ki', 1024n * unit],
    ['1.5Gi', 1536n * 1024n * 1024n * unit],
    ['1e3', 1000n * unit],
    ['1E3', 1000n * unit],
    ['1E', 10n ** 18n * unit],
    ['2e-1', unit / 5n],
    ['-1', -unit],
    ['+1', unit],
    ['9223372036854775807', largestAmount],
    ['1e99999', 10n ** 30n * unit],
    ['', undefined],
    ['.', undefined],
    ['1 Gi', undefined],
    ['1KI', undefined],
    ['one', undefined],
    ['9'.repeat(200), undefined],
    [Number.NaN, undefined],
    [Number.POSITIVE_INFINITY, undefined],
    [null, undefined],
    [{}, undefined],
  ])('%j', (written, amount) => {
    expect(amountOf(written)).toBe(amount);
  });
});

test('An exponent of a billion costs nothing', () => {
  const [huge, one] = [quantityOf('1e999999999'), quantityOf('1')];
  expect(huge && one && compareQuantities(huge, one)).toBe(1);
  expect(quantity('1e999999999')).toBe(1e30);
});
