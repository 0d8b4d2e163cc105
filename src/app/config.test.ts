import { expect, test } from 'vitest';
import { defaultGates } from '../api/index.ts';
import { addressOf, gatesOf, membersOf, SetupError } from './config.ts';

test.each([
  ['127.0.0.1:7443', { host: '127.0.0.1', port: 7443 }],
  [':0', { host: '127.0.0.1', port: 0 }],
  ['[::1]:80', { host: '::1', port: 80 }],
  ['localhost:65535', { host: 'localhost', port: 65_535 }],
])('%s is an address', (text, address) => expect(addressOf(text, '--listen')).toEqual(address));

test.each(['7443', 'localhost', 'a:b', '1:70000', '::1:80'])('%s is no address', (text) => {
  expect(() => addressOf(text, '--listen')).toThrow(SetupError);
});

test('gates are switched by name', () => {
  expect(gatesOf('')).toEqual(defaultGates);
  expect(gatesOf('StaticPolicy=true, Failover=true')).toEqual({ ...defaultGates, StaticPolicy: true, Failover: true });
  expect(() => gatesOf('Nonsense=true')).toThrow('there is no gate Nonsense');
  expect(() => gatesOf('StaticPolicy=yes')).toThrow('StaticPolicy must be true or false');
});

test('members are a number or names', () => {
  expect(membersOf('0')).toEqual([]);
  expect(membersOf('2')).toEqual(['member1', 'member2']);
  expect(membersOf('east,west')).toEqual(['east', 'west']);
  for (const bad of ['a,a', 'Upper', 'a,,b', '-x', '101', 'east,sluice'])
    expect(() => membersOf(bad), bad).toThrow(SetupError);
});
