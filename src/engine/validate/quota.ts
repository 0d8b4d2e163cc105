import { forbiddenField, invalidValue, tooLong, amountOf } from '../../api/index.ts';
import { at, entries, entryOf, items, textOf } from './place.ts';
import type { Faults, Place } from './place.ts';
import { checked, whyNotMemberName } from './syntax.ts';

/** FederatedResourceQuota: the shares of the members fit into the whole. */
export function* quotaFaults(quota: Place): Faults {
  const name = at(quota, 'metadata', 'name');
  if (textOf(name).length > 63) yield tooLong(name.path, 63);
  const overall = at(quota, 'spec', 'overall');
  const shares = items(at(quota, 'spec', 'staticAssignments'));
  yield* amountsFaults(overall);
  for (const share of shares) {
    yield* checked(at(share, 'clusterName'), whyNotMemberName);
    yield* amountsFaults(at(share, 'hard'));
    for (const [resource, amount] of entries(at(share, 'hard'))) {
      if (entryOf(overall, resource).value === undefined) {
        yield forbiddenField(amount.path, `not limited over all: write ${resource} in spec.overall too`);
      }
    }
  }
  for (const [resource, limit] of entries(overall)) yield* sumFaults(limit, shares, resource);
}

function* amountsFaults(amounts: Place): Faults {
  for (const [, amount] of entries(amounts)) {
    if ((amountOf(amount.value) ?? 0n) < 0n) yield invalidValue(amount.path, amount.value, 'must not be negative');
  }
}

function* sumFaults(limit: Place, shares: readonly Place[], resource: string): Faults {
  let sum = 0n;
  for (const share of shares) sum += amountOf(at(share, 'hard', resource).value) ?? 0n;
  const whole = amountOf(limit.value);
  if (whole !== undefined && whole >= 0n && sum > whole) {
    yield invalidValue(limit.path, limit.value, 'is less than the sum of spec.staticAssignments');
  }
}
