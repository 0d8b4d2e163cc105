import type { Command } from 'commander';
import type { Policy, Ref, RolloutPolicy } from '../api/index.ts';
import { nameOf } from './change.ts';
import type { Run } from './commands.ts';
import { withHub } from './connect.ts';
import type { Hub } from './connect.ts';
import { Failure, UsageError } from './failure.ts';
import {
  changed,
  clustersOf,
  heldBy,
  heldWords,
  holdCommand,
  holding,
  isSingle,
  rolloutRef,
  untilOf,
  withMore,
} from './hold.ts';
import type { HoldFlags } from './hold.ts';
import type { Io } from './io.ts';
import { findTarget } from './kinds.ts';
import { Members } from './members.ts';
import { told } from './print/output.ts';

interface SuspendFlags extends HoldFlags {
  readonly reason?: string;
  readonly until?: string;
}

/** `sluice suspend` */
export function suspendCommand({ io }: Run): Command {
  return holdCommand(
    'suspend',
    'Stop sending to members, at once: of all that a policy holds, or of a single object. What runs goes on as it is; deletions still go through.',
  )
    .option('--reason <TEXT>', 'why, for all who wonder (single objects)')
    .option('--until <TIME>', 'when it ends by itself: 2h, or 2026-12-24T18:00:00Z (single objects)')
    .addHelpText(
      'after',
      `
Examples:
  sluice suspend policy/web -n shop                                  all that the policy holds
  sluice suspend policy/web -n shop --clusters member2,member3       only there
  sluice suspend deployment/nginx -n shop --reason "freeze" --until 2h
`,
    )
    .action((word: string, flags: SuspendFlags) => withHub(flags, io, (hub) => suspend(hub, word, { flags, io })));
}

interface Asked {
  readonly flags: SuspendFlags;
  readonly io: Io;
}

async function suspend(hub: Hub, word: string, { flags, io }: Asked): Promise<void> {
  const target = await findTarget(hub, word, flags.namespace ?? hub.namespace);
  // A name that is misspelt would hold nothing, and nobody would notice.
  if (clustersOf(flags)) await new Members(hub, flags.timeout).chosen(flags.clusters);
  const done = isSingle(target) ? await suspendSingle(hub, target, flags) : await suspendPolicy(hub, target, flags);
  const words = `${nameOf(target)} is suspended ${heldWords(heldBy(done.spec.suspension))}${byRollout(target, done)}\n`;
  told(io, flags.output, { objects: [done], words });
}

function byRollout(target: Ref, done: Policy | RolloutPolicy): string {
  if (!isSingle(target)) return '';
  const { until } = (done as RolloutPolicy).spec;
  return ` by RolloutPolicy/${done.metadata.namespace}/${done.metadata.name}${until ? ` until ${until}` : ''}`;
}

function suspendPolicy(hub: Hub, target: Ref, flags: SuspendFlags): Promise<Policy> {
  if (target.kind !== 'RolloutPolicy' && (flags.reason !== undefined || flags.until !== undefined)) {
    throw new UsageError('--reason and --until are for single objects: a policy has no place for them');
  }
  return changed<Policy>(hub, target, (policy) =>
    holding(policy, withMore(heldBy(policy.spec.suspension), clustersOf(flags))),
  );
}

async function suspendSingle(hub: Hub, target: Ref, flags: SuspendFlags): Promise<RolloutPolicy> {
  if (!(await hub.client.find(target))) throw new Failure(`there is no ${nameOf(target)}: name its namespace with -n`);
  const ref = rolloutRef(target);
  const told = {
    ...(flags.reason !== undefined && { reason: flags.reason }),
    ...(flags.until && { until: untilOf(flags.until, Date.now()) }),
  };
  const present = await hub.client.find<RolloutPolicy>(ref);
  if (present) {
    return changed<RolloutPolicy>(hub, ref, (rollout) => {
      const braked = holding(rollout, withMore(heldBy(rollout.spec.suspension), clustersOf(flags)));
      return { ...braked, spec: { ...braked.spec, ...told } };
    });
  }
  const { apiVersion, kind, namespace, name } = target;
  const bare: RolloutPolicy = {
    apiVersion: 'policy.karmada.io/v1alpha1',
    kind: 'RolloutPolicy',
    metadata: { name: ref.name, namespace: ref.namespace },
    spec: { resourceSelectors: [{ apiVersion, kind, ...(namespace && { namespace }), name }], ...told },
  };
  return hub.client.create(holding(bare, withMore([], clustersOf(flags))));
}
