import path from 'node:path';
import { openAuthority } from '../auth/index.ts';
import type { Authority, KubeconfigContext } from '../auth/index.ts';
import { wallClock } from '../observe/index.ts';
import { openStore } from '../store/index.ts';
import type { Store } from '../store/index.ts';
import { createHub } from './hub.ts';
import type { Hub, HubOptions } from './hub.ts';
import { listen } from './listener.ts';
import type { Listener } from './listener.ts';
import { Renewal } from './renewal.ts';

/** Where an API server of ours lives and how it is reached. */
export interface SiteOptions extends Omit<HubOptions, 'store' | 'authority'> {
  /** ':memory:' keeps nothing on disk. */
  readonly dataDir: string;
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  /** Certificates near their end were replaced: contexts that were given out before hold no more for long. */
  readonly onRenewed?: () => void;
  /** Told which files and folders of the data folder other users could read or write before they were closed. */
  readonly onClosed?: (paths: readonly string[]) => void;
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
  const { dataDir, host, port, onRenewed, onClosed, ...hubOptions } = options;
  const undo: (() => Promise<void>)[] = [];
  const close = async (): Promise<void> => {
    for (const step of undo.splice(0).reverse()) await step();
  };
  try {
    const store = await openStore({ dataDir, ...(onClosed && { onClosed }) });
    undo.push(() => store.close());
    const reopen = authorityOf(options);
    const authority = await reopen();
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
    const renewal = new Renewal({
      clock: options.clock ?? wallClock,
      // What is in memory lasts no year; opened again it would be another authority.
      reopen: dataDir === ':memory:' ? () => Promise.resolve(authority) : reopen,
      authority,
      onRenewed: ({ serving }) => {
        listener.renew(serving);
        onRenewed?.();
      },
      onFault: (error) => options.onFault?.(error),
    });
    undo.push(async () => renewal.close());
    const url = urlOf(host, listener);
    return { store, hub, authority, url, context: (name) => contextOf(name, renewal.authority, url), close };
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

function contextOf(name: string, authority: Authority, server: string): KubeconfigContext {
  return { name, server, certificateAuthority: authority.certificate, user: authority.admin };
}

/** How the keys of a site are opened, now and whenever their certificates near their end. */
function authorityOf({ dataDir, host, clock = wallClock }: SiteOptions): () => Promise<Authority> {
  const folder = dataDir === ':memory:' ? {} : { folder: path.join(dataDir, 'pki') };
  const hosts = host === '0.0.0.0' || host === '::' ? [] : [host];
  return () => openAuthority({ ...folder, hosts, now: () => new Date(clock.now()) });
}
