import { expect } from 'vitest';
import { policyApi, policyFamilies } from '../../src/api/index.ts';
import type { Policy } from '../../src/api/index.ts';
import { isPropagated, kindKey, policyIdOf, questions, Tally } from '../../src/engine/index.ts';
import type { PolicyCounts, World } from '../../src/engine/index.ts';
import { stories } from '../kit/stories/anything.ts';
import type { Story } from '../kit/stories/anything.ts';
import { happen, stageFor } from '../kit/stories/event.ts';
import { property } from '../kit/stories/runs.ts';
import { settleAs } from '../kit/stories/tell.ts';

/** The counts of every policy there is. */
function countsIn(world: World, tally: Tally): Readonly<Record<string, PolicyCounts>> {
  const found: Record<string, PolicyCounts> = {};
  for (const { kind } of Object.values(policyFamilies)) {
    world.each(kindKey(`${policyApi}|${kind}`), (policy) => {
      const id = policyIdOf(policy as Policy);
      found[`${kind} ${policy.metadata.namespace ?? ''} ${policy.metadata.name}`] = tally.of(id);
    });
  }
  return found;
}

function recounted(world: World): Readonly<Record<string, PolicyCounts>> {
  const tally = new Tally(world);
  for (const [key, object] of world.entries()) {
    if (!key.startsWith('@') && isPropagated(object)) tally.hear('claim', key, questions.claim(world, key));
  }
  return countsIn(world, tally);
}

/** Tells a story to a tally that only listens; a restarted process begins with an empty one. */
function listenTo({ steps, gates, large }: Story): void {
  const world = stageFor(gates, large);
  let tally = new Tally(world);
  steps.forEach(({ event, pause }, i) => {
    happen(world, event, i);
    if (pause === 'goOn' && i < steps.length - 1) return;
    for (const { key, after } of world.pending) if (!after) tally.hear('claim', key, undefined);
    if (pause === 'restart') tally = new Tally(world);
    settleAs(world, pause === 'restart' ? 'restart' : 'settle', { trace: tally });
    expect(countsIn(world, tally)).toEqual(recounted(world));
  });
}

property('who only listens counts the same as who counts', stories({ overrides: true }), listenTo);
