/** Sends many requests, a few at a time, and counts what came back. */
import { seedOf } from './dice.ts';
import { liveUid, liveVersion } from './bodies.ts';
import { requestOf } from './request.ts';
import type { FuzzRequest } from './request.ts';
import type { Reply, Send, Sent } from './send.ts';
import { causeOf, failureOf } from './verdict.ts';

/** How a run goes. */
export interface Plan {
  readonly seed: number;
  readonly from: number;
  /** Sends requests as long as this says so. */
  readonly goesOn: (sent: number) => boolean;
  readonly concurrency: number;
  readonly onProgress?: (sent: number) => void;
}

/** A request that failed, with the object that was stored under its path. */
export interface Failure {
  readonly request: FuzzRequest;
  readonly why: string;
  readonly stored?: string;
}

/** The result of a run. */
export interface Tally {
  readonly sent: number;
  readonly byStatus: Readonly<Record<string, number>>;
  /** How many of each label were answered with 2xx. */
  readonly accepted: ReadonlyMap<string, number>;
  readonly failures: readonly Failure[];
  readonly slowest: { readonly seed: number; readonly milliseconds: number };
}

const mostFailures = 200;

/** Runs the plan; stops early when there are too many failures to look at. */
export async function campaign(send: Send, plan: Plan): Promise<Tally> {
  const byStatus: Record<string, number> = {};
  const accepted = new Map<string, number>();
  const failures: Failure[] = [];
  let slowest = { seed: 0, milliseconds: 0 };
  let sent = 0;
  const one = async (): Promise<void> => {
    const request = requestOf(seedOf(plan.seed, plan.from + sent++));
    const { outgoing, stored } = await filledIn(send, request);
    const start = performance.now();
    const reply = await send(outgoing);
    const milliseconds = performance.now() - start;
    if (milliseconds > slowest.milliseconds) slowest = { seed: request.seed, milliseconds };
    byStatus[reply.status] = (byStatus[reply.status] ?? 0) + 1;
    if (reply.status >= 200 && reply.status < 300) accepted.set(request.label, (accepted.get(request.label) ?? 0) + 1);
    const why = failureOf(request, reply) ?? pollution();
    if (why) failures.push({ request, why, ...(stored !== undefined && { stored }) });
  };
  const worker = async (): Promise<void> => {
    while (plan.goesOn(sent) && failures.length < mostFailures) {
      if (sent % 50 === 0) plan.onProgress?.(sent);
      await one();
    }
  };
  await Promise.all(Array.from({ length: plan.concurrency }, worker));
  return { sent, byStatus, accepted, failures, slowest };
}

function pollution(): string | undefined {
  const keys = Object.keys(Object.prototype);
  return keys.length > 0 || 'polluted' in {} ? `Object.prototype was changed: ${keys.join(', ')}` : undefined;
}

/** Puts the resourceVersion and the uid of the stored object where the request asks for them. */
export async function filledIn(
  send: Send,
  { object, body, method, path, query, headers }: FuzzRequest,
): Promise<{ readonly outgoing: Sent; readonly stored?: string }> {
  const outgoing = { method, path, query, headers, ...(body && { body }) };
  if (!body || !(body.includes(liveVersion) || body.includes(liveUid))) return { outgoing };
  const stored = object === undefined ? undefined : await read(send, object);
  const { resourceVersion = '', uid = '' } = metadataOf(stored);
  const text = body.toString().replaceAll(liveVersion, resourceVersion).replaceAll(liveUid, uid);
  return { outgoing: { ...outgoing, body: Buffer.from(text) }, ...(stored !== undefined && { stored }) };
}

function metadataOf(stored: string | undefined): { readonly resourceVersion?: string; readonly uid?: string } {
  return (JSON.parse(stored || '{}') as { metadata?: object }).metadata ?? {};
}

async function read(send: Send, path: string): Promise<string> {
  const reply: Reply = await send({ method: 'GET', path, query: '', headers: { accept: 'application/json' } });
  return reply.status === 200 ? reply.body : '';
}

/** A request as a person can send it again. */
export function wordsOf({ seed, method, path, query, headers, body }: FuzzRequest): string {
  const type = headers['content-type'] ?? '';
  const text = body?.toString() ?? '';
  const shown = text.length > 2000 ? `${text.slice(0, 2000)}… (${text.length} characters)` : text;
  return `seed ${seed}: ${method} ${path.slice(0, 300)}${query && `?${query.slice(0, 500)}`}\n  ${type} ${shown}`;
}

/** The failures by cause, each with the request that has the smallest body. */
export function grouped(failures: readonly Failure[]): readonly { readonly count: number; readonly least: Failure }[] {
  const groups = new Map<string, { count: number; least: Failure }>();
  const lengthOf = ({ request }: Failure): number => request.body?.length ?? 0;
  for (const failure of failures) {
    const cause = causeOf(failure.why);
    const group = groups.get(cause) ?? { count: 0, least: failure };
    const least = lengthOf(failure) < lengthOf(group.least) ? failure : group.least;
    groups.set(cause, { count: group.count + 1, least });
  }
  return [...groups.values()].sort((a, b) => b.count - a.count);
}
