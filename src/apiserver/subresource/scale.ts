import { badRequest, conflict, invalid, invalidValue, methodNotSupported } from '../../api/index.ts';
import type { KindInfo, KubeObject, LabelSelector, ScalePaths } from '../../api/index.ts';
import { clone, freeze, isObject } from '../../base/index.ts';
import type { Draft, Part } from '../../kinds/index.ts';
import { bodyOf } from '../request/body.ts';
import type { Call, Outcome } from '../call.ts';
import { servedObject } from '../storage/stored-form.ts';
import { patchTypeOf, patcherOf } from '../verbs/patch.ts';
import { get } from '../verbs/get.ts';
import { changeObject } from '../verbs/update.ts';

/** GET …/scale */
export function getScale(call: Call): Outcome {
  const outcome = get(call);
  if (!('entry' in outcome)) return outcome;
  return { status: 200, object: scaleOf(servedObject(outcome.entry, call.kind), call.kind) };
}

/** PUT …/scale */
export async function putScale(call: Call): Promise<Outcome> {
  const { value } = bodyOf(call.request, false);
  return rescaled(call, () => value);
}

/** PATCH …/scale */
export async function patchScale(call: Call): Promise<Outcome> {
  const type = patchTypeOf(call);
  if (type === 'apply') throw methodNotSupported(call.kind, 'apply');
  const change = patcherOf(call, type === 'strategic' ? 'merge' : type);
  return rescaled(call, (scale) => change(scale) as unknown as Part);
}

async function rescaled(call: Call, make: (scale: KubeObject) => Part): Promise<Outcome> {
  const { kind, target } = call;
  const paths = pathsOf(kind);
  const outcome = await changeObject(call, {
    make: (old) => {
      const wanted = make(scaleOf(old, kind));
      checkVersion(call, wanted, old);
      const replicas = replicasOf(wanted, target.name);
      const draft = clone(old) as Draft;
      write(draft, paths.specReplicasPath, replicas);
      return draft;
    },
  });
  if ('entry' in outcome) return { status: 200, object: scaleOf(servedObject(outcome.entry, kind), kind) };
  return 'object' in outcome ? { status: 200, object: scaleOf(outcome.object as KubeObject, kind) } : outcome;
}

function checkVersion(call: Call, wanted: Part, old: KubeObject): void {
  const metadata = isObject(wanted['metadata']) ? wanted['metadata'] : {};
  const { resourceVersion } = metadata;
  if (resourceVersion && resourceVersion !== old.metadata.resourceVersion) throw conflict(call.kind, call.target.name);
}

function replicasOf(scale: Part, name: string): number {
  const spec = isObject(scale['spec']) ? scale['spec'] : {};
  const replicas = spec['replicas'] ?? 0;
  if (typeof replicas !== 'number' || !Number.isInteger(replicas)) {
    throw badRequest('json: cannot unmarshal value into Go struct field ScaleSpec.spec.replicas of type int32');
  }
  if (replicas >= 0) return replicas;
  const error = invalidValue('spec.replicas', replicas, 'must be greater than or equal to 0');
  throw invalid({ group: 'autoscaling', kind: 'Scale' }, name, [error]);
}

function pathsOf(kind: KindInfo): ScalePaths {
  if (kind.scale) return kind.scale;
  throw methodNotSupported(kind, 'scale');
}

/** autoscaling/v1 Scale, as the object itself says. */
function scaleOf(object: KubeObject, kind: KindInfo): KubeObject {
  const { specReplicasPath, statusReplicasPath, labelSelectorPath } = pathsOf(kind);
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata;
  const selector = labelSelectorPath ? selectorText(read(object, labelSelectorPath)) : '';
  return freeze({
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    metadata: {
      name,
      ...(namespace && { namespace }),
      ...(uid && { uid }),
      ...(resourceVersion && { resourceVersion }),
      ...(creationTimestamp && { creationTimestamp }),
    },
    spec: { replicas: numberAt(object, specReplicasPath) },
    status: { replicas: numberAt(object, statusReplicasPath), ...(selector && { selector }) },
  });
}

function stepsOf(path: string): string[] {
  return path.split('.').filter((step) => step !== '');
}

function read(object: unknown, path: string): unknown {
  let value = object;
  for (const step of stepsOf(path)) value = isObject(value) ? value[step] : undefined;
  return value;
}

function numberAt(object: KubeObject, path: string): number {
  const value = read(object, path);
  return typeof value === 'number' ? value : 0;
}

function write(draft: Draft, path: string, value: number): void {
  const steps = stepsOf(path);
  const last = steps.pop() ?? '';
  let part: Part = draft;
  for (const step of steps) {
    if (!isObject(part[step])) part[step] = {};
    part = part[step] as Part;
  }
  part[last] = value;
}

/** Custom resources keep the selector as text; built-in kinds as an object, or as a map in the oldest of them. */
function selectorText(selector: unknown): string {
  if (typeof selector === 'string') return selector;
  if (!isObject(selector)) return '';
  const { matchLabels, matchExpressions } = selector as LabelSelector;
  if (!matchLabels && !matchExpressions) return pairs(selector as Record<string, string>).join(',');
  const expressions = (matchExpressions ?? []).map(({ key, operator, values = [] }) => {
    if (operator === 'Exists') return key;
    return operator === 'DoesNotExist'
      ? `!${key}`
      : `${key} ${operator.toLowerCase()} (${[...values].sort().join(',')})`;
  });
  return [...pairs(matchLabels ?? {}), ...expressions].join(',');
}

function pairs(labels: Readonly<Record<string, string>>): string[] {
  return Object.entries(labels)
    .map(([key, value]) => `${key}=${value}`)
    .sort();
}
