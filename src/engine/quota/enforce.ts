import { addQuantities, compareQuantities, policyApi, quantityOf } from '../../api/index.ts';
import type { Binding, BindingSpec, FederatedResourceQuota, Quantity, ResourceList, View } from '../../api/index.ts';
import { bindingsInKey, kindKey } from '../match/index.ts';

/** Amounts by resource name. */
export type Usage = ReadonlyMap<string, Quantity>;

/** The quotas of a namespace, by name. */
function quotasOf(view: View, namespace: string | undefined): readonly FederatedResourceQuota[] {
  const found: FederatedResourceQuota[] = [];
  view.each(kindKey(`${policyApi}|FederatedResourceQuota`), (quota) => {
    if (quota.metadata.namespace === namespace) found.push(quota as FederatedResourceQuota);
  });
  return found.sort((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
}

/** Adds amounts, each a number of times. */
export function addUsage(sum: Map<string, Quantity>, amounts: ResourceList | undefined, times = 1): void {
  for (const [resource, text] of Object.entries(amounts ?? {})) {
    const amount = quantityOf(text);
    if (!amount) continue;
    const whole = { digits: amount.digits * BigInt(times), exponent: amount.exponent };
    const before = sum.get(resource);
    sum.set(resource, before ? addQuantities(before, whole) : whole);
  }
}

/** The requests of a workload in all clusters that it is placed on. */
export function usageOf({ clusters = [], components, replicaRequirements }: BindingSpec): Usage {
  const sum = new Map<string, Quantity>();
  for (const { replicas = 0 } of clusters) {
    addUsage(sum, replicaRequirements?.resourceRequest, replicas);
    for (const component of components ?? [])
      addUsage(sum, component.replicaRequirements?.resourceRequest, component.replicas);
  }
  return sum;
}

/** The requests of all workloads of a namespace but one. */
export function usageIn(view: View, namespace: string | undefined, except?: string): Usage {
  const sum = new Map<string, Quantity>();
  view.each(bindingsInKey(namespace ?? ''), (found) => {
    const { metadata, spec } = found as Binding;
    if (metadata.name === except) return;
    for (const [resource, amount] of usageOf(spec)) {
      const before = sum.get(resource);
      sum.set(resource, before ? addQuantities(before, amount) : amount);
    }
  });
  return sum;
}

/** A resource of a quota that a binding would take too much of. */
export interface Excess {
  readonly quota: string;
  readonly resource: string;
  readonly limit: string;
}

/**
 * The first quota of its namespace that a binding exceeds as it is to be written; undefined when there is none. One that
 * takes no more than before exceeds none, so that a quota that is lowered stops nothing that runs.
 */
export function exceeds(view: View, wanted: Binding, present: Binding | undefined): Excess | undefined {
  const { namespace, name } = wanted.metadata;
  if (!view.gates.FederatedQuotaEnforcement || namespace === undefined) return undefined;
  const quotas = quotasOf(view, namespace);
  if (quotas.length === 0) return undefined;
  const [after, before] = [usageOf(wanted.spec), present ? usageOf(present.spec) : new Map<string, Quantity>()];
  const others = usageIn(view, namespace, name);
  for (const quota of quotas) {
    const found = excessOf(quota, { after, before, others });
    if (found) return found;
  }
  return undefined;
}

const nothing: Quantity = { digits: 0n, exponent: 0 };

function excessOf(
  { metadata, spec }: FederatedResourceQuota,
  { after, before, others }: Readonly<Record<'after' | 'before' | 'others', Usage>>,
): Excess | undefined {
  for (const [resource, limit] of Object.entries(spec.overall)) {
    const [now, then, most] = [after.get(resource) ?? nothing, before.get(resource) ?? nothing, quantityOf(limit)];
    if (!most || compareQuantities(now, then) <= 0) continue;
    const total = addQuantities(others.get(resource) ?? nothing, now);
    if (compareQuantities(total, most) > 0) return { quota: metadata.name, resource, limit: String(limit) };
  }
  return undefined;
}

/** The words for a quota that is exceeded. */
export function excessText(excess: Excess | undefined): string | undefined {
  return excess && `FederatedResourceQuota ${excess.quota} limits ${excess.resource} to ${excess.limit}`;
}
