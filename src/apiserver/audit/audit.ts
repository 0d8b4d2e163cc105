import { randomUUID } from 'node:crypto';
import type { Status, User } from '../../api/index.ts';
import { attributesOf, impersonatorOf } from '../../auth/index.ts';
import { isObject } from '../../base/index.ts';
import type { Clock } from '../../observe/index.ts';
import type { AuditLog } from './audit-log.ts';
import type { HubRequest, HubResponse, HubStream } from '../http.ts';
import { targetOf } from '../request/route.ts';
import type { Target } from '../request/route.ts';

/** Records who did what: every request from outside, once it is answered; of watches also that they began. */
export interface Audit {
  /** Opens the record of a request; undefined for one that is not recorded. */
  begin(request: HubRequest): AuditRecord | undefined;
}

/** The record of one request. */
export interface AuditRecord {
  /** The request is this user's. */
  by(user: User): void;
  /** Writes the record; the response is the same one, and of a stream the end is recorded, too. */
  end(response: HubResponse): HubResponse;
}

/** Health and version tell nothing, and probes ask for them all the time. */
const quiet: ReadonlySet<string> = new Set(['/livez', '/readyz', '/healthz', '/metrics', '/version']);

/** Events of `audit.k8s.io/v1` at level Metadata: no bodies, so no secrets. */
export function auditOf(log: Pick<AuditLog, 'record'>, clock: Pick<Clock, 'now'>): Audit {
  return {
    begin(request) {
      if (request.from === undefined || quiet.has(request.path)) return undefined;
      const received = clock.now();
      let caller: User | undefined;
      return {
        by: (user) => void (caller = user),
        end(response) {
          const event = eventOf(request, caller, received);
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
        ...(sink.whenDrained && { whenDrained: sink.whenDrained }),
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
