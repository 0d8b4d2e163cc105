import { applying } from './apply-cases.ts';
import { creating } from './create-cases.ts';
import { custom } from './custom-cases.ts';
import { patching, updating } from './patch-cases.ts';
import { random } from './random-cases.ts';
import { shaping } from './shape-cases.ts';
import type { Case } from './story.ts';

/** All cases. */
export const cases: readonly Case[] = [
  ...applying,
  ...updating,
  ...patching,
  ...creating,
  ...custom,
  ...shaping,
  ...random,
];
