import { templateGenerationAnnotation } from '../../api/index.ts';
import type { Work } from '../../api/index.ts';
import { at } from '../../base/index.ts';

/**
 * Tells whether the content of this Work is still on its way. The condition Applied also covers content that was
 * applied earlier. For workloads members report the generation that they observed; for other kinds it is unknown.
 */
export function isOnItsWay({ spec, status }: Work): boolean {
  const sent = Number(spec.workload.manifests[0]?.metadata.annotations?.[templateGenerationAnnotation]);
  const reported = at(status?.manifestStatuses?.[0]?.status, ['resourceTemplateGeneration']);
  return typeof reported === 'number' && reported < sent;
}
