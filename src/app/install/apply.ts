import { refOf } from '../../api/index.ts';
import type { CustomResourceDefinition, KubeObject, Ref } from '../../api/index.ts';
import { isNotFound, UnknownKind } from '../../client/index.ts';
import type { ApiClient } from '../../client/index.ts';
import { pause } from '../../observe/index.ts';
import type { Clock } from '../../observe/index.ts';
import { SetupError } from '../config.ts';
import type { RemoteHub } from '../remote.ts';

const fieldManager = 'sluice-install';

/** One object, and the change of it. */
export interface Installed {
  readonly ref: Ref;
  readonly did: 'created' | 'configured' | 'unchanged' | 'deleted';
}

interface InstallOptions {
  readonly dryRun: boolean;
  readonly clock: Clock;
  readonly tell: (installed: Installed) => void;
}

/** Applies the objects in their order. Guarantee: objects that are already so are not written. */
export async function install(
  hub: RemoteHub,
  objects: readonly KubeObject[],
  options: InstallOptions,
): Promise<readonly Installed[]> {
  const done: Installed[] = [];
  const definitions = objects.filter(isDefinition);
  for (const object of objects) {
    const installed = await applied(hub.client, object, options);
    options.tell(installed);
    done.push(installed);
    if (object !== definitions.at(-1) || options.dryRun) continue;
    await untilEstablished(hub.client, definitions, options.clock);
    await hub.refresh();
  }
  return done;
}

const isDefinition = (object: KubeObject): object is CustomResourceDefinition =>
  object.kind === 'CustomResourceDefinition';

/** Server-side apply also says what would change: the same object comes back at the same revision. */
async function applied(hub: ApiClient, object: KubeObject, { dryRun }: InstallOptions): Promise<Installed> {
  const ref = refOf(object);
  const before = await hub.find(ref).catch(undefinedWhereUnknown);
  const inMissingNamespace = dryRun && !before && ref.namespace !== undefined;
  if (inMissingNamespace) return { ref, did: 'created' };
  const after = await hub.patch(ref, object, {
    type: 'apply',
    force: true,
    fieldManager,
    dryRun,
    fieldValidation: 'Strict',
  });
  if (!before) return { ref, did: 'created' };
  const same = dryRun ? contentOf(before) === contentOf(after) : revisionOf(before) === revisionOf(after);
  return { ref, did: same ? 'unchanged' : 'configured' };
}

const revisionOf = (object: KubeObject): string | undefined => object.metadata.resourceVersion;

/** A dry run has a revision of its own: the contents are compared. */
function contentOf({ metadata, ...content }: KubeObject): string {
  const { labels, annotations } = metadata;
  return JSON.stringify({ ...content, labels, annotations });
}

function undefinedWhereUnknown(error: unknown): undefined {
  if (error instanceof UnknownKind) throw new SetupError(`the hub does not serve ${error.message}`, { cause: error });
  throw error;
}

const establishMilliseconds = 60_000;
const lookMilliseconds = 200;

/** Waits until the hub serves the definitions; throws with the reason of one that it refuses. */
async function untilEstablished(
  hub: ApiClient,
  definitions: readonly CustomResourceDefinition[],
  clock: Clock,
): Promise<void> {
  const end = clock.now() + establishMilliseconds;
  for (const definition of definitions) {
    while (!isEstablished(await hub.get<CustomResourceDefinition>(refOf(definition)))) {
      if (clock.now() > end) throw new SetupError(`the hub does not serve ${definition.metadata.name} after 60 s`);
      await pause(clock, lookMilliseconds);
    }
  }
}

function isEstablished({ metadata, status }: CustomResourceDefinition): boolean {
  for (const { type, status: state, message } of status?.conditions ?? []) {
    if (type === 'Established' && state === 'True') return true;
    if (type === 'NamesAccepted' && state === 'False')
      throw new SetupError(`the hub refuses ${metadata.name}: ${message ?? type}`);
  }
  return false;
}

const bindingKinds = ['ResourceBinding', 'ClusterResourceBinding'] as const;
const workApi = 'work.karmada.io/v1alpha2';

/** Why an installation cannot be removed: templates that policies manage would be left without a controller. */
export async function whyNotUninstalled(hub: ApiClient): Promise<string | undefined> {
  const found: string[] = [];
  for (const kind of bindingKinds) {
    if (!hub.resources.byKind(workApi, kind)) continue;
    const { items } = await hub.listAll(kindRef(kind));
    found.push(...items.map(({ metadata }) => `${metadata.namespace ? `${metadata.namespace}/` : ''}${metadata.name}`));
  }
  const [first] = found;
  if (first === undefined) return undefined;
  return `${found.length} templates are managed by policies (${first}${found.length > 1 ? ', …' : ''}): delete the policies first, or leave their copies in the members as they are with --orphan`;
}

const kindRef = (kind: string): { readonly apiVersion: string; readonly kind: string } => ({
  apiVersion: workApi,
  kind,
});

/** Deletes the objects in reverse order: webhooks first, so that none stands in the way of what follows. */
export async function uninstall(
  hub: RemoteHub,
  objects: readonly KubeObject[],
  { dryRun, tell }: InstallOptions,
): Promise<readonly Installed[]> {
  const done: Installed[] = [];
  for (const object of objects.toReversed()) {
    const ref = refOf(object);
    const isServed = hub.client.resources.byKind(ref.apiVersion, ref.kind) !== undefined;
    if (!isServed || !(await hub.client.find(ref))) continue;
    if (!dryRun && isDefinition(object)) await releaseAll(hub.client, object);
    await hub.client.delete(ref, { dryRun }).catch((error: unknown) => {
      if (!isNotFound(error)) throw error;
    });
    const installed: Installed = { ref, did: 'deleted' };
    tell(installed);
    done.push(installed);
  }
  return done;
}

/** No controller is left that would remove finalizers; with them a definition would never go. */
async function releaseAll(hub: ApiClient, { spec }: CustomResourceDefinition): Promise<void> {
  const version = spec.versions.find(({ served }) => served)?.name ?? '';
  const kind = { apiVersion: `${spec.group}/${version}`, kind: spec.names.kind };
  if (!hub.resources.byKind(kind.apiVersion, kind.kind)) return;
  const { items } = await hub.listAll(kind);
  for (const item of items.filter(({ metadata }) => (metadata.finalizers?.length ?? 0) > 0))
    await hub.patch(refOf({ ...item, ...kind }), { metadata: { finalizers: null } }, { type: 'merge' });
}

/** The text of an object's name, as kubectl writes it. */
export function nameText({ kind, name, namespace }: Ref): string {
  return `${kind.toLowerCase()}/${name}${namespace ? ` -n ${namespace}` : ''}`;
}
