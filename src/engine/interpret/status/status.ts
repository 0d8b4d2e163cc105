import type { AggregatedStatusItem, Health, KubeObject } from '../../../api/index.ts';
import { balancers } from './balancers.ts';
import { counters } from './counters.ts';
import { jobs } from './jobs.ts';
import { statusOf } from './kind.ts';
import type { StatusKind } from './kind.ts';
import { phases } from './phases.ts';

const kinds: Readonly<Record<string, StatusKind>> = { ...counters, ...jobs, ...phases, ...balancers };

function statusKind(object: KubeObject): StatusKind | undefined {
  return kinds[`${object.apiVersion}|${object.kind}`];
}

/** The status of a member's object that is reported to the hub; undefined when it has no status yet. */
export function reflectStatus(present: KubeObject): unknown {
  const status = statusOf(present);
  const reflect = statusKind(present)?.reflect;
  return status && reflect ? reflect(present, status) : status;
}

/**
 * Tells whether the object in the member is healthy. Kinds of which nothing is known are healthy as soon as they exist.
 */
export function healthOf(present: KubeObject): Health {
  const healthy = statusKind(present)?.healthy;
  return !healthy || healthy(present, statusOf(present) ?? {}) ? 'Healthy' : 'Unhealthy';
}

/** The template's status from those of the members; undefined for kinds that are not aggregated, and when nothing can be said. */
export function aggregateStatus(template: KubeObject, items: readonly AggregatedStatusItem[]): unknown {
  return statusKind(template)?.aggregate?.(template, items);
}
