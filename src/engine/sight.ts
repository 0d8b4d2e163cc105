import { keyOf } from '../api/index.ts';
import type { Binding, KubeObject, View } from '../api/index.ts';
import { templateOf } from './claim/index.ts';

/*
 * An object that disappears is not thereby unwanted. The functions here tell a wish to delete from everything else that
 * makes an object go: a Work or binding that somebody deleted by hand, a definition that takes a whole kind along.
 */

const definitionOf = (name: string): string =>
  keyOf({ apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', name });

/** The definitions of the kinds whose objects must not be missed, by key. */
const definitions = {
  Work: definitionOf('works.work.karmada.io'),
  Cluster: definitionOf('clusters.cluster.karmada.io'),
} as const;

/** Tells whether the definition of a kind is being deleted. Then its objects go with it, and nobody asked for that. */
export function isKindGoing(view: View, kind: keyof typeof definitions): boolean {
  return view.get(definitions[kind])?.metadata.deletionTimestamp !== undefined;
}

/** Tells whether the template exists and neither it nor its namespace is being deleted. */
export function isLive(view: View, template: KubeObject | undefined): template is KubeObject {
  if (!template || template.metadata.deletionTimestamp) return false;
  const { namespace } = template.metadata;
  if (!namespace) return true;
  return !view.get(keyOf({ apiVersion: 'v1', kind: 'Namespace', name: namespace }))?.metadata.deletionTimestamp;
}

/**
 * Tells whether the binding is being deleted, and whether its copies are to be deleted with it. One whose template
 * lives is put back.
 */
export function isGoing(view: View, binding: Binding): boolean {
  return binding.metadata.deletionTimestamp !== undefined && !isLive(view, templateOf(view, binding));
}
