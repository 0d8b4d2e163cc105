import { freeze, remembering } from '../../base/index.ts';
import type { CustomResourceDefinition } from '../crd.ts';
import { groupOf } from '../meta.ts';
import type { Schema } from '../schema.ts';
import { autoscalingCrds } from './autoscaling.ts';
import { bindingCrds } from './binding.ts';
import { clusterCrds } from './cluster.ts';
import { interpreterCrds } from './interpreter.ts';
import { networkingCrds } from './networking.ts';
import { operationCrds } from './operation.ts';
import { overrideCrds } from './override.ts';
import { propagationCrds } from './propagation.ts';
import { rolloutCrds } from './rollout.ts';
import { serviceCrds } from './service.ts';
import { taintAndQuotaCrds } from './taint.ts';
import { workCrds } from './work.ts';

const all: readonly CustomResourceDefinition[] = freeze([
  ...propagationCrds,
  ...rolloutCrds,
  ...overrideCrds,
  ...taintAndQuotaCrds,
  ...workCrds,
  ...bindingCrds,
  ...clusterCrds,
  ...interpreterCrds,
  ...operationCrds,
  ...autoscalingCrds,
  ...networkingCrds,
  ...serviceCrds,
]);

/** Every kind of ours: what the embedded hub serves, what is installed on a real cluster, what is validated against. */
export function crds(): readonly CustomResourceDefinition[] {
  return all;
}

/** The definition of a kind in any of its versions; undefined when the kind is not ours. */
export function crdOf(apiVersion: string, kind: string): CustomResourceDefinition | undefined {
  return byKind.get(`${apiVersion}|${kind}`);
}

/** The schema of a kind of ours in one of its versions. */
export function crdSchemaOf(apiVersion: string, kind: string): Schema | undefined {
  const versions = crdOf(apiVersion, kind)?.spec.versions;
  return versions?.find(({ name }) => apiVersion.endsWith(`/${name}`))?.schema?.openAPIV3Schema;
}

const byKind: ReadonlyMap<string, CustomResourceDefinition> = new Map(
  all.flatMap((crd) =>
    crd.spec.versions.map(({ name }) => [`${crd.spec.group}/${name}|${crd.spec.names.kind}`, crd] as const),
  ),
);

/**
 * The kinds of `multicluster.x-k8s.io` are served for the user: their objects are templates, and their definitions go
 * to members.
 */
const ownGroups: ReadonlySet<string> = new Set(
  all.map(({ spec }) => spec.group).filter((group) => group.endsWith('.karmada.io')),
);

/**
 * Tells whether a group is one of the control plane itself. Others may well end in `.karmada.io`, and are somebody's
 * own.
 */
export function isOwnGroup(group: string): boolean {
  return ownGroups.has(group);
}

/** Tells whether an API is one of the control plane itself. */
export const isOwnApi: (apiVersion: string) => boolean = remembering((apiVersion) => isOwnGroup(groupOf(apiVersion)));

/** Groups of ours whose objects decisions read: controllers follow them, and plans fetch them. */
export const decidingGroups: ReadonlySet<string> = new Set([
  'policy.karmada.io',
  'work.karmada.io',
  'cluster.karmada.io',
  'config.karmada.io',
  'apps.karmada.io',
]);
