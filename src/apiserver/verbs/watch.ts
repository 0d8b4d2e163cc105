import type { HubResponse } from '../http.ts';
import type { Call, Outcome } from '../call.ts';
import { isExempt } from '../flow/control.ts';
import { checkListOptions, requireReached, revisionOf } from '../request/resource-version.ts';
import { selectionOf } from '../selector/selection.ts';
import { encoderOf } from '../watch/frames.ts';
import { WatchStream } from '../watch/stream.ts';
import type { WatchPlan } from '../watch/stream.ts';

const shortestSeconds = 1800;

/** GET with watch=true. */
export function watch(call: Call): Outcome {
  checkListOptions(call.options, true);
  const plan = planOf(call);
  const { flow } = call.parts;
  const leave = isExempt(call.user) ? undefined : flow.watches.enter(call.user.name);
  const response: HubResponse = {
    status: 200,
    headers: { 'content-type': 'application/json' },
    stream: {
      open(sink) {
        const stream = new WatchStream(plan, sink);
        stream.start();
        return () => {
          stream.close();
          leave?.();
        };
      },
    },
  };
  return { response };
}

function planOf(call: Call): WatchPlan {
  const { parts, options, kind, request } = call;
  const { store, clock } = parts;
  const selection = selectionOf(call);
  const seconds = options.timeoutSeconds || Math.floor(shortestSeconds * (1 + Math.random()));
  return {
    store,
    clock,
    backlog: parts.backlog,
    kind,
    selection,
    encode: encoderOf(call),
    ...startOf(call, selection),
    bookmarks: options.allowWatchBookmarks,
    // A negative timeout is over at once, as in Kubernetes.
    lastsMilliseconds: Math.max(0, seconds * 1000),
    wantsObjects: request.wantsObjects === true,
    ...(parts.onFault && { onFault: parts.onFault }),
  };
}

type Start = Pick<WatchPlan, 'initial' | 'marksInitialEnd' | 'from'>;

/** With no resourceVersion, or 0, a watch begins with what is there; with one, with what comes after it. */
function startOf(call: Call, selection: WatchPlan['selection']): Start {
  const { options } = call;
  const { store } = call.parts;
  const fresh = options.resourceVersion === '' || options.resourceVersion === '0';
  const wantsInitial = options.sendInitialEvents ?? fresh;
  if (!wantsInitial) {
    return { from: revisionOf(options.resourceVersion) || store.revision, marksInitialEnd: false };
  }
  requireReached(options.resourceVersion, store.revision);
  const page = store.list(selection.prefix);
  const { matches } = selection;
  const initial = matches ? page.entries.filter(matches) : page.entries;
  return { initial, from: page.revision, marksInitialEnd: options.sendInitialEvents === true };
}
