import { rm } from 'node:fs/promises';
import path from 'node:path';
import { builtinCatalog } from '../api/index.ts';
import { createHub } from '../apiserver/index.ts';
import type { Hub } from '../apiserver/index.ts';
import type { Authority } from '../auth/index.ts';
import type { Clock } from '../observe/index.ts';
import { openStore } from '../store/index.ts';
import { credentialsOf, memberTokens, restoreCredentials } from './account.ts';
import type { MemberTokens } from './account.ts';
import { behavioursOf } from './behaviours.ts';
import { Cluster, listOf } from './cluster/cluster.ts';
import { Controllers } from './cluster/controllers.ts';
import { kinds } from './cluster/kinds.ts';
import type { Faults } from './faults/faults.ts';
import { refusing } from './faults/refuse.ts';
import { createDefaultObjects } from './default-objects.ts';
import { containerHandlers } from './pods/containers.ts';
import type { NodesOptions } from './pods/nodes.ts';
import { Usage } from './pods/usage.ts';
import { defaultClass } from './storage/classes.ts';

/** The parts of a member. */
export interface MemberStateOptions {
  readonly name: string;
  readonly dataDir: string;
  readonly authority: Authority;
  readonly clock: Clock;
  readonly delayMilliseconds: number;
  readonly nodes: NodesOptions;
  /** Without pods, workloads are ready after the delay and nothing else exists of them. */
  readonly pods: boolean;
  readonly faults: () => Faults;
  readonly report: (error: unknown) => void;
}

/** The objects of a member and all that acts on them: everything but its address and its keys. */
export interface MemberState {
  readonly hub: Hub;
  readonly tokens: MemberTokens;
  close(): Promise<void>;
  /** Closes it and removes all that it kept; answers with what its successor must know. */
  raze(): Promise<KeptCredentials>;
}

/** The credentials that a member keeps when everything else is forgotten. */
export type KeptCredentials = ReadonlyMap<string, object>;

/** Opens the state of a member, with the objects that every cluster has. */
export async function openMemberState(options: MemberStateOptions, heirloom?: KeptCredentials): Promise<MemberState> {
  const { authority, clock, report, faults, delayMilliseconds } = options;
  const folder = options.dataDir === ':memory:' ? undefined : path.join(options.dataDir, 'store');
  const store = await openStore({ dataDir: folder ?? ':memory:' });
  if (heirloom) await restoreCredentials(store, heirloom);
  const admit = [refusing(faults), defaultClass(() => listOf(store, kinds.storageClasses))];
  const handlers = containerHandlers(store);
  const hub = await createHub({ store, authority, clock, admit, handlers, onFault: report });
  const catalog = builtinCatalog();
  const cluster = new Cluster({ store, hub, catalog, clock, delayMilliseconds });
  const usage = new Usage();
  const [tokens] = await Promise.all([
    memberTokens(cluster, store),
    createDefaultObjects(cluster, options.name, options.nodes),
  ]);
  const behaviours = behavioursOf(usage, options.pods);
  const controllers = new Controllers({ store, cluster, behaviours, observers: [usage], onError: report });
  const close = async (): Promise<void> => {
    controllers.close();
    await hub.close();
    await store.close();
  };
  return {
    hub,
    tokens,
    close,
    async raze() {
      const kept = credentialsOf(store);
      await close();
      if (folder) await rm(folder, { recursive: true, force: true });
      return kept;
    },
  };
}
