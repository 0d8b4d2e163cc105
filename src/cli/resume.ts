import type { Command } from 'commander';
import type { Policy, Ref, RolloutPolicy } from '../api/index.ts';
import { nameOf } from './change.ts';
import type { Run } from './commands.ts';
import { withHub } from './connect.ts';
import type { Hub } from './connect.ts';
import { Failure } from './failure.ts';
import {
  changed,
  clustersOf,
  heldBy,
  heldWords,
  holdCommand,
  holding,
  isSingle,
  rolloutRef,
  withLess,
  withMore,
} from './hold.ts';
import type { Held, HoldFlags } from './hold.ts';
import { findTarget, isPolicyRef } from './kinds.ts';
import { Members } from './members.ts';
import { told } from './print/output.ts';

/** `sluice resume` */
export function resumeCommand({ io }: Run): Command {
  return holdCommand(
    'resume',
    'Send to members again what `sluice suspend` held back; what changed meanwhile is sent at once.',
  )
    .addHelpText(
      'after',
      `
Examples:
  sluice resume policy/web -n shop
  sluice resume policy/web -n shop --clusters member2     one member after the other
  sluice resume deployment/nginx -n shop
  sluice resume clusterrole/reader
`,
    )
    .action((word: string, flags: HoldFlags) =>
      withHub(flags, io, async (hub) => {
        const target = await findTarget(hub, word, flags.namespace ?? hub.namespace);
        const { before, after, object } = await resume(hub, target, flags);
        const there = flags.clusters === undefined ? '' : ' there';
        const done = heldWords(after) === heldWords(before) ? `was not suspended${there}` : 'is resumed';
        const still = heldWords(before) === 'nowhere' ? '' : `; suspended ${heldWords(after)}`;
        const words = `${nameOf(target)} ${done}${still}\n`;
        told(io, flags.output, { objects: [object], words });
      }),
    );
}

interface Resumed {
  readonly before: Held;
  readonly after: Held;
  /** What held it: as it is now, or as it was when it went. */
  readonly object: Policy | RolloutPolicy;
}

async function resume(hub: Hub, target: Ref, flags: HoldFlags): Promise<Resumed> {
  // Whoever resumes everywhere need not know where that is.
  const everybody = flags.clusters === undefined ? [] : await new Members(hub, flags.timeout).names();
  const less = (held: Held): Held => withLess(held, clustersOf(flags), everybody);
  return isSingle(target) ? resumeSingle(hub, target, less) : resumePolicy(hub, target, less);
}

/** A policy is held by itself, and by a rollout policy where somebody said why or until when. */
async function resumePolicy(hub: Hub, target: Ref, less: (held: Held) => Held): Promise<Resumed> {
  let before: Held = [];
  const done = await changed<Policy>(hub, target, (policy) => {
    before = heldBy(policy.spec.suspension);
    return holding(policy, less(before));
  });
  const own = { before, after: heldBy(done.spec.suspension), object: done };
  const isAlone = !isPolicyRef(target) || !(await hub.client.find(rolloutRef(target)));
  if (isAlone) return own;
  const { before: earlier, after, object } = await resumeSingle(hub, target, less);
  return { before: both(before, earlier), after: both(own.after, after), object };
}

const both = (one: Held, other: Held): Held => withMore(one, other === 'all' ? undefined : other);

/** A rollout policy that we named after the object, and that holds nothing any more, goes. */
async function resumeSingle(hub: Hub, target: Ref, less: (held: Held) => Held): Promise<Resumed> {
  const ref = rolloutRef(target);
  const rollout = await hub.client.find<RolloutPolicy>(ref);
  if (!rollout) {
    throw new Failure(`${nameOf(target)} is not suspended by ${nameOf(ref)}: \`sluice status\` says who holds it`);
  }
  const before = heldBy(rollout.spec.suspension);
  const after = less(before);
  const { uid } = rollout.metadata;
  if (heldWords(after) === 'nowhere') {
    await hub.client.delete(ref, uid ? { uid } : {});
    return { before, after, object: holding(rollout, after) };
  }
  const change = (present: RolloutPolicy): RolloutPolicy => holding(present, less(heldBy(present.spec.suspension)));
  return { before, after, object: await changed<RolloutPolicy>(hub, ref, change) };
}
