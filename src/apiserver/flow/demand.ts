import type { Store } from '../../store/index.ts';
import type { KindInfo, User } from '../../api/index.ts';
import type { HubRequest } from '../http.ts';
import { namespacePrefix } from '../storage/object-keys.ts';
import { valuesOf } from '../request/options.ts';
import type { Target } from '../request/route.ts';
import type { Demand } from './control.ts';

/** Bytes of a body for one seat: what takes about a millisecond or two of the event loop. */
const bytesPerSeat = 100 * 1024;
/** Objects of a list for one seat. */
const objectsPerSeat = 500;
/** The widest request; kube-apiserver's number. */
const mostSeats = 10;

/** A request and its route. */
export interface DemandFacts {
  readonly store: Store;
  readonly request: HubRequest;
  readonly user: User;
  readonly target: Target | undefined;
  readonly kind: KindInfo | undefined;
}

/** Tells whether a request lasts as long as its caller wants. Those take no seats, as in Kubernetes. */
export function isLongRunning({ target }: DemandFacts): boolean {
  return target?.subresource === 'proxy';
}

/** The cost of a request for flow control: by its body, or by the number of objects that it goes through. */
export function demandOf(asked: DemandFacts): Demand {
  const { user, request, target } = asked;
  const resource = target ? `${target.group}/${target.plural}` : '';
  return { user, resource, path: request.path, width: widthOf(asked) };
}

/** Tells whether the body of a request takes the event loop for long. */
export function isLarge({ body }: HubRequest): boolean {
  return body !== undefined && body.length > bytesPerSeat;
}

function widthOf({ store, request, target, kind }: DemandFacts): number {
  const { body, method } = request;
  if (body && isLarge(request)) return seats(body.length / bytesPerSeat);
  if (!kind || !target || target.name || (method !== 'GET' && method !== 'DELETE')) return 1;
  const count = store.count(namespacePrefix(kind, target.namespace));
  return count < objectsPerSeat ? 1 : seats(Math.min(count, limitOf(request.query)) / objectsPerSeat);
}

function seats(amount: number): number {
  return Math.min(mostSeats, 1 + Math.floor(amount));
}

/** A watch from a revision on goes through nothing. */
function limitOf(query: string): number {
  const values = valuesOf(query);
  const from = values.get('resourceVersion')?.[0] ?? '';
  if (values.has('watch') && from !== '' && from !== '0' && !values.has('sendInitialEvents')) return 0;
  return Number(values.get('limit')?.[0] ?? 0) || Infinity;
}
