import { StoreError } from '../../store/index.ts';
import type { Entry, ListPage, Store } from '../../store/index.ts';
import { registry } from '../storage/object-keys.ts';
import type { Call, ListOutcome, Outcome } from '../call.ts';
import {
  checkListOptions,
  decodeContinue,
  encodeContinue,
  expiredContinue,
  requireReached,
  tooOld,
} from '../request/resource-version.ts';
import type { Continuation } from '../request/resource-version.ts';
import { selectionOf } from '../selector/selection.ts';
import type { Selection } from '../selector/selection.ts';

/** GET on a collection. */
export function list(call: Call): Outcome {
  return { status: 200, list: listed(call, selectionOf(call)) };
}

/** The page of objects that the options ask for. */
export function listed(call: Call, selection: Selection): ListOutcome {
  const { parts, options } = call;
  checkListOptions(options, false);
  const start = startOf(call);
  if (selection.key && !options.continue && start.at === undefined) return single(parts.store, selection);
  return options.limit > 0 ? limited(call, selection, start) : whole(parts.store, selection, start);
}

interface Start {
  readonly at?: number;
  readonly after?: string;
}

function startOf(call: Call): Start {
  const { options, parts } = call;
  if (options.continue) {
    const { revision, after }: Continuation = decodeContinue(options.continue);
    const key = `${registry}${after}`;
    if (revision >= 0 && revision < parts.store.compacted) throw expiredContinue(after);
    return revision < 0 ? { after: key } : { at: revision, after: key };
  }
  const wanted = requireReached(options.resourceVersion, parts.store.revision);
  if (options.resourceVersionMatch !== 'Exact') return {};
  if (wanted < parts.store.compacted) throw tooOld(wanted, parts.store.compacted);
  return { at: wanted };
}

function single(store: Store, { key, matches }: Selection): ListOutcome {
  const entry = store.get(key ?? '');
  const entries = entry && (!matches || matches(entry)) ? [entry] : [];
  return { entries, revision: store.revision };
}

function whole(store: Store, { prefix, matches }: Selection, start: Start): ListOutcome {
  const page = pageOf(store, prefix, start);
  return { entries: matches ? page.entries.filter(matches) : page.entries, revision: page.revision };
}

/** Goes on through the keys until so many match, all at one revision. */
function limited(call: Call, { prefix, matches }: Selection, start: Start): ListOutcome {
  const { store } = call.parts;
  const { limit } = call.options;
  const found: Entry[] = [];
  let page = pageOf(store, prefix, { ...start, limit });
  const { revision } = page;
  for (;;) {
    for (const entry of page.entries) if (!matches || matches(entry)) found.push(entry);
    if (page.next === undefined || found.length >= limit) break;
    page = pageOf(store, prefix, { at: revision, after: page.next, limit: limit - found.length });
  }
  if (page.next === undefined) return { entries: found, revision };
  const token = encodeContinue({ revision, after: page.next.slice(registry.length) });
  return { entries: found, revision, continue: token, ...(!matches && { remaining: page.remaining }) };
}

function pageOf(store: Store, prefix: string, options: Start & { readonly limit?: number }): ListPage {
  try {
    return store.list(prefix, options);
  } catch (error) {
    if (error instanceof StoreError && error.code === 'compacted') throw tooOld(options.at ?? 0, store.compacted);
    throw error;
  }
}
