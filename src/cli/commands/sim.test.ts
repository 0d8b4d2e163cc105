import { expect, test } from 'vitest';
import { changeOf, faultsText } from './sim.ts';

test('flags become a change of faults; what they do not mention stays', () => {
  expect(changeOf({})).toEqual({});
  expect(changeOf({ down: true })).toEqual({ down: true });
  expect(changeOf({ up: true, latency: '500ms', errors: '10%', refuse: ['Secret'] })).toEqual({
    down: false,
    partition: false,
    latencyMilliseconds: 500,
    errorPercent: 10,
    refuse: [{ kind: 'Secret', code: 403 }],
  });
  expect(changeOf({ clockSkew: '-2m', forget: true, cutWatches: true })).toEqual({
    clockSkewSeconds: -120,
    forget: true,
    cutWatches: true,
  });
});

test.each([{ latency: 'soon' }, { errors: '200%' }, { errors: 'x' }, { down: true, up: true }])(
  '%j is wrong usage',
  (flags) => {
    expect(() => changeOf(flags)).toThrow();
  },
);

test('each mistake is reported on a line of its own', () => {
  const well = {
    down: false,
    partition: false,
    latencyMilliseconds: 0,
    errorPercent: 0,
    throttlePercent: 0,
    refuse: [],
    clockSkewSeconds: 0,
  };
  expect(faultsText('member1', well)).toBe('member1: well\n');
  expect(faultsText('member1', { ...well, down: true, errorPercent: 10 })).toBe(
    'member1:\n  down: every connection is reset\n  errors: 10 % of the requests\n',
  );
});
