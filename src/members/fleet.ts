import type { Cluster } from '../api/index.ts';
import type { Connection } from '../client/index.ts';
import { connectionOf } from './credentials.ts';
import type { MemberSecret } from './credentials.ts';
import { Member } from './member.ts';
import type { MemberOptions } from './member.ts';

/** The options of a fleet. */
export interface FleetOptions extends MemberOptions {
  /** The way from an agent to its own member, whatever the Cluster says. Absent: the hub's way to all members but Pull members. */
  readonly own?: { readonly name: string; readonly connection: Connection };
}

/** Called when a member can be reached, has another identity, or cannot be reached any more. */
export interface FleetListener {
  opened(member: Member): void;
  closed(name: string): void;
}

/**
 * The members that can be talked to, by name, kept in step with Clusters and their Secrets.
 * Guarantees: one connection pool a member; new credentials are used without dropping open requests; a member with
 * another address gets a new connection; a fault of a Cluster or its Secret concerns that member alone.
 */
export class Fleet {
  readonly #members = new Map<string, Member>();
  readonly #faults = new Map<string, string>();
  readonly #listeners = new Set<FleetListener>();
  readonly #options: FleetOptions;

  constructor(options: FleetOptions = {}) {
    this.#options = options;
  }

  get(name: string): Member | undefined {
    return this.#members.get(name);
  }

  get all(): readonly Member[] {
    return [...this.#members.values()];
  }

  /** Why a member cannot be talked to at all; undefined when it can be tried. */
  faultOf(name: string): string | undefined {
    return this.#faults.get(name);
  }

  listen(listener: FleetListener): void {
    this.#listeners.add(listener);
  }

  /** Opens a member, or takes up what changed about it. Pull members are left to their agents. */
  take(cluster: Cluster, secret: MemberSecret | undefined): void {
    const { name } = cluster.metadata;
    const { own, access } = this.#options;
    if (own ? own.name !== name : cluster.spec.syncMode === 'Pull') return void this.drop(name);
    try {
      const connection = own?.connection ?? connectionOf(cluster, secret, access);
      this.#faults.delete(name);
      const known = this.#members.get(name);
      if (known?.isReachedBy(connection)) known.rotate(connection);
      else this.#open(new Member(name, connection, this.#options));
    } catch (error) {
      this.#faults.set(name, error instanceof Error ? error.message : String(error));
    }
  }

  #open(member: Member): void {
    void this.drop(member.name);
    this.#members.set(member.name, member);
    for (const listener of this.#listeners) listener.opened(member);
  }

  /** Closes the connection to a member that has left. */
  async drop(name: string): Promise<void> {
    const member = this.#members.get(name);
    this.#members.delete(name);
    this.#faults.delete(name);
    if (!member) return;
    for (const listener of this.#listeners) listener.closed(name);
    await member.close();
  }

  async close(): Promise<void> {
    await Promise.all([...this.#members.keys()].map((name) => this.drop(name)));
  }
}
