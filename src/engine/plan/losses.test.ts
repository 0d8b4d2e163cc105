import { expect, test } from 'vitest';
import { configMap, deployment } from '../../../test/kit/objects.ts';
import { refOf } from '../../api/index.ts';
import type { Effect } from './effects.ts';
import { lossesOf } from './losses.ts';

const effect = (kind: Effect['effect'], when: Effect['when'] = 'now'): Effect => ({
  template: refOf(deployment('web')),
  cluster: 'member1',
  effect: kind,
  when,
  because: 'UpToDate',
});

test.each<[string, Effect, boolean, boolean]>([
  ['a deletion needs consent', effect('delete'), true, true],
  ['a pending deletion waits for the template', effect('delete', 'pending'), false, false],
  ['a deletion that waits for the end of a suspension needs consent', effect('delete', 'suspended'), true, true],
  ['a restart needs consent unless the template is part of the change', effect('restart'), true, false],
  ['a scaling needs consent unless the template is part of the change', effect('scale'), true, false],
  ['a creation needs no consent', effect('create'), false, false],
  ['an update in place needs no consent', effect('update'), false, false],
])('%s', (_, one, byOthers, byItself) => {
  expect(lossesOf({ effects: [one] }, { apply: [configMap('other')] })).toEqual(byOthers ? [one] : []);
  expect(lossesOf({ effects: [one] }, { apply: [deployment('web')] })).toEqual(byItself ? [one] : []);
});
