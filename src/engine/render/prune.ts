import type { KubeObject, ObjectMeta } from '../../api/index.ts';
import { at, isObject, withAt, lookup } from '../../base/index.ts';

const serverOwned = [
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'generation',
  'managedFields',
  'resourceVersion',
  'selfLink',
  'uid',
  'ownerReferences',
  'finalizers',
] as const;

/** The object without what belongs to the API server it came from: such parts never travel to a member. */
export function prune<T extends KubeObject>(object: T): T {
  const { status: _, ...content } = object as T & { readonly status?: unknown };
  const metadata: Record<string, unknown> = { ...object.metadata };
  for (const key of serverOwned) if (key in metadata) delete metadata[key];
  const pruned = { ...content, metadata: metadata as unknown as ObjectMeta } as unknown as T;
  return kindRules[object.kind]?.(pruned) ?? pruned;
}

type Rule = <T extends KubeObject>(object: T) => T;

const kindRules: Readonly<Record<string, Rule>> = lookup({
  Deployment: (object) =>
    without(
      object,
      ['metadata', 'annotations'],
      ['deployment.kubernetes.io/revision', 'deployment.kubernetes.io/revision-history'],
    ),
  Job: pruneJob,
  Secret: pruneSecret,
  ServiceAccount: pruneServiceAccount,
  Service: (object) =>
    at(object, ['spec', 'clusterIP']) === 'None' ? object : without(object, ['spec'], ['clusterIP', 'clusterIPs']),
  PersistentVolumeClaim: (object) =>
    without(object, ['metadata', 'annotations'], ['volume.kubernetes.io/selected-node']),
});

function without<T extends KubeObject>(object: T, path: readonly string[], keys: readonly string[]): T {
  const map = at(object, path);
  if (!isObject(map) || !keys.some((key) => key in map)) return object;
  const left = Object.fromEntries(Object.entries(map).filter(([key]) => !keys.includes(key)));
  return withAt(object, path, Object.keys(left).length > 0 ? left : undefined);
}

const generatedJobLabels = [
  'controller-uid',
  'job-name',
  'batch.kubernetes.io/controller-uid',
  'batch.kubernetes.io/job-name',
];

function pruneJob<T extends KubeObject>(job: T): T {
  const timeless = without(job, ['spec'], ['ttlSecondsAfterFinished']);
  if (at(job, ['spec', 'manualSelector']) === true) return timeless;
  const unselected = without(timeless, ['spec', 'selector', 'matchLabels'], generatedJobLabels);
  const selector = at(unselected, ['spec', 'selector']);
  const bare =
    isObject(selector) && Object.keys(selector).length === 0
      ? withAt(unselected, ['spec', 'selector'], undefined)
      : unselected;
  return without(bare, ['spec', 'template', 'metadata', 'labels'], generatedJobLabels);
}

function pruneSecret<T extends KubeObject>(secret: T): T {
  if ((secret as { readonly type?: unknown }).type !== 'kubernetes.io/service-account-token') return secret;
  return withAt(
    without(secret, ['metadata', 'annotations'], ['kubernetes.io/service-account.uid']),
    ['data'],
    undefined,
  );
}

function pruneServiceAccount<T extends KubeObject>(account: T): T {
  const secrets = at(account, ['secrets']);
  if (!Array.isArray(secrets)) return account;
  const kept = secrets.filter((secret: unknown) => !isTokenOf(account, secret));
  return withAt(account, ['secrets'], kept.length > 0 ? kept : undefined);
}

function isTokenOf(account: KubeObject, secret: unknown): boolean {
  const name = isObject(secret) ? secret['name'] : undefined;
  return typeof name === 'string' && name.startsWith(`${account.metadata.name}-token-`);
}
