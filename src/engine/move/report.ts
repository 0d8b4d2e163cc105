import type { ManifestStatus, Work } from '../../api/index.ts';
import { at } from '../../base/index.ts';
import { conditionStatus } from '../conditions.ts';

/** The last report of a member about the object of a Work. It stays when the member is not ready any more. */
export interface LastReport {
  /** The member had the object. */
  readonly isThere: boolean;
  /** Replicas that were ready; all of a kind that counts none and is healthy. */
  readonly ready: number;
  /** All of its replicas, for a kind that counts them. */
  readonly replicas?: number;
}

/** Reads the last report from the Work: its condition Applied is about the newest content, not about the object. */
export function lastReportOf({ status }: Work): LastReport {
  const report = status?.manifestStatuses?.[0];
  const isThere = report !== undefined || conditionStatus(status?.conditions, 'Applied') === 'True';
  const [replicas, ready] = [countOf(report, 'replicas'), countOf(report, 'readyReplicas')];
  const all = report?.health === 'Healthy' ? Number.POSITIVE_INFINITY : 0;
  return { isThere, ready: ready ?? all, ...(replicas !== undefined && { replicas }) };
}

function countOf(report: ManifestStatus | undefined, field: string): number | undefined {
  const count = at(report?.status, [field]);
  return typeof count === 'number' ? count : undefined;
}
