import type { Taint, Toleration } from '../../api/index.ts';

/** Does the toleration cover the taint? An empty effect covers every effect, an empty key with Exists every key. */
export function tolerates(toleration: Toleration, taint: Taint): boolean {
  if (toleration.effect && toleration.effect !== taint.effect) return false;
  if (toleration.key && toleration.key !== taint.key) return false;
  if (toleration.operator === 'Exists') return true;
  return Boolean(toleration.key) && (toleration.value ?? '') === (taint.value ?? '');
}

/** The first taint that keeps new workloads out: NoSchedule or NoExecute, and not tolerated. */
export function repellingTaint(
  taints: readonly Taint[] | undefined,
  tolerations: readonly Toleration[] | undefined,
): Taint | undefined {
  return taints?.find(
    (taint) => taint.effect !== 'PreferNoSchedule' && !tolerations?.some((toleration) => tolerates(toleration, taint)),
  );
}

/** `key=value:effect`, as people write taints. */
export function taintText({ key, value, effect }: Taint): string {
  return value ? `${key}=${value}:${effect}` : `${key}:${effect}`;
}
