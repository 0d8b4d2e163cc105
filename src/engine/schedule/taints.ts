import type { Taint, Toleration } from '../../api/index.ts';

/**
 * Tells whether the toleration covers the taint. An empty effect covers every effect, an empty key with Exists every
 * key.
 */
export function tolerates(toleration: Toleration, taint: Taint): boolean {
  if (toleration.effect && toleration.effect !== taint.effect) return false;
  if (toleration.key && toleration.key !== taint.key) return false;
  if (toleration.operator === 'Exists') return true;
  return Boolean(toleration.key) && (toleration.value ?? '') === (taint.value ?? '');
}

/**
 * The first taint that keeps new workloads out: NoSchedule or NoExecute, and not tolerated. Where taints evict
 * (`failover`), one that is tolerated for a while lets running copies stay, and lets nothing in: an evicted copy would
 * come back to be evicted again, and so on.
 */
export function repellingTaint(
  taints: readonly Taint[] | undefined,
  tolerations: readonly Toleration[] = [],
  failover = false,
): Taint | undefined {
  return taints?.find((taint) => {
    if (taint.effect === 'PreferNoSchedule') return false;
    const covering = tolerations.filter((toleration) => tolerates(toleration, taint));
    if (covering.length === 0) return true;
    const drivesOut = failover && taint.effect === 'NoExecute';
    return drivesOut && covering.some(({ tolerationSeconds }) => tolerationSeconds !== undefined);
  });
}

/** `key=value:effect`, as people write taints. */
export function taintText({ key, value, effect }: Taint): string {
  return value ? `${key}=${value}:${effect}` : `${key}:${effect}`;
}
