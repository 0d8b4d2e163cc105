import { expect, test } from 'vitest';
import { templateGenerationAnnotation } from '../../api/index.ts';
import type { Work } from '../../api/index.ts';
import { isOnItsWay } from './arrival.ts';

/** A Work that brings one state of a template, of which the member reports. */
function work(generation: string | undefined, reported: unknown): Work {
  const annotations = generation === undefined ? {} : { [templateGenerationAnnotation]: generation };
  const manifest = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web', annotations } };
  return {
    apiVersion: 'work.karmada.io/v1alpha1',
    kind: 'Work',
    metadata: { name: 'web', namespace: 'karmada-es-member1' },
    spec: { workload: { manifests: [manifest] } },
    status: { manifestStatuses: [{ identifier: {}, status: reported }] },
  } as unknown as Work;
}

test.each([
  ['a member that reports of an earlier state', '3', { resourceTemplateGeneration: 2 }, true],
  ['a member that reports of this state', '3', { resourceTemplateGeneration: 3 }, false],
  ['a member that reports of a template of the same name before', '1', { resourceTemplateGeneration: 3 }, false],
  ['a kind of which no state is reported', '3', { loadBalancer: {} }, false],
  ['a member that reports nothing', '3', undefined, false],
  ['a template without states', undefined, { resourceTemplateGeneration: 2 }, false],
])('%s on its way', (_, generation, reported, expected) => {
  expect(isOnItsWay(work(generation, reported))).toBe(expected);
});
