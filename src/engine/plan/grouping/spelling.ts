import {
  bindingFamilies,
  inEffectAnnotation,
  isSystemKey,
  reconcileAnnotation,
  waitsAtAnnotation,
} from '../../../api/index.ts';
import type { BindingSpec, ReplicaRequirements } from '../../../api/index.ts';
import { equal } from '../../../base/index.ts';
import type { InEffect } from '../../claim/index.ts';
import type { Replicas } from '../../interpret/index.ts';
import type { Spelling } from './numbering.ts';

type Keys = Readonly<Record<string, string>>;

/** Marks with a value of their own on every object; those that matter are looked at apart. */
const unique: ReadonlySet<string> = new Set([
  waitsAtAnnotation,
  reconcileAnnotation,
  inEffectAnnotation,
  bindingFamilies.namespace.idLabel,
  bindingFamilies.cluster.idLabel,
]);

const isMark = (key: string): boolean => isSystemKey(key) && !unique.has(key);

/** The system's labels or annotations of an object. */
export const marks: Spelling<Keys | undefined> = {
  spell: (map) => {
    let text = '';
    for (const key in map) if (isMark(key)) text += `${key}=${map[key]} `;
    return text;
  },
  isSame: (a, b) => {
    let open = 0;
    for (const key in a) {
      if (!isMark(key)) continue;
      if (a[key] !== b?.[key]) return false;
      open++;
    }
    for (const key in b) if (isMark(key)) open--;
    return open === 0;
  },
};

/** The state that a binding reflects, without the template's content. */
export const records: Spelling<InEffect | undefined> = {
  spell: (record) => JSON.stringify({ ...record, template: undefined }),
  isSame: (a, b) =>
    a === b ||
    (a !== undefined &&
      b !== undefined &&
      a.generation === b.generation &&
      a.request === b.request &&
      equal(a.policy, b.policy)),
};

/** A binding's spec without the names in it. */
export const specs: Spelling<BindingSpec> = {
  spell: (spec) =>
    `${JSON.stringify({ ...spec, resource: undefined, replicaRequirements: undefined })} ${requirements.spell(spec.replicaRequirements)}`,
  isSame: (a, b) =>
    isPartOf(a, b) && isPartOf(b, a) && requirements.isSame(a.replicaRequirements, b.replicaRequirements),
};

function isPartOf(a: BindingSpec, b: BindingSpec): boolean {
  for (const key in a) {
    if (key === 'resource' || key === 'replicaRequirements') continue;
    if (!equal(a[key as keyof BindingSpec], b[key as keyof BindingSpec])) return false;
  }
  return true;
}

/** The requirements of a replica; no decision reads that they are in the template's own namespace. */
const requirements: Spelling<ReplicaRequirements | undefined> = {
  spell: (needs) => (needs ? JSON.stringify({ ...needs, namespace: undefined }) : ''),
  isSame: (a, b) => (a && b ? equal({ ...a, namespace: undefined }, { ...b, namespace: undefined }) : a === b),
};

/** How many replicas a template asks for and what each needs. */
export const replicas: Spelling<Replicas> = {
  spell: (count) => `${count.replicas} ${requirements.spell(count.requirements)}`,
  isSame: (a, b) => a.replicas === b.replicas && requirements.isSame(a.requirements, b.requirements),
};
