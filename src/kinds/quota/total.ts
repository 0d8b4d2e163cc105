/** The arithmetic of one ResourceQuota: what it bounds, what is used of that, and what would be too much. */
import { addQuantities, compareQuantities, quantityOf } from '../../api/index.ts';
import type { KubeObject, Quantity } from '../../api/index.ts';
import { partOf, specOf } from '../part.ts';
import { quantityTextLike } from '../quantity.ts';
import { isInScope } from './scopes.ts';
import { unstated, usageOf, zero } from './usage.ts';
import type { Amounts, Counted } from './usage.ts';

/** The bounds of a quota by name. */
export function boundsOf(quota: KubeObject): Amounts {
  const bounds = new Map<string, Quantity>();
  for (const [name, value] of Object.entries(partOf(specOf(quota), 'hard'))) {
    const bound = quantityOf(value);
    if (bound) bounds.set(name, bound);
  }
  return bounds;
}

/** The amounts that an object uses of what the quota bounds; none when it is not in its scopes. */
export function usageUnder(quota: KubeObject, resource: Counted, object: KubeObject): Amounts {
  const bounds = boundsOf(quota);
  const used = new Map<string, Quantity>();
  if (!isInScope(quota, resource, object)) return used;
  for (const [name, amount] of usageOf(resource, object)) if (bounds.has(name)) used.set(name, amount);
  return used;
}

/** A write under a quota: how much more it uses, and how much is used without it. */
export interface Demand {
  readonly quota: KubeObject;
  readonly used: Amounts;
  readonly more: Amounts;
}

/** Why the quota refuses the demand, in Kubernetes' words; undefined when there is enough. */
export function excess({ quota, used, more }: Demand): string | undefined {
  const bounds = boundsOf(quota);
  const over = [...more].filter(([name, amount]) => {
    const bound = bounds.get(name) ?? zero;
    return (
      compareQuantities(amount, zero) > 0 && compareQuantities(addQuantities(used.get(name) ?? zero, amount), bound) > 0
    );
  });
  if (over.length === 0) return undefined;
  const names = over.map(([name]) => name).toSorted();
  const listed = (amounts: Amounts): string => names.map((name) => `${name}=${shown(quota, name, amounts)}`).join(',');
  return `exceeded quota: ${quota.metadata.name}, requested: ${listed(more)}, used: ${listed(used)}, limited: ${listed(bounds)}`;
}

/** Why a new pod cannot be counted: the quota bounds what the pod does not state; undefined when it can. */
export function uncountable(quota: KubeObject, resource: Counted, object: KubeObject): string | undefined {
  if (resource.group !== '' || resource.plural !== 'pods' || !isInScope(quota, resource, object)) return undefined;
  const missing = unstated(object, [...boundsOf(quota).keys()]);
  return missing && `failed quota: ${quota.metadata.name}: ${missing}`;
}

/** The status of a quota: its bounds, and how much of each is used. */
export function quotaStatus(quota: KubeObject, used: Amounts): { readonly hard: object; readonly used: object } {
  const hard = partOf(specOf(quota), 'hard');
  const names = Object.keys(hard);
  return { hard, used: Object.fromEntries(names.map((name) => [name, shown(quota, name, used)])) };
}

/** An amount as text, in powers of 1024 where the bound is written so. */
function shown(quota: KubeObject, name: string, amounts: Amounts): string {
  return quantityTextLike(amounts.get(name) ?? zero, partOf(specOf(quota), 'hard')[name]);
}
