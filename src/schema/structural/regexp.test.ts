import { describe, expect, it } from 'vitest';
import { isRisky, RegExpTimeout, withPatience } from './guarded-regexp.ts';
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
    ['^\\p{Greek}+$', 'λ', false],
    ['^\\Qa.b\\E$', 'a.b', true],
    ['^\\Qa.b\\E$', 'axb', false],
    ['^[a-z\\-\\.]+$', 'a-.', true],
    ['^\\x{41}$', 'A', true],
  ])('%s on %s', (pattern, text, expected) => {
    const matches = (): boolean => goRegExp(pattern).test(text);
    // V8 knows scripts under another name; a pattern it cannot read is refused when the schema is.
    if (pattern.includes('Greek')) expect(matches).toThrow(SyntaxError);
    else expect(matches()).toBe(expected);
  });

  it.each(['(?=a)', '(?<!a)b', '(a)\\1', '(', '[a'])('refuses %s', (pattern) => {
    expect(() => goRegExp(pattern)).toThrow(SyntaxError);
  });

  it.each(['^(a+)+$', '^(a|aa)+$', '(x+x+)+y', '^(\\w+\\s?)+$'])('%s does not go astray', (pattern) => {
    expect(goRegExp(pattern).test(`${'a'.repeat(60)}!`)).toBe(false);
  });

  it.each(['(?i)^(a+)+$', '^(?:[a-z0-9]+\\.?){1,20}$', '^(\\pL+)+$'])('%s gives up', (pattern) => {
    expect(() => goRegExp(pattern).test(`${'a'.repeat(60)}!`)).toThrow(RegExpTimeout);
    expect(goRegExp(pattern).test('aaa')).toBe(true);
    expect(goRegExp(pattern, 'g').exec('aaa')?.[0]).toBe('aaa');
  });

  it.each<[string, boolean]>([
    ['^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$', false],
    ['^a{1,1000}$', false],
    ['^(a{2}){3}$', false],
    ['^(a{1,2}){1,3}$', true],
    ['a*b*', true],
    ['[+*]{1,300}', false],
    ['\\(\\+\\)*', false],
  ])('%s is risky: %s', (source, risky) => {
    expect(isRisky(source)).toBe(risky);
  });
});

describe('a match that takes long by the clock', () => {
  /** Takes this much processor time in each turn; the last turn succeeds when there are so many. */
  const runOf = (costs: readonly number[]): { outcome: unknown; timeouts: number[] } => {
    let worked = 0;
    const timeouts: number[] = [];
    const outcome = withPatience(
      (timeout) => {
        const cost = costs[timeouts.push(timeout) - 1];
        if (cost === undefined) return 'found';
        worked += cost;
        throw Object.assign(new Error('timeout'), { code: 'ERR_SCRIPT_EXECUTION_TIMEOUT' });
      },
      () => worked,
    );
    return { outcome, timeouts };
  };

  it('has gone astray when it has worked all that time', () => {
    expect(runOf([100])).toEqual({ outcome: 'astray', timeouts: [100] });
  });

  it('gets another turn, with more time, when it has mostly waited', () => {
    expect(runOf([3, 10])).toEqual({ outcome: 'found', timeouts: [100, 200, 400] });
    expect(runOf([3, 190])).toEqual({ outcome: 'astray', timeouts: [100, 200] });
  });

  it('other failures are passed on', () => {
    const fail = (): never => {
      throw new RangeError('too deep');
    };
    expect(() => withPatience(fail, () => 0)).toThrow(RangeError);
  });
});
