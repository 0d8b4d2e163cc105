import { keyOf, refOf } from '../../api/index.ts';
import type { KubeObject, Work } from '../../api/index.ts';
import { equal } from '../../base/index.ts';

type Texts = Readonly<Record<string, string>>;

/**
 * The content of a Work of a snapshot, written as a reference to another Work that differs only in some labels and
 * annotations.
 */
interface Alike {
  /** The place of that Work among the objects. */
  readonly like: number;
  readonly labels: Texts;
  readonly annotations: Texts;
}

/** Most objects go to several members and say nearly the same to each: so they are written once, and read once. */
export function folded(objects: readonly KubeObject[]): readonly KubeObject[] {
  const firsts = new Map<string, number>();
  return objects.map((object, place) => {
    const manifest = manifestOf(object);
    if (!manifest) return object;
    const key = keyOf(refOf(manifest));
    const like = firsts.get(key);
    const first = like === undefined ? undefined : manifestOf(objects[like]);
    const alike = like !== undefined && first && alikeOf(manifest, first, like);
    if (!first) firsts.set(key, place);
    return alike ? bringing(object as Work, alike as unknown as KubeObject) : object;
  });
}

/** The objects as they were before they were folded; throws when a Work refers to a missing one. */
export function unfolded(objects: readonly KubeObject[]): readonly KubeObject[] {
  return objects.map((object) => {
    const alike = manifestOf(object) as unknown as Alike | undefined;
    if (typeof alike?.like !== 'number') return object;
    const first = manifestOf(objects[alike.like]);
    if (!first) throw new Error(`a Work refers to object ${alike.like}, which has no content`);
    return bringing(object as Work, told(first, alike));
  });
}

function manifestOf(object: KubeObject | undefined): KubeObject | undefined {
  if (object?.kind !== 'Work') return undefined;
  const { manifests } = (object as Work).spec.workload;
  return manifests.length === 1 ? manifests[0] : undefined;
}

function bringing(work: Work, manifest: KubeObject): Work {
  return { ...work, spec: { ...work.spec, workload: { manifests: [manifest] } } };
}

/** Undefined when they differ in anything but the values of labels and annotations. */
function alikeOf(manifest: KubeObject, first: KubeObject, like: number): Alike | undefined {
  const { labels, annotations } = manifest.metadata;
  const made: Alike = {
    like,
    labels: changes(labels, first.metadata.labels),
    annotations: changes(annotations, first.metadata.annotations),
  };
  return equal(told(first, made), manifest) ? made : undefined;
}

function changes(texts: Texts = {}, first: Texts = {}): Texts {
  return Object.fromEntries(Object.entries(texts).filter(([key, text]) => first[key] !== text));
}

function told(first: KubeObject, { labels, annotations }: Alike): KubeObject {
  const { metadata } = first;
  return {
    ...first,
    metadata: {
      ...metadata,
      labels: { ...metadata.labels, ...labels },
      annotations: { ...metadata.annotations, ...annotations },
    },
  };
}
