import { randomUUID } from 'node:crypto';
import { keyOf, refOf } from '../../../api/index.ts';
import type { KubeObject, Ref } from '../../../api/index.ts';
import {
  batchesOf,
  begunIn,
  concerning,
  foundWorld,
  lineOf,
  pendingIn,
  policyKinds,
  refuseUnhealthy,
  Rollout,
  settle,
} from '../../../cli/index.ts';
import { isManagedBy } from '../../../engine/index.ts';
import type { ActivationRun } from '../../wire.ts';
import { Refusal } from '../guard.ts';
import type { Sight } from '../sight.ts';

/** The pending changes to activate, and how fast. */
export interface ActivateRequest {
  /** Templates, or policies with all that they manage; empty: everything. */
  readonly targets: readonly Ref[];
  /** `5` or `20%`; absent: all at once. */
  readonly batch?: string;
  readonly pauseSeconds?: number;
}

interface Run {
  readonly id: string;
  readonly rollout: Rollout;
  readonly total: number;
  readonly stop: AbortController;
  state: ActivationRun['state'];
  doing: string;
  message: string;
}

/** The run of each person; the last one stays to be seen. */
const runs = new WeakMap<Sight, Run>();
const longestBatch = 300_000;

/** The run of this person as the screen shows it. */
export function runOf(sight: Sight): ActivationRun | null {
  const run = runs.get(sight);
  if (!run) return null;
  const batches = run.rollout.reports.map(({ templates, state, suspended }) => ({
    templates: templates.length,
    state,
    suspended,
  }));
  const done = batches
    .filter(({ state }) => state === 'inEffect' || state === 'asked')
    .reduce((sum, { templates }) => sum + templates, 0);
  const { id, state, total, doing, message } = run;
  return { id, state, batches, total, done, doing, message };
}

/** Activates pending changes in batches, as `sluice reconcile` does; the run goes on while the page is closed. */
export async function activate(
  sight: Sight,
  { targets, batch, pauseSeconds = 0 }: ActivateRequest,
): Promise<ActivationRun | null> {
  const before = runs.get(sight);
  if (before?.state === 'running' || before?.state === 'stopping')
    throw new Refusal(409, 'another run has not ended yet');
  const { snapshot } = await sight.picture();
  const world = foundWorld(snapshot);
  const earlier = begunIn(world);
  settle(world, snapshot);
  const wanted = wantedBy(targets);
  const activations = pendingIn(world, wanted);
  if (activations.length === 0) throw new Refusal(409, 'nothing of this is pending any more');
  refuseUnhealthy(concerning(earlier, activations, wanted));
  const stop = new AbortController();
  const note = (text: string): void => void (run.doing = text.trim());
  const site = {
    hub: sight.hub,
    members: sight.members,
    io: { err: () => {}, progress: false, columns: undefined, interrupted: stop.signal },
    say: note,
  };
  const pace = { pause: pauseSeconds * 1000, waitForLast: true, longest: longestBatch, goesOn: false };
  const rollout = new Rollout(site, batchesOf(activations, batch), pace);
  const run: Run = {
    id: randomUUID(),
    rollout,
    total: activations.length,
    stop,
    state: 'running',
    doing: '',
    message: '',
  };
  runs.set(sight, run);
  void carryOut(sight, run);
  return runOf(sight);
}

async function carryOut(sight: Sight, run: Run): Promise<void> {
  try {
    await run.rollout.run();
    run.state = 'done';
  } catch (error) {
    run.state = run.stop.signal.aborted ? 'stopped' : 'failed';
    run.message = lineOf(error);
  }
  sight.touch();
  sight.changed();
}

/** Stops after the requests that are under way; what was begun stays, and the rest waits. */
export function stopRun(sight: Sight): ActivationRun | null {
  const run = runs.get(sight);
  if (run?.state === 'running') {
    run.state = 'stopping';
    run.stop.abort();
  }
  return runOf(sight);
}

function wantedBy(targets: readonly Ref[]): (template: KubeObject) => boolean {
  if (targets.length === 0) return () => true;
  const keys = new Set(targets.map(keyOf));
  const policies = targets.filter(({ kind }) => policyKinds.has(kind));
  return (template) => keys.has(keyOf(refOf(template))) || policies.some((policy) => isManagedBy(template, policy));
}
