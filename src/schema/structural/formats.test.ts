import { describe, expect, it } from 'vitest';
import { addQuantities, approximate, compareQuantities, integerOf, isQuantity, quantityOf } from '../../api/index.ts';
import { formatOf } from './formats.ts';

describe('formats', () => {
  it.each<[string, readonly string[], readonly string[]]>([
    [
      'date-time',
      ['2024-02-29T23:59:59Z', '2024-01-01t00:00:00.123+02:00'],
      ['2023-02-29T00:00:00Z', '2024-01-01', ''],
    ],
    ['date', ['2024-12-31'], ['2024-13-01', '24-1-1']],
    ['uuid', ['123e4567-E89B-12d3-a456-426614174000'], ['123']],
    ['ipv4', ['1.2.3.4'], ['1.2.3', '::1', '256.1.1.1']],
    ['ipv6', ['::1', 'fe80::1'], ['1.2.3.4', 'fe80::1%eth0']],
    ['cidr', ['10.0.0.0/8', '::/0'], ['10.0.0.0', '10.0.0.0/33', 'x/8']],
    ['mac', ['00:00:5e:00:53:01', '0000.5e00.5301'], ['00:00']],
    ['uri', ['http://a/b', '/path'], ['a b', 'path']],
    ['email', ['a@b.c', 'A <a@b.c>'], ['a', '@b']],
    ['hostname', ['a', 'a-b.example'], ['-a', 'a..b', 'a_b.example']],
    ['byte', ['', 'YQ=='], ['YQ=', '*']],
    ['duration', ['1h30m', '22 ns', '3 days'], ['x', '']],
    ['isbn', ['0321751043', '978-0321751041'], ['0321751044']],
    ['creditcard', ['4111 1111 1111 1111'], ['4111 1111 1111 1112']],
    ['rgbcolor', ['rgb(1, 2,255)'], ['rgb(1,2,256)']],
    ['k8s-short-name', ['a-b'], ['a.b', '-a']],
    ['k8s-long-name', ['a.b'], ['a..b']],
  ])('%s', (name, right, wrong) => {
    const accepts = formatOf(name)!;
    for (const text of right) expect(accepts(text), text).toBe(true);
    for (const text of wrong) expect(accepts(text), text).toBe(false);
  });
});

describe('quantities', () => {
  it.each(['1', '+1.5', '-.5', '100m', '1Ki', '1.5Gi', '1e3', '1E-3', '5E', '12n'])('%s is one', (text) => {
    expect(isQuantity(text)).toBe(true);
  });
  it.each(['', '.', '1 Gi', '1kb', 'Gi', '1e', '1ki'])('"%s" is none', (text) => {
    expect(isQuantity(text)).toBe(false);
  });
  it.each<[string, string, number]>([
    ['1', '1000m', 0],
    ['1Ki', '1024', 0],
    ['1Ki', '1k', 1],
    ['0.5', '0.50001', -1],
    ['1E', '1e18', 0],
    ['-1', '1', -1],
  ])('%s to %s', (a, b, order) => {
    expect(compareQuantities(quantityOf(a)!, quantityOf(b)!)).toBe(order);
  });
  it('adds without loss', () => {
    const sum = addQuantities(quantityOf('0.1')!, quantityOf('0.2')!);
    expect(compareQuantities(sum, quantityOf('300m')!)).toBe(0);
    expect(approximate(sum)).toBe(0.3);
    expect(integerOf(quantityOf('2Gi')!)).toBe(2147483648n);
    expect(integerOf(sum)).toBeUndefined();
  });
});
