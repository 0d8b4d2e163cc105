import { randomUUID } from 'node:crypto';
import type { Status, User } from '../../api/index.ts';
import { attributesOf, impersonatorOf } from '../../auth/index.ts';
import { isObject } from '../../base/index.ts';
import type { Clock } from '../../observe/index.ts';
import type { AuditLog } from './audit-log.ts';
import type { Guard } from '../access/guard.ts';
import type { HubRequest, HubResponse, HubStream } from '../http.ts';
import { targetOf } from '../request/target.ts';
import type { Target } from '../request/target.ts';

type Handle = (request: HubRequest) => Promise<HubResponse>;

/** Writes down who did what: every request from outside, once it is answered; of watches also that they began. */
export interface Audit {
  /** The same guard, which also remembers whom it let in. */
  guard(guard: Guard): Guard;
  around(handle: Handle): Handle;
}

/** Who asks for these tells nothing, and probes ask all the time. */
const quiet: ReadonlySet<string> = new Set(['/livez', '/readyz', '/healthz', '/metrics', '/version']);

/** Events of `audit.k8s.io/v1` at level Metadata: no bodies, so no secrets. */
export function auditOf(log: Pick<AuditLog, 'record'>, clock: Pick<Clock, 'now'>): Audit {
  const users = new WeakMap<HubRequest, User>();
  return {
    guard: (guard) => ({
      ...guard,
      userOf(request) {
        const user = guard.userOf(request);
        users.set(request, user);
        return user;
      },
    }),
    around: (handle) => async (request) => {
      if (request.from === undefined || quiet.has(request.path)) return handle(request);
      const received = clock.now();
      const response = await handle(request);
      const event = eventOf(request, users.get(request), received);
      const write = (stage: string): void =>
        log.record({ ...event, stage, responseStatus: statusOf(response), stageTimestamp: microTime(clock.now()) });
      if (!response.stream) {
        write('ResponseComplete');
        return response;
      }
      write('ResponseStarted');
      return { ...response, stream: watched(response.stream, () => write('ResponseComplete')) };
    },
  };
}

/** The same stream; `onEnd` is called once, whoever ends it. */
function watched(stream: HubStream, onEnd: () => void): HubStream {
  return {
    open(sink) {
      let ended = false;
      const end = (): void => {
        if (!ended) onEnd();
        ended = true;
      };
      const stop = stream.open({
        write: (chunk) => sink.write(chunk),
        event: (events) => sink.event?.(events),
        pending: () => sink.pending(),
        ...(sink.whenRoom && { whenRoom: sink.whenRoom }),
        ...(sink.drop && { drop: sink.drop }),
        end() {
          sink.end();
          end();
        },
      });
      return () => {
        stop();
        end();
      };
    },
  };
}

function eventOf(request: HubRequest, user: User | undefined, received: number): object {
  const { path, query, headers } = request;
  const target = targetOf(path);
  const impersonator = user && impersonatorOf(user);
  return {
    kind: 'Event',
    apiVersion: 'audit.k8s.io/v1',
    level: 'Metadata',
    auditID: randomUUID(),
    requestURI: query ? `${path}?${query}` : path,
    verb: verbOf(request, target),
    user: userInfo(impersonator ?? user),
    ...(impersonator && { impersonatedUser: userInfo(user) }),
    sourceIPs: [request.from],
    userAgent: (headers['user-agent'] ?? '').slice(0, 1024),
    ...(target && { objectRef: objectReference(target) }),
    requestReceivedTimestamp: microTime(received),
  };
}

/** Not by the parser of options, which refuses what it cannot read: such requests are written down, too. */
const asksToWatch = /(?:^|&)watch(?:=(?:true|1)?)?(?:&|$)/;

function verbOf({ method, path, query }: HubRequest, target: Target | undefined): string {
  return attributesOf({ method, path, target, watch: asksToWatch.test(query) }).verb;
}

const userInfo = (user: User | undefined): object => ({
  ...(user && { username: user.name }),
  ...(user?.uid && { uid: user.uid }),
  ...(user && { groups: user.groups }),
  ...(user?.extra && { extra: user.extra }),
});

function objectReference({ group, version, plural, namespace, name, subresource }: Target): object {
  return {
    resource: plural,
    ...(namespace && { namespace }),
    ...(name && { name }),
    ...(group && { apiGroup: group }),
    apiVersion: version,
    ...(subresource && { subresource }),
  };
}

/** The code, and for a failure what it said. */
function statusOf(response: HubResponse): object {
  const code = response.status;
  if (code < 400) return { metadata: {}, code };
  const { message, reason, details } = failureIn(response);
  return {
    metadata: {},
    status: 'Failure',
    ...(message && { message }),
    ...(reason && { reason }),
    ...(details && { details }),
    code,
  };
}

function failureIn({ object, body }: HubResponse): Partial<Status> {
  if (object !== undefined) return isObject(object) ? object : {};
  try {
    const parsed: unknown = JSON.parse(body?.toString() ?? '{}');
    return isObject(parsed) ? parsed : {};
  } catch {
    return {};
  }
}

/** RFC 3339 with microseconds, as Kubernetes writes metav1.MicroTime. */
const microTime = (milliseconds: number): string => new Date(milliseconds).toISOString().replace('Z', '000Z');
