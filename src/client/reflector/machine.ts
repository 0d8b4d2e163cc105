import { ApiError } from '../../api/index.ts';
import { isGone, Unreachable } from '../errors.ts';
import type { UnreachableWhy } from '../errors.ts';

/**
 *   ┌────────┐ offered  ┌───────────┐ initial end   ┌──────────┐ ended, cut, stalled ┌─────────┐
 *   │ start  ├─────────►│ streaming ├──────────────►│ watching │◄───────────────────►│ waiting │
 *   └───┬────┘          └─────┬─────┘               └──▲────┬──┘                     └────┬────┘
 *       │ not offered         │ refused                │    │ gone                        │
 *       └───────────────►┌────▼────┐ listed            │    │                             │
 *                        │ listing ├───────────────────┘◄───┘◄────────────────────────────┘
 *                        └─────────┘
 * streaming and listing both bring the whole collection; the first as a watch that begins with it.
 */
export type Phase = 'listing' | 'streaming' | 'watching' | 'waiting' | 'stopped';

/** Where a reflector stands; `because` says what brought it there. */
export interface ReflectorState {
  readonly phase: Phase;
  readonly because: string;
  /** The newest revision seen; '' before the first list. */
  readonly resourceVersion: string;
  /** True once the whole collection has been seen. */
  readonly synced: boolean;
  /** Tells whether the server offers watches that begin with the collection, as far as we know. */
  readonly watchList: boolean;
  /** Failures since the last time that a watch lasted for a while. */
  readonly failures: number;
  /** The state after `waiting`. */
  readonly next: 'collection' | 'watch';
  /** Why the server could not be asked, while `waiting` for that. */
  readonly fault?: UnreachableWhy;
}

/** An event in the life of a reflector; `lasted` is how many milliseconds the watch had lasted. */
export type Happening =
  | { readonly did: 'listed'; readonly resourceVersion: string }
  | { readonly did: 'saw'; readonly resourceVersion: string }
  | { readonly did: 'ended'; readonly lasted: number }
  | { readonly did: 'stalled' }
  | { readonly did: 'failed'; readonly error: unknown; readonly lasted: number }
  | { readonly did: 'waited' }
  | { readonly did: 'stopped' };

/** A watch that lasted so long was a good one, whatever failed before it. */
const steady = 10_000;
/**
 * A watch that ends sooner does not count as progress: without a wait, a server that ends every watch would be asked
 * without pause.
 */
const short = 1_000;
/** After this number of failures in a row the revision itself is suspect. */
const relistAfter = 5;

/** The revision of a list was compacted away between two of its pages. */
export const listExpired = 'the list expired between two pages';

/** Before anything has been asked. */
export function firstState(watchList: boolean): ReflectorState {
  const start = { because: 'start', resourceVersion: '', synced: false, watchList, failures: 0 } as const;
  return { ...start, phase: watchList ? 'streaming' : 'listing', next: 'collection' };
}

/** The next state after an event. Pure: the same events always lead to the same state. */
export function step(state: ReflectorState, happening: Happening): ReflectorState {
  switch (happening.did) {
    case 'listed': {
      const { resourceVersion } = happening;
      const { fault: _, ...sound } = state;
      return { ...sound, phase: 'watching', because: 'listed', resourceVersion, synced: true };
    }
    case 'saw':
      return { ...state, resourceVersion: happening.resourceVersion };
    case 'ended':
      return ended(state, happening.lasted);
    case 'stalled':
      return stalled(state);
    case 'failed':
      return failed(state, happening);
    case 'waited':
      return state.next === 'watch'
        ? { ...state, phase: 'watching', because: 'resumed' }
        : collecting(state, state.because);
    case 'stopped':
      return { ...state, phase: 'stopped', because: 'stopped' };
    default:
      return happening satisfies never;
  }
}

function collecting(state: ReflectorState, because: string): ReflectorState {
  return { ...state, phase: state.watchList ? 'streaming' : 'listing', because };
}

function waiting(state: ReflectorState, because: string, next: ReflectorState['next']): ReflectorState {
  const failures = state.failures + 1;
  return { ...state, phase: 'waiting', because, failures, next: failures % relistAfter === 0 ? 'collection' : next };
}

/**
 * A watch that lasted longer than the wait before it resets the failures: a server with many short troubles, each of
 * them over, does not have to wait for the sum of them at the next.
 */
function forgiven(state: ReflectorState, lasted: number): ReflectorState {
  const enough = Math.min(steady, Math.max(short, longestWait(state.failures)));
  return lasted >= enough ? { ...state, failures: 0 } : state;
}

function ended(state: ReflectorState, lasted: number): ReflectorState {
  if (state.phase === 'streaming') return waiting(state, 'the server ended the stream before its time', 'collection');
  if (lasted < short) return waiting(state, 'the server ended the watch at once', 'watch');
  return { ...forgiven(state, lasted), because: 'the server ended the watch' };
}

function stalled(state: ReflectorState): ReflectorState {
  // A server that does not know the option starts an ordinary watch, which never says where the collection ends.
  if (state.phase === 'streaming') return collecting({ ...state, watchList: false }, 'stalled');
  return waiting(state, 'stalled', 'watch');
}

function failed(
  state: ReflectorState,
  { error, lasted }: { readonly error: unknown; readonly lasted: number },
): ReflectorState {
  const before = forgiven(state, lasted);
  if (isGone(error)) return gone(before);
  const because = error instanceof Error ? error.message : String(error);
  if (state.phase === 'streaming' && refusesOption(error)) {
    return { ...before, phase: 'listing', because: 'the server offers no stream of the collection', watchList: false };
  }
  const resumes = state.phase === 'watching' && canResume(error);
  const { fault: _, ...next } = waiting(before, because, resumes ? 'watch' : 'collection');
  return { ...next, ...(error instanceof Unreachable && { fault: error.why }) };
}

/** A watch that was refused, or that sent too much, is not taken up again where it was: a new reading forgets what is not there. */
function canResume(error: unknown): boolean {
  if (error instanceof Unreachable) return error.why !== 'excessive';
  return !(error instanceof ApiError && error.code < 500 && error.code !== 429);
}

/** The first time the collection is read again at once; a server that keeps saying so is given time. */
function gone(state: ReflectorState): ReflectorState {
  const because = state.phase === 'listing' ? listExpired : 'gone';
  if (state.failures > 0) return waiting(state, because, 'collection');
  return { ...collecting(state, because), failures: 1 };
}

function refusesOption(error: unknown): boolean {
  return error instanceof ApiError && (error.code === 422 || error.code === 400);
}

/** One line for people: `watching from 1234 (listed)`. */
export function stateText(state: ReflectorState): string {
  const { phase, because, resourceVersion, failures, next } = state;
  const where = phase === 'watching' ? ` from ${resourceVersion}` : '';
  const then = phase === 'waiting' ? ` before the ${next} (failure ${failures})` : '';
  return `${phase}${where}${then}: ${because}`;
}

/** How long to wait after so many failures in a row: from 100 ms up to half a minute, half of it by chance. */
export function backoffOf(failures: number, random: () => number): number {
  const whole = longestWait(failures);
  return whole / 2 + (whole / 2) * random();
}

function longestWait(failures: number): number {
  return Math.min(30_000, 200 * 2 ** Math.min(failures - 1, 20));
}
