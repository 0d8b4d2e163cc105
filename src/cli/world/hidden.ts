import { policyFamilies } from '../../api/index.ts';
import type { Binding, KubeObject, Policy } from '../../api/index.ts';
import { isTemplateKind } from '../../engine/index.ts';
import type { Io } from '../io.ts';
import { counted } from '../print/output.ts';
import type { Snapshot } from './state.ts';

/** Without these nobody can tell what a change does; in the order in which they are missed. */
const decisive = [
  'clusters',
  'clusterpropagationpolicies',
  'propagationpolicies',
  'clusterresourcebindings',
  'resourcebindings',
  'works',
];
/** Number of kinds that are named; a caller with few permissions would get a list of every kind there is. */
const named = 6;

/** The objects that a caller sees and the kinds that are hidden; without objects it is unknown what policies select. */
type Sight = Pick<Snapshot, 'hidden'> & Partial<Pick<Snapshot, 'objects' | 'kinds'>>;

/** A few lines on the hidden parts that matter to a state, or to a change of it. */
export function hiddenNotes(sight: Sight, applied: readonly KubeObject[] = []): readonly string[] {
  const hidden = pertinent(sight, applied);
  const kinds = hidden.filter(isKind);
  const others = hidden.filter((what) => !isKind(what));
  const first = [
    ...decisive.filter((kind) => kinds.includes(kind)),
    ...kinds.filter((kind) => !decisive.includes(kind)),
  ];
  return [
    ...(first.length > 0 ? [`hidden from you: ${listed(first)}`] : []),
    ...others.slice(0, named).map((what) => `hidden: ${what}`),
    ...(others.length > named
      ? [`hidden: ${others.length - named} more of this; \`sluice snapshot\` names them all`]
      : []),
  ];
}

/** The hidden kinds that are needed to tell the effects of a change. */
export function decisiveHidden({ hidden }: Pick<Snapshot, 'hidden'>): readonly string[] {
  return decisive.filter((kind) => hidden.includes(kind));
}

/** Tells the caller what they were not shown. */
export function tellHidden(io: Pick<Io, 'err'>, sight: Sight): void {
  for (const note of hiddenNotes(sight)) io.err(`note: ${note}\n`);
}

const policyPlurals = Object.values(policyFamilies).map(({ plural }) => plural);
/** Policies select these without naming them, or workloads depend on them. */
const always: ReadonlySet<string> = new Set(['Namespace', 'CustomResourceDefinition', 'Secret']);

/**
 * The hidden kinds, without kinds of templates that no policy selects and no binding has. All of them while a policy is
 * hidden: it may select any kind.
 */
function pertinent({ hidden, objects = [], kinds = [] }: Sight, applied: readonly KubeObject[]): readonly string[] {
  if (hidden.some((what) => policyPlurals.some((plural) => what === plural || what.startsWith(`${plural} in `))))
    return hidden;
  const chosen = new Set([...objects, ...applied].flatMap(kindsNamedBy));
  const idle = kinds.filter(
    ({ group, version, kind }) =>
      isTemplateKind({ apiVersion: group === '' ? version : `${group}/${version}`, kind }) &&
      !chosen.has(kind) &&
      !always.has(kind),
  );
  const plurals = new Set(idle.map(({ plural }) => plural));
  return hidden.filter((what) => !plurals.has(what));
}

/** The kinds that a policy selects, or the kind of a binding's template. */
function kindsNamedBy(object: KubeObject): readonly string[] {
  const { resourceSelectors, resource } =
    (object as { readonly spec?: Partial<Policy['spec'] & Binding['spec']> }).spec ?? {};
  return [
    ...(Array.isArray(resourceSelectors) ? resourceSelectors.map(({ kind }) => kind) : []),
    ...(resource ? [resource.kind] : []),
  ];
}

/** A whole kind is named by its plural; everything else needs more than a word. */
export const isKind = (what: string): boolean => !what.includes(' ');

function listed(kinds: readonly string[]): string {
  const more = kinds.length - named;
  if (more <= 0) return kinds.join(', ');
  return `${kinds.slice(0, named).join(', ')} and ${counted(more, 'more kind')}; \`sluice snapshot\` names them all`;
}
