import { ApiError, keyOf, refOf } from '../api/index.ts';
import type { KubeObject, Ref } from '../api/index.ts';
import type { ApiClient, Resources } from '../client/index.ts';
import type { PlanError } from '../engine/index.ts';
import { appliedTo, remembering, serverApplierOf } from './merge.ts';

/** Manifests as the hub would store them, and what it would refuse. */
export interface Trial {
  readonly apply: readonly KubeObject[];
  readonly errors: readonly PlanError[];
  /** Manifests that could not be tried on the hub, and why. */
  readonly untried: readonly string[];
}

/** Manifests without a namespace belong to that of the caller, if their kind has one. */
export function placed(
  manifests: readonly KubeObject[],
  resources: Resources,
  namespace: string,
): readonly KubeObject[] {
  return manifests.map((manifest) => {
    const kind = resources.byKind(manifest.apiVersion, manifest.kind);
    if (!kind?.namespaced || manifest.metadata.namespace) return manifest;
    return { ...manifest, metadata: { ...manifest.metadata, namespace } };
  });
}

/**
 * The objects after applying manifests one after the other. A manifest that names an object again is applied to the
 * result of the one before; for a new object, the one before leaves nothing.
 */
class Stand {
  readonly #left = new Map<string, KubeObject>();

  /** The object to which the next manifest is applied, given the object that existed before all of them. */
  before(manifest: KubeObject, found: KubeObject | undefined): KubeObject | undefined {
    return found && (this.#left.get(keyOf(refOf(manifest))) ?? found);
  }

  leave(object: KubeObject): void {
    this.#left.set(keyOf(refOf(object)), object);
  }

  get objects(): readonly KubeObject[] {
    return [...this.#left.values()];
  }
}

/** Without a hub: what `kubectl apply` would make of the manifests, as far as that can be known without its defaults. */
export function suppose(manifests: readonly KubeObject[], find: (key: string) => KubeObject | undefined): Trial {
  const stand = new Stand();
  for (const manifest of manifests) {
    const live = stand.before(manifest, find(keyOf(refOf(manifest))));
    stand.leave(live ? appliedBy(live, manifest) : manifest);
  }
  return { apply: stand.objects, errors: [], untried: [] };
}

/** The note that applying leaves is a change like any other: a lazy policy is taken up for it. */
function appliedBy(live: KubeObject, manifest: KubeObject): KubeObject {
  return appliedTo(live, serverApplierOf(live) === undefined ? remembering(manifest) : manifest);
}

/** Asks the hub to take the manifests without keeping them: its defaults, schemas and admission have their say. */
export async function tryOut(client: ApiClient, manifests: readonly KubeObject[]): Promise<Trial> {
  const trial = { errors: [] as PlanError[], untried: [] as string[] };
  const stand = new Stand();
  for (const manifest of manifests) {
    const ref = refOf(manifest);
    const name = nameOf(ref);
    if (!client.resources.byKind(manifest.apiVersion, manifest.kind)) {
      trial.errors.push({
        object: name,
        path: 'kind',
        message: `the hub serves no ${manifest.kind} in ${manifest.apiVersion}`,
      });
      continue;
    }
    const found = await seen(client, ref);
    if (found === 'hidden') {
      stand.leave(manifest);
      trial.untried.push(`${name}: you cannot read it on the hub, so the plan takes it as new`);
      continue;
    }
    const live = stand.before(manifest, found);
    const wanted = live ? appliedBy(live, manifest) : manifest;
    try {
      stand.leave(await dryRun(client, { manifest, live, wanted }));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const why = whyUntried(error);
      if (why === undefined) trial.errors.push(...refusals(error, name));
      else {
        stand.leave(wanted);
        trial.untried.push(`${name}: ${why}`);
      }
    }
  }
  return { ...trial, apply: stand.objects };
}

/** Asks the hub whether it would let objects go. */
export async function tryDeletes(client: ApiClient, refs: readonly Ref[]): Promise<Omit<Trial, 'apply'>> {
  const trial = { errors: [] as PlanError[], untried: [] as string[] };
  for (const ref of refs) {
    try {
      await client.delete(ref, { dryRun: true });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      // Callers that look at everything report that nothing changes.
      if (error.code === 404) continue;
      const why = whyUntried(error);
      if (why === undefined) trial.errors.push(...refusals(error, nameOf(ref)));
      else trial.untried.push(`${nameOf(ref)}: ${why}`);
    }
  }
  return trial;
}

/** The object as it is, if the caller may see it. */
async function seen(client: ApiClient, ref: Ref): Promise<KubeObject | 'hidden' | undefined> {
  try {
    return await client.find(ref);
  } catch (error) {
    if (error instanceof ApiError && error.code === 403) return 'hidden';
    throw error;
  }
}

interface Tried {
  readonly manifest: KubeObject;
  readonly live: KubeObject | undefined;
  readonly wanted: KubeObject;
}

function dryRun(client: ApiClient, { manifest, live, wanted }: Tried): Promise<KubeObject> {
  if (!live) return client.create(manifest, { dryRun: true, fieldManager: 'kubectl-client-side-apply' });
  const fieldManager = serverApplierOf(live);
  if (fieldManager !== undefined) {
    return client.patch(refOf(manifest), manifest, { type: 'apply', dryRun: true, force: true, fieldManager });
  }
  return client.update(wanted, { dryRun: true, fieldManager: 'kubectl-client-side-apply' });
}

/**
 * A caller may plan more than they may do, and a namespace may come with the change; neither is a refusal of the
 * object.
 */
function whyUntried(error: ApiError): string | undefined {
  if (error.code === 403 && / cannot \w+ resource /.test(error.message)) return 'you need permission to write it';
  if (error.code === 404) return 'its namespace does not exist yet';
  if (error.code === 400 && /does not support dry run/.test(error.message)) return 'the hub has no dry run for it';
  return undefined;
}

function refusals(error: ApiError, object: string): readonly PlanError[] {
  const causes = error.status.details?.causes ?? [];
  if (causes.length === 0) return [{ object, path: '', message: error.message }];
  return causes.map(({ field, message }) => ({ object, path: field ?? '', message: message ?? error.message }));
}

/** `Deployment/shop/nginx`. */
export function nameOf({ kind, namespace, name }: Omit<Ref, 'apiVersion'>): string {
  return `${kind}/${namespace ? `${namespace}/` : ''}${name}`;
}

/** The error for an object that does not exist, with where to look. */
export function absenceOf(ref: Omit<Ref, 'apiVersion'>): string {
  const look = ref.namespace
    ? 'set its namespace with -n'
    : `\`kubectl get ${ref.kind.toLowerCase()}\` lists the existing ones`;
  return `there is no ${nameOf(ref)}: ${look}`;
}
