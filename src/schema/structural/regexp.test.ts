import { describe, expect, it } from 'vitest';
import { goRegExp } from './regexp.ts';

describe('patterns in the syntax of Go', () => {
  it.each<[string, string, boolean]>([
    ['^a$', 'a', true],
    ['(?i)^abc$', 'ABC', true],
    ['^(?i)abc$', 'aBc', true],
    ['(?s)^a.b$', 'a\nb', true],
    ['^[[:alpha:]][[:alnum:]_]*$', 'a1_', true],
    ['^[[:alpha:]]+$', 'a1', false],
    ['\\Aab\\z', 'ab', true],
    ['^(?P<name>a+)$', 'aa', true],
    ['^\\pL+$', 'é', true],
    ['^\\p{Greek}+$', 'λ', true],
    ['^\\p{Greek}+$', 'l', false],
    ['(?i:A)b', 'xab', true],
    ['^.$', '😀', true],
    ['^\\Qa.b\\E$', 'a.b', true],
    ['^\\Qa.b\\E$', 'axb', false],
    ['^[a-z\\-\\.]+$', 'a-.', true],
    ['^\\x{41}$', 'A', true],
  ])('%s on %s', (pattern, text, expected) => {
    expect(goRegExp(pattern).test(text)).toBe(expected);
  });

  it.each<[string, string]>([
    ['(?=a)', 'invalid or unsupported Perl syntax: `(?=`'],
    ['(?<!a)b', 'invalid named capture: `(?<!a)b`'],
    ['(a)\\1', 'invalid escape sequence: `\\1`'],
    ['(', 'missing closing ): `(`'],
    ['[a', 'missing closing ]: `[a`'],
    ['a{1,1001}', 'invalid repeat count: `{1,1001}`'],
    ['((a{1,100}){1,100}){1,100}', 'invalid repeat count: `{1,100}`'],
  ])('refuses %s', (pattern, why) => {
    expect(() => goRegExp(pattern)).toThrow(new SyntaxError(`error parsing regexp: ${why}`));
  });

  it.each([
    '^(a+)+$',
    '^(a|aa)+$',
    '(x+x+)+y',
    '^(\\w+\\s?)+$',
    '(?i)^(a+)+$',
    '^(?:[a-z0-9]+\\.?){1,20}$',
    '^(\\pL+)+$',
  ])('%s takes linear time', (pattern) => {
    expect(goRegExp(pattern).test(`${'a'.repeat(5_000)}!`)).toBe(false);
  });

  it('finds every match', () => {
    expect(goRegExp('a+').exec('baac')?.[0]).toBe('aa');
    expect([...goRegExp('a+').matchAll('aa b a')].map(([found]) => found)).toEqual(['aa', 'a']);
  });
});
