/** The hub under test in this process, furnished as `sluice up` furnishes it, and what the runs put into it first. */
import { setTimeout as pause } from 'node:timers/promises';
import { crds } from '../../../src/api/index.ts';
import { admission } from '../../../src/admission/index.ts';
import { createHub } from '../../../src/apiserver/index.ts';
import { openAuthority } from '../../../src/auth/index.ts';
import type { HubRequest } from '../../../src/apiserver/index.ts';
import { controllerUser } from '../../../src/app/index.ts';
import { openStore } from '../../../src/store/index.ts';
import type { Store } from '../../../src/store/index.ts';
import { memberCluster } from '../../kit/objects.ts';
import { catalog, widgets } from './kinds.ts';
import { namespaces } from './request.ts';
import { sendInProcess } from './send.ts';
import type { Send } from './send.ts';

/** A hub that takes requests. */
export interface World {
  readonly send: Send;
  readonly store: Store;
  close(): Promise<void>;
}

/** A member, so that admission looks for the clusters that a policy names. */
const fleet = memberCluster('member1');

/** Opens a hub with our kinds, our admission and RBAC, on a folder or in memory. */
export async function openWorld(dataDir: string): Promise<World> {
  const store = await openStore({ dataDir });
  const faults = new WeakMap<HubRequest, string>();
  const hub = await createHub({
    store,
    authority: await openAuthority(),
    definitions: crds(),
    admit: [admission({ controllers: new Set([controllerUser.name]), now: () => new Date(), clusters: () => [fleet] })],
    onFault: (error, request) => {
      const text = (error as Error).stack ?? String(error);
      if (request) faults.set(request, text);
      else console.error(`a fault in the background: ${text}`);
    },
  });
  const send = sendInProcess(hub, (request) => faults.get(request));
  await furnish(send);
  return {
    send,
    store,
    async close() {
      await hub.close();
      await store.close();
    },
  };
}

const json = { 'content-type': 'application/json', accept: 'application/json' };

/** Creates the namespaces and the definition that requests name. */
export async function furnish(send: Send): Promise<void> {
  const post = (path: string, object: object): ReturnType<Send> =>
    send({ method: 'POST', path, query: '', headers: json, body: Buffer.from(JSON.stringify(object)) });
  for (const name of namespaces)
    await post('/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  await post('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', widgets);
}

interface Listed {
  readonly items?: readonly {
    readonly metadata: { name: string; namespace?: string; uid: string; finalizers?: readonly string[] };
  }[];
}

const rootOf = (group: string, version: string): string => (group ? `/apis/${group}/${version}` : `/api/${version}`);

/** Every object of the hub by its path, with its uid. */
export async function inventory(send: Send): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const { group, version, plural, verbs, storageVersion, storageGroup } of catalog.kinds) {
    if (!verbs.includes('list') || version !== storageVersion || storageGroup !== undefined) continue;
    const root = rootOf(group, version);
    const reply = await send({ method: 'GET', path: `${root}/${plural}`, query: '', headers: json });
    for (const { metadata } of (JSON.parse(reply.body) as Listed).items ?? []) {
      const place = metadata.namespace ? `namespaces/${metadata.namespace}/` : '';
      found.set(`${root}/${place}${plural}/${encodeURIComponent(metadata.name)}`, metadata.uid);
    }
  }
  return found;
}

/** Deletes everything that was not there before, whatever finalizers it has. Returns the paths of what stays. */
export async function cleanUp(send: Send, before: ReadonlyMap<string, string>): Promise<readonly string[]> {
  const merge = { ...json, 'content-type': 'application/merge-patch+json' };
  const body = Buffer.from('{"metadata":{"finalizers":null}}');
  for (let round = 0; round < 4; round++) {
    for (const [path, uid] of await inventory(send)) {
      if (before.get(path) === uid || furniture.test(path)) continue;
      await send({ method: 'PATCH', path, query: '', headers: merge, body });
      await send({ method: 'DELETE', path, query: 'gracePeriodSeconds=0', headers: json });
    }
    // Namespaces and definitions are emptied in the background.
    await pause(50);
  }
  const left = [...(await inventory(send))].filter(([path, uid]) => before.get(path) !== uid && !furniture.test(path));
  return left.map(([path]) => path);
}

/** Every namespace gets these again when they are deleted. */
const furniture = /\/configmaps\/kube-root-ca\.crt$|\/serviceaccounts\/default$/;
