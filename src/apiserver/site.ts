import path from 'node:path';
import { openStore } from '../store/index.ts';
import type { Store } from '../store/index.ts';
import { createHub } from './hub.ts';
import type { Hub, HubOptions } from './hub.ts';
import { listen } from './listener.ts';
import type { Listener } from './listener.ts';
import { openAuthority } from './security/index.ts';
import type { Authority, KubeconfigContext } from './security/index.ts';

/** Where an API server of ours lives and how it is reached. */
export interface SiteOptions extends Omit<HubOptions, 'store' | 'authority'> {
  /** ':memory:' keeps nothing on disk. */
  readonly dataDir: string;
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
}

/** A whole API server: store, keys, hub and listener, opened and closed as one. */
export interface Site {
  readonly store: Store;
  readonly hub: Hub;
  readonly authority: Authority;
  readonly url: string;
  /** A kubeconfig context of the administrator. */
  context(name: string): KubeconfigContext;
  close(): Promise<void>;
}

/** Opens an API server on its data folder; what was opened is closed again when a later part fails. */
export async function openSite(options: SiteOptions): Promise<Site> {
  const { dataDir, host, port, ...hubOptions } = options;
  const undo: (() => Promise<void>)[] = [];
  const close = async (): Promise<void> => {
    for (const step of undo.splice(0).reverse()) await step();
  };
  try {
    const store = await openStore({ dataDir });
    undo.push(() => store.close());
    const folder = dataDir === ':memory:' ? {} : { folder: path.join(dataDir, 'pki') };
    const authority = await openAuthority({ ...folder, hosts: host === '0.0.0.0' || host === '::' ? [] : [host] });
    const hub = await createHub({ ...hubOptions, store, authority });
    undo.push(() => hub.close());
    const listener = await listen({
      hub,
      serving: authority.serving,
      clientAuthority: authority.certificate,
      port,
      host,
    });
    undo.push(() => listener.close());
    return {
      store,
      hub,
      authority,
      url: urlOf(host, listener),
      context: contextOf(authority, urlOf(host, listener)),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** A wildcard address is listened on, not called. */
function urlOf(host: string, { port }: Listener): string {
  const called = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return `https://${called.includes(':') ? `[${called}]` : called}:${port}`;
}

function contextOf(authority: Authority, server: string): (name: string) => KubeconfigContext {
  return (name) => ({ name, server, certificateAuthority: authority.certificate, user: authority.admin });
}
