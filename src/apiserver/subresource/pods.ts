import { ApiError, badRequest, conflict, selectsLabels, tooManyRequests } from '../../api/index.ts';
import type { KubeObject, LabelSelector, Status } from '../../api/index.ts';
import { clone, isObject, timestamp } from '../../base/index.ts';
import type { Draft, Part } from '../../kinds/index.ts';
import { bodyOf } from '../request/body.ts';
import type { Call, Outcome } from '../call.ts';
import { backgroundDeletion } from '../verbs/delete-options.ts';
import { namespacePrefix } from '../storage/object-keys.ts';
import { removeWith } from '../verbs/delete.ts';
import { get } from '../verbs/get.ts';
import { changeUnjudged } from '../verbs/update.ts';

const created: Status = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 };
const budgets = { group: 'policy', plural: 'poddisruptionbudgets' };

/** POST …/pods/x/binding: a scheduler says on which node the pod runs. */
export async function bind(call: Call): Promise<Outcome> {
  const { value } = bodyOf(call.request, false);
  const target = isObject(value['target']) ? value['target'] : {};
  const node = target['name'];
  if (typeof node !== 'string' || node === '') throw badRequest('target.name: Required value');
  await changeUnjudged(call, (old) => boundPod(call, old, node));
  return { status: 201, object: created };
}

function boundPod({ kind, target, parts }: Call, old: KubeObject, node: string): Draft {
  const draft = clone(old) as Draft;
  const spec = draft['spec'] as Part;
  if (old.metadata.deletionTimestamp) {
    throw conflict(kind, target.name, `pod ${target.name} is being deleted, cannot be assigned to a host`);
  }
  if (spec['nodeName']) {
    const where = JSON.stringify(spec['nodeName']);
    throw conflict(kind, target.name, `pod ${target.name} is already assigned to node ${where}`);
  }
  spec['nodeName'] = node;
  const status = (draft['status'] ??= {}) as Part;
  const others = ((status['conditions'] ?? []) as readonly Part[]).filter((one) => one['type'] !== 'PodScheduled');
  const lastTransitionTime = timestamp(parts.clock.now());
  const scheduled = { type: 'PodScheduled', status: 'True', lastProbeTime: null, lastTransitionTime };
  status['conditions'] = [...others, scheduled];
  return draft;
}

/** POST …/pods/x/eviction: deletes the pod if no disruption budget forbids it. */
export async function evict(call: Call): Promise<Outcome> {
  const { value } = bodyOf(call.request, false);
  const outcome = get(call);
  if (!('entry' in outcome)) return outcome;
  refuseDisruption(call, outcome.entry.value as KubeObject);
  const asked = isObject(value['deleteOptions']) ? value['deleteOptions'] : {};
  const grace = asked['gracePeriodSeconds'];
  await removeWith(call, {
    ...backgroundDeletion,
    dryRun: call.options.dryRun || (Array.isArray(asked['dryRun']) && asked['dryRun'].includes('All')),
    gracePeriodSeconds: typeof grace === 'number' ? grace : undefined,
  });
  return { status: 201, object: created };
}

function refuseDisruption({ parts, target }: Call, pod: KubeObject): void {
  if (!isDisruptable(pod)) return;
  for (const { value } of parts.store.list(namespacePrefix(budgets, target.namespace)).entries) {
    const budget = value as Budget;
    const selector = budget.spec?.selector;
    const isFull = !((budget.status?.disruptionsAllowed ?? 0) > 0);
    if (isFull && selector && selectsLabels(selector, pod.metadata.labels)) throw disruption(budget.metadata.name);
  }
}

interface Budget extends KubeObject {
  readonly spec?: { readonly selector?: LabelSelector };
  readonly status?: { readonly disruptionsAllowed?: number };
}

/** A pod that does not run yet, or no longer, serves nobody. */
function isDisruptable(pod: KubeObject): boolean {
  const { phase } = (pod as { readonly status?: { readonly phase?: string } }).status ?? {};
  return phase !== 'Succeeded' && phase !== 'Failed' && phase !== 'Pending';
}

function disruption(budget: string): ApiError {
  const { status } = tooManyRequests("Cannot evict pod as it would violate the pod's disruption budget.", 10);
  const message = `The disruption budget ${budget} does not allow evicting the pod now`;
  const causes = [{ reason: 'DisruptionBudget', message }];
  return new ApiError({ ...status, details: { ...status.details, causes } });
}
