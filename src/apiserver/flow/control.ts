import { tooManyRequests } from '../../api/index.ts';
import type { User } from '../../api/index.ts';
import type { Metrics } from '../../observe/index.ts';
import { allSeats, exempt, flowSchemas, priorityLevels } from './levels.ts';
import type { FlowFacts, FlowSchema, PriorityLevel } from './levels.ts';
import { flowMeter } from './meter.ts';
import type { FlowMeter } from './meter.ts';
import { SeatQueues } from './queues.ts';
import type { Waiter } from './queues.ts';
import { HeavyTurns } from './turns.ts';

/** How flow control differs from the default. */
export interface FlowOptions {
  readonly levels?: readonly PriorityLevel[];
  readonly schemas?: readonly FlowSchema[];
  readonly seats?: number;
  /** Milliseconds that a request waits for its seats. */
  readonly longestWait?: number;
  /** Watches that one user may have open. */
  readonly watchesPerUser?: number;
}

/** A request and what is known of its cost before it runs. */
export interface Demand {
  readonly user: User;
  /** `group/plural`; empty for a path that does not name a resource. */
  readonly resource: string;
  readonly path: string;
  /** Seats that it takes; more than one for what takes the event loop for long. */
  readonly width: number;
}

/** Tells whether a user has no limit. */
export function isExempt({ groups }: User): boolean {
  return groups.includes('system:masters');
}

/** Gives the seats of a request back; to be called once. */
export type Release = () => void;

const quarterOfAMinute = 15_000;
const mostWatches = 1000;
const nothing: Release = () => {};

/** Where requests wait. */
interface SeatLine {
  /** Lets a request wait; false when too many wait already. */
  enqueue(waiter: Waiter): boolean;
  leave(waiter: Waiter): void;
}

interface Lane {
  readonly level: string;
  readonly schema: string;
  readonly queues: SeatQueues;
}

/**
 * Flow control, as kube-apiserver's priority and fairness: a request finds its flow schema by who asks for what, takes seats of
 * that schema's priority level, and waits in a queue of its flow when there are none. Administrators, probes and the controllers
 * in this process are exempt.
 */
export class FlowControl {
  readonly watches: WatchCount;
  readonly #schemas: readonly (readonly [FlowSchema, Lane | undefined])[];
  readonly #turns = new HeavyTurns();
  readonly #longestWait: number;
  readonly #meter: FlowMeter | undefined;

  constructor(options: FlowOptions = {}, metrics?: Metrics) {
    const { levels = priorityLevels, schemas = flowSchemas, seats = allSeats } = options;
    const shares = levels.reduce((sum, level) => sum + level.shares, 0);
    const lanes = new Map(
      levels.map((level) => [level.name, new SeatQueues(level, Math.ceil((seats * level.shares) / shares))]),
    );
    this.#schemas = schemas.map((schema) => {
      const queues = lanes.get(schema.level);
      return [schema, schema.level === exempt || !queues ? undefined : laneOf(schema, queues)];
    });
    this.#longestWait = options.longestWait ?? quarterOfAMinute;
    this.watches = new WatchCount(options.watchesPerUser ?? mostWatches);
    this.#meter = metrics && flowMeter(metrics, lanes);
  }

  /** Takes the seats of a request; throws 429 when it may not even wait. What takes the loop for long gets its turn, too. */
  async enter(demand: Demand): Promise<Release> {
    const lane = this.#laneOf(demand);
    if (!lane) return nothing;
    const { width } = demand;
    // The turn comes first: one that takes seats while it waits for its turn keeps small requests waiting for nothing.
    const end = width > 1 ? await this.#wait(this.#turns, lane, demand) : nothing;
    try {
      if (!lane.queues.take(width)) await this.#wait(lane.queues, lane, demand);
    } catch (error) {
      end();
      throw error;
    }
    this.#meter?.started(lane.level, lane.schema);
    return () => {
      end();
      this.#meter?.ended(lane.level, lane.schema);
      lane.queues.release(width);
    };
  }

  #laneOf({ user, resource, path }: Demand): Lane | undefined {
    const facts: FlowFacts = { user: user.name, groups: user.groups, resource, path };
    return this.#schemas.find(([schema]) => schema.matches(facts))?.[1];
  }

  /** Resolves when it is the request's turn in a line, with what ends the turn. */
  #wait(line: SeatLine, lane: Lane, { user, width }: Demand): Promise<Release> {
    const { level, schema, queues } = lane;
    const since = performance.now();
    return new Promise((resolve, reject) => {
      const refuse = (reason: 'queue-full' | 'time-out' | 'concurrency-limit'): void => {
        this.#meter?.rejected(level, schema, reason);
        reject(tooManyRequests('Too many requests, please try again later.', 1));
      };
      const timer = setTimeout(() => {
        line.leave(waiter);
        this.#meter?.left(level, schema);
        refuse('time-out');
      }, this.#longestWait);
      const waiter: Waiter = {
        flow: `${schema}/${user.name}`,
        width,
        start: (end = nothing) => {
          clearTimeout(timer);
          this.#meter?.waited(lane, performance.now() - since);
          resolve(end);
        },
      };
      this.#meter?.queued(level, schema);
      if (line.enqueue(waiter)) return;
      clearTimeout(timer);
      this.#meter?.left(level, schema);
      refuse(queues.seats > 0 ? 'queue-full' : 'concurrency-limit');
    });
  }
}

function laneOf({ name, level }: FlowSchema, queues: SeatQueues): Lane {
  return { level, schema: name, queues };
}

/** The watches that each user has open. */
class WatchCount {
  readonly #most: number;
  readonly #open = new Map<string, number>();

  constructor(most: number) {
    this.#most = most;
  }

  /** Counts one more; throws 429 when the user has as many as one may have. Returns what ends it. */
  enter(user: string): () => void {
    const before = this.#open.get(user) ?? 0;
    if (before >= this.#most) {
      throw tooManyRequests(`user ${JSON.stringify(user)} has ${before} watches open, which is the most`, 10);
    }
    this.#open.set(user, before + 1);
    let open = true;
    return () => {
      if (!open) return;
      open = false;
      const left = (this.#open.get(user) ?? 1) - 1;
      if (left > 0) this.#open.set(user, left);
      else this.#open.delete(user);
    };
  }
}
