import { templateGenerationAnnotation } from '../../api/index.ts';
import type { Work } from '../../api/index.ts';
import { at } from '../../base/index.ts';

/**
 * Is what the Work says known to be on its way still? A condition says Applied also of what was applied before. Of
 * workloads members report from which state of the template they come; of other kinds nobody knows.
 */
export function isOnItsWay({ spec, status }: Work): boolean {
  const sent = Number(spec.workload.manifests[0]?.metadata.annotations?.[templateGenerationAnnotation]);
  const reported = at(status?.manifestStatuses?.[0]?.status, ['resourceTemplateGeneration']);
  return typeof reported === 'number' && reported < sent;
}
