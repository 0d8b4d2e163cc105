import { equal, isObject } from '../../base/index.ts';
import type { MutationFacts } from './facts.ts';
import { every, update } from './update.ts';

const largest = '9223372036854775807';
const cpuSteps = ['0', '1', '2', '4', '8', '16', '32', '64', '128', largest];
const memorySteps = ['0', '4Gi', '16Gi', '32Gi', '64Gi', '128Gi', '256Gi', '512Gi', '1Ti', largest];

/** The nine grades by which nodes are counted unless the member says otherwise. */
export function defaultResourceModels(): readonly unknown[] {
  return cpuSteps.slice(1).map((max, grade) => ({
    grade,
    ranges: [
      { name: 'cpu', min: cpuSteps[grade], max },
      { name: 'memory', min: memorySteps[grade], max: memorySteps[grade + 1] },
    ],
  }));
}

/** Cluster. */
export function mutateCluster<T>(cluster: T, facts: MutationFacts): T {
  let result = update(cluster, ['spec', 'taints', every], (taint) => stamped(taint, facts.now));
  result = update(result, ['spec'], zonesOfZone);
  if (facts.operation === 'UPDATE' || facts.resourceModels !== true) return result;
  return update(result, ['spec', 'resourceModels'], standardModels);
}

/** Evictions count from when a taint was added. */
function stamped(taint: unknown, now: string | undefined): unknown {
  if (!isObject(taint) || taint['effect'] !== 'NoExecute' || taint['timeAdded'] || !now) return taint;
  return { ...taint, timeAdded: now };
}

function zonesOfZone(spec: unknown): unknown {
  if (!isObject(spec)) return spec;
  const { zone, zones, ...rest } = spec;
  if (typeof zone !== 'string' || zone === '' || (Array.isArray(zones) && zones.length > 0)) return spec;
  return { ...rest, zones: [zone] };
}

/** In order of grade, from nothing to the largest amount. */
function standardModels(models: unknown): unknown {
  if (models === undefined || models === null) return defaultResourceModels();
  if (!Array.isArray(models)) return models;
  if (models.length === 0) return defaultResourceModels();
  const ordered = models.every(isObject) ? models.toSorted((a, b) => gradeOf(a) - gradeOf(b)) : models;
  const last = ordered.length - 1;
  const standard = ordered.map((model, index) => {
    const started = index === 0 ? update<unknown>(model, ['ranges', every, 'min'], () => '0') : model;
    return index === last ? update(started, ['ranges', every, 'max'], () => largest) : started;
  });
  return equal(standard, models) ? models : standard;
}

function gradeOf(model: Readonly<Record<string, unknown>>): number {
  return typeof model['grade'] === 'number' ? model['grade'] : 0;
}
