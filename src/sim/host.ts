import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { listen } from '../apiserver/index.ts';
import type { Listener } from '../apiserver/index.ts';
import { openAuthority } from '../auth/index.ts';
import type { Authority, KubeconfigContext } from '../auth/index.ts';
import { wallClock } from '../observe/index.ts';
import type { Clock } from '../observe/index.ts';
import { closeToOthers } from '../store/index.ts';
import type { MemberTokens } from './account.ts';
import { changed, noFaults } from './faults/faults.ts';
import type { FaultChange, Faults } from './faults/faults.ts';
import { Front } from './faults/front.ts';
import { openMemberState } from './member-state.ts';
import type { MemberState, MemberStateOptions } from './member-state.ts';
import type { NodesOptions } from './pods/nodes.ts';

/** How a member is started. */
export interface HostOptions {
  readonly name: string;
  /** ':memory:' keeps nothing on disk. */
  readonly dataDir: string;
  readonly host: string;
  /** 0 takes the one of the last start if it is free, else any. */
  readonly port: number;
  readonly delayMilliseconds: number;
  readonly nodes: NodesOptions;
  readonly pods: boolean;
}

/** The facts about a running member that others need. */
export interface HostFacts extends MemberTokens {
  readonly url: string;
  readonly caBundle: string;
  readonly context: KubeconfigContext;
}

/** A member in its own thread: address, keys, faults, and its state, which may be replaced. */
export class Host {
  readonly facts: HostFacts;
  readonly #options: MemberStateOptions;
  readonly #front: Front;
  readonly #listener: Listener;
  readonly #wrongs: Wrongs;
  #state: Promise<MemberState>;
  #dropped: Promise<void> = Promise.resolve();

  private constructor(parts: HostParts, state: MemberState, facts: HostFacts) {
    this.#options = parts.options;
    this.#front = parts.front;
    this.#listener = parts.listener;
    this.#wrongs = parts.wrongs;
    this.#state = Promise.resolve(state);
    this.facts = facts;
  }

  /** Starts a member; `report` is told of what nobody expected. */
  static async open(options: HostOptions, report: (error: unknown) => void): Promise<Host> {
    const wrongs = new Wrongs();
    const { dataDir, host } = options;
    const folder = dataDir === ':memory:' ? {} : { folder: path.join(dataDir, 'pki') };
    if (dataDir !== ':memory:') closeToOthers(dataDir);
    const authority = await openAuthority({ ...folder, hosts: isWildcard(host) ? [] : [host] });
    const whole = { ...options, authority, clock: wrongs.clock, faults: () => wrongs.faults, report };
    const opening = openMemberState(whole);
    let opened: Host | undefined;
    const front = new Front({
      clock: wallClock,
      faults: () => wrongs.faults,
      change: (change) => (opened ? opened.change(change) : Promise.resolve(wrongs.faults)),
      reset: () => (opened ? opened.reset() : Promise.resolve(wrongs.faults)),
    });
    front.lead(opening.then(({ hub }) => hub));
    const [state, listener] = await together(opening, listening(options, authority, front));
    opened = new Host(
      { options: whole, front, listener, wrongs },
      state,
      factsOf(options, authority, { state, listener }),
    );
    return opened;
  }

  faults(): Faults {
    return this.#wrongs.faults;
  }

  /**
   * Changes the faults. Connections that must be cut are cut a turn later: the request may have come over one of them.
   */
  async change(change: FaultChange): Promise<Faults> {
    const before = this.#wrongs.faults;
    this.#wrongs.faults = changed(before, change);
    const { down, partition } = this.#wrongs.faults;
    if (change.forget) await this.#forget();
    if (change.cutWatches) this.#front.cutWatches();
    if (before.partition && !partition) this.#front.release();
    if ((down && !before.down) || (before.partition && !partition)) this.#dropSoon();
    return this.#wrongs.faults;
  }

  /** Resolves when the connections that a change has doomed are closed. */
  settled(): Promise<void> {
    return this.#dropped;
  }

  /** Heals everything. */
  reset(): Promise<Faults> {
    return this.change(noFaults);
  }

  async close(): Promise<void> {
    this.#front.release();
    await this.#listener.close();
    await (await this.#state).close();
  }

  #dropSoon(): void {
    this.#dropped = new Promise((resolve) => {
      setImmediate(() => {
        this.#listener.drop();
        resolve();
      });
    });
  }

  /** Replaces the cluster by a new one; requests that come meanwhile wait for it. */
  async #forget(): Promise<void> {
    const old = this.#state;
    this.#state = old.then(async (state) => openMemberState(this.#options, await state.raze()));
    this.#front.lead(this.#state.then(({ hub }) => hub));
    this.#front.cutWatches();
    await this.#state;
  }
}

interface HostParts {
  readonly options: MemberStateOptions;
  readonly front: Front;
  readonly listener: Listener;
  readonly wrongs: Wrongs;
}

/** The faults of the moment, and the clock that they put out of order. */
class Wrongs {
  faults: Faults = noFaults;
  readonly clock: Clock = {
    now: () => wallClock.now() + this.faults.clockSkewSeconds * 1000,
    after: (milliseconds, callback) => wallClock.after(milliseconds, callback),
  };
}

/** Both, or neither: what was opened is closed when the other fails. */
async function together(opening: Promise<MemberState>, listening: Promise<Listener>): Promise<[MemberState, Listener]> {
  const [state, listener] = await Promise.allSettled([opening, listening]);
  if (state.status === 'fulfilled' && listener.status === 'fulfilled') return [state.value, listener.value];
  if (state.status === 'fulfilled') await state.value.close();
  if (listener.status === 'fulfilled') await listener.value.close();
  throw state.status === 'rejected' ? state.reason : (listener as PromiseRejectedResult).reason;
}

const isWildcard = (host: string): boolean => host === '0.0.0.0' || host === '::';

async function listening(options: HostOptions, authority: Authority, front: Front): Promise<Listener> {
  const { dataDir, host, port } = options;
  const file = dataDir === ':memory:' ? undefined : path.join(dataDir, 'port');
  const remembered = port === 0 && file ? await portIn(file) : port;
  const at = (wanted: number): Promise<Listener> =>
    listen({ hub: front, serving: authority.serving, clientAuthority: authority.certificate, host, port: wanted });
  const listener = await at(remembered).catch((error: unknown) => {
    if (port === 0 && remembered !== 0) return at(0);
    throw error;
  });
  if (file && listener.port !== remembered) await writeFile(file, `${listener.port}\n`, { mode: 0o600 });
  return listener;
}

async function portIn(file: string): Promise<number> {
  const text = await readFile(file, 'utf8').catch(() => '');
  const port = Number(text.trim());
  return Number.isInteger(port) && port > 0 && port < 65_536 ? port : 0;
}

interface Opened {
  readonly state: MemberState;
  readonly listener: Listener;
}

function factsOf({ name, host }: HostOptions, authority: Authority, { state, listener }: Opened): HostFacts {
  const called = isWildcard(host) ? '127.0.0.1' : host;
  const url = `https://${called.includes(':') ? `[${called}]` : called}:${listener.port}`;
  const { certificate, admin } = authority;
  return {
    url,
    caBundle: certificate,
    ...state.tokens,
    context: { name, server: url, certificateAuthority: certificate, user: admin },
  };
}
