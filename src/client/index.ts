/**
 * One typed client for every API server: the hub within the process or far away, and members over HTTPS.
 * It must not know what the objects mean, and keeps none of them but those that a reflector follows.
 * Start with client.ts; transport.ts is the seam below it, reflector/machine.ts draws how a collection is followed.
 */
export { memberBounds } from './bounds.ts';
export type { Bounds } from './bounds.ts';
export { channelNumbers, openChannels } from './channels.ts';
export type { Channels } from './channels.ts';
export { ApiClient } from './client.ts';
export type { ClientOptions } from './client.ts';
export { discover } from './discovery.ts';
export type { Discovered } from './discovery.ts';
export { isConflict, isGone, isNotFound, nonsenseOf, UnknownKind, Unreachable } from './errors.ts';
export { sound } from './page.ts';
export type { UnreachableWhy } from './errors.ts';
export { Forwarder } from './forward.ts';
export type { Forwarded, ForwardRequest } from './forward.ts';
export { HttpsTransport } from './https.ts';
export type { Connection, HttpsOptions } from './https.ts';
export { inProcess } from './inprocess.ts';
export type { Handle, InProcessOptions, InProcessUser } from './inprocess.ts';
export { contextOf, KubeconfigError, kubeconfigFiles, parseKubeconfig, readKubeconfig } from './kubeconfig.ts';
export type { Kubeconfig, KubeconfigContext } from './kubeconfig.ts';
export type {
  DeleteOptions,
  Deletion,
  ListOptions,
  Page,
  PatchOptions,
  ReadOptions,
  Selecting,
  WatchEvent,
  WatchOptions,
  WriteOptions,
} from './options.ts';
export type { ReflectedChange } from './reflector/known.ts';
export { stateText } from './reflector/machine.ts';
export type { ReflectorState } from './reflector/machine.ts';
export { Reflector } from './reflector/reflector.ts';
export type { CollectionBounds, ReflectorOptions } from './reflector/reflector.ts';
export { collectionPath, objectPath, resourcesOf } from './resources.ts';
export type { KindRef } from '../api/index.ts';
export type { ResourceInfo, Resources } from './resources.ts';
export { compareRevisions } from './revision.ts';
export { defaultRetry } from './retry.ts';
export type { RetryOptions } from './retry.ts';
export type { Chunk, Transport, WireEvent, WireRequest, WireResponse, WireStream } from './transport.ts';
export type { Clock } from '../observe/index.ts';
export { WebhookClient } from './webhooks.ts';
