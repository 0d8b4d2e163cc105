import { hostname, networkInterfaces } from 'node:os';
import path from 'node:path';
import { isHostName, openAuthority } from '../../auth/index.ts';
import type { Authority, KeyPair, KubeconfigContext } from '../../auth/index.ts';
import { wallClock } from '../../observe/index.ts';
import { openStore } from '../../store/index.ts';
import { isExpendable } from '../storage/object-keys.ts';
import type { Sealing, Store } from '../../store/index.ts';
import { noEncryption } from '../storage/encryption.ts';
import { createHub } from '../hub.ts';
import type { Hub, HubOptions } from '../hub.ts';
import { listen } from './listener.ts';
import type { Listener } from './listener.ts';
import { followOwnCertificate, readOwnCertificate } from './own-certificate.ts';
import type { CertificateFiles, OwnCertificate } from './own-certificate.ts';
import { Renewal } from './certificate-renewal.ts';

/** Where an API server of ours lives and how it is reached. */
export interface ApiServerOptions extends Omit<HubOptions, 'store' | 'authority'> {
  /** ':memory:' keeps nothing on disk. */
  readonly dataDir: string;
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  /** Further names and addresses by which it is called: they stand in its certificate, and the first in its URL. */
  readonly names?: readonly string[];
  /** Encrypts objects on the disk; absent: nothing is encrypted, and what was encrypted stops the start. */
  readonly encryption?: Sealing;
  /** A certificate that somebody else issued for the hub, instead of one of its own. */
  readonly certificate?: CertificateFiles;
  /** Certificates near their end were replaced: the credentials that were given out before soon expire. */
  readonly onRenewed?: () => void;
  /**
   * Called with the files and folders of the data folder that other users could read or write before they were closed.
   */
  readonly onClosed?: (paths: readonly string[]) => void;
  /** Called with what was repaired in the store when it was opened. */
  readonly onRepair?: (what: string) => void;
}

/** A whole API server: store, keys, hub and listener, opened and closed as one. */
export interface ApiServer {
  readonly store: Store;
  readonly hub: Hub;
  readonly authority: Authority;
  readonly url: string;
  /** A kubeconfig context of the administrator. */
  context(name: string): KubeconfigContext;
  close(): Promise<void>;
}

/** Opens an API server on its data folder; what was opened is closed again when a later part fails. */
export async function openApiServer(options: ApiServerOptions): Promise<ApiServer> {
  const { host, port, names = [], certificate, ...hubOptions } = options;
  const undo: (() => Promise<void>)[] = [];
  const close = async (): Promise<void> => {
    for (const step of undo.splice(0).reverse()) await step();
  };
  try {
    const store = await storeOf(options);
    undo.push(() => store.close());
    const reopen = authorityOf(options);
    const authority = await reopen();
    const own = certificate ? await readOwnCertificate(certificate) : authority.serving;
    const hub = await createHub({ ...hubOptions, store, authority });
    undo.push(() => hub.close());
    const listener = await listen({
      hub,
      serving: own,
      clientAuthority: authority.certificate,
      port,
      host,
    });
    undo.push(() => listener.close());
    const renewal = renewalOf(options, { authority, reopen, listener });
    undo.push(async () => renewal.close());
    const stopFollowing = followCertificate(options, listener, own);
    undo.push(async () => stopFollowing());
    const url = urlOf(names[0] ?? callable(host), listener);
    return {
      store,
      hub,
      authority,
      url,
      context: (name) => contextOf(name, renewal.authority, { url, own }),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

function storeOf({ dataDir, encryption = noEncryption, onClosed, onRepair }: ApiServerOptions): Promise<Store> {
  const told = { ...(onClosed && { onClosed }), ...(onRepair && { onRepair }) };
  return openStore({ dataDir, traces: ['pki'], isExpendable, sealing: encryption, ...told });
}

interface Renewed {
  readonly authority: Authority;
  readonly reopen: () => Promise<Authority>;
  readonly listener: Listener;
}

function renewalOf(options: ApiServerOptions, { authority, reopen, listener }: Renewed): Renewal {
  const { dataDir, certificate, clock = wallClock, onRenewed, onFault } = options;
  return new Renewal({
    clock,
    // An authority in memory lasts less than a year; opened again it would be another one.
    reopen: dataDir === ':memory:' ? () => Promise.resolve(authority) : reopen,
    authority,
    onRenewed: ({ serving }) => {
      if (!certificate) listener.renew(serving);
      onRenewed?.();
    },
    onFault: (error) => onFault?.(error),
  });
}

const isWildcard = (host: string): boolean => host === '0.0.0.0' || host === '::';

/** The addresses of this machine that others can reach. */
function machineAddresses(): readonly string[] {
  const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  return all.filter(({ internal, scopeid = 0 }) => !internal && scopeid === 0).map(({ address }) => address);
}

/** A wildcard address is listened on, not called: others reach the machine by an address of its own, IPv4 first. */
function callable(host: string): string {
  if (!isWildcard(host)) return host;
  const addresses = machineAddresses();
  return addresses.find((address) => !address.includes(':')) ?? addresses[0] ?? '127.0.0.1';
}

function urlOf(host: string, { port }: Listener): string {
  return `https://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

function contextOf(
  name: string,
  authority: Authority,
  { url: server, own }: { readonly url: string; readonly own: KeyPair | OwnCertificate },
): KubeconfigContext {
  const certificateAuthority = 'authority' in own ? own.authority : authority.certificate;
  return { name, server, certificateAuthority, user: authority.admin };
}

function followCertificate(
  { certificate: files, clock = wallClock, onFault }: ApiServerOptions,
  listener: Listener,
  shown: KeyPair,
): () => void {
  if (!files) return () => {};
  const use = (own: KeyPair): void => listener.renew(own);
  return followOwnCertificate(files, { clock, shown, use, onFault: (error) => onFault?.(error) });
}

/** How the keys of a site are opened, now and whenever their certificates near their end. */
function authorityOf({ dataDir, host, names = [], clock = wallClock }: ApiServerOptions): () => Promise<Authority> {
  const folder = dataDir === ':memory:' ? {} : { folder: path.join(dataDir, 'pki') };
  const own = (): readonly string[] => (isWildcard(host) ? [...machineAddresses(), ...machineName()] : [host]);
  return () => openAuthority({ ...folder, hosts: [...own(), ...names], now: () => new Date(clock.now()) });
}

/** The name of this machine, if a certificate can carry it. */
function machineName(): readonly string[] {
  const name = hostname();
  return isHostName(name) ? [name] : [];
}
