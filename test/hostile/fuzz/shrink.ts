/** Makes a failing request smaller while it fails the same way. */
import { isObject } from '../../../src/base/index.ts';
import type { Failure } from './campaign.ts';
import { filledIn } from './campaign.ts';
import type { FuzzRequest } from './request.ts';
import type { Send } from './send.ts';
import { causeOf, failureOf } from './verdict.ts';

const mostTries = 400;

/** A hub that knows nothing yet, for one try. */
export type Fresh = () => Promise<{ readonly send: Send; close(): Promise<void> }>;

/** The smallest body found with which a fresh hub fails too; undefined when a fresh hub does not fail. */
export async function shrunk(failure: Failure, fresh: Fresh): Promise<FuzzRequest | undefined> {
  let tries = 0;
  const fails = async (request: FuzzRequest): Promise<boolean> => {
    if (tries++ > mostTries) return false;
    const hub = await fresh();
    const { send } = hub;
    try {
      if (failure.stored) await restore(send, request, failure.stored);
      const { outgoing } = await filledIn(send, request);
      const why = failureOf(request, await send(outgoing));
      return why !== undefined && causeOf(why) === causeOf(failure.why);
    } finally {
      await hub.close();
    }
  };
  if (!(await fails(failure.request))) return undefined;
  const plain = { ...failure.request, query: '', headers: withoutAccept(failure.request) };
  const best = (await fails(plain)) ? plain : failure.request;
  const value = parsed(best.body);
  if (value === undefined) return best;
  const smallest = await smaller(value, (one) => fails({ ...best, body: Buffer.from(JSON.stringify(one)) }));
  return { ...best, body: Buffer.from(JSON.stringify(smallest)) };
}

function withoutAccept({ headers }: FuzzRequest): Record<string, string> {
  return { 'content-type': headers['content-type'] ?? 'application/json' };
}

function parsed(body: Buffer | undefined): unknown {
  try {
    return body && !isDeep(body) ? (JSON.parse(body.toString()) as unknown) : undefined;
  } catch {
    return undefined;
  }
}

/** Deeper than this walk can go. */
function isDeep(body: Buffer): boolean {
  return /(?:\[|\{"a":){500}/.test(body.toString());
}

/** Puts the object back that the failing request met. */
async function restore(send: Send, request: FuzzRequest, stored: string): Promise<void> {
  const object = JSON.parse(stored) as { metadata: Record<string, unknown> };
  const { resourceVersion: _, uid: __, ...metadata } = object.metadata;
  const collection = (request.object ?? '').replace(/\/[^/]*$/, '');
  const body = Buffer.from(JSON.stringify({ ...object, metadata }));
  await send({ method: 'POST', path: collection, query: '', headers: { 'content-type': 'application/json' }, body });
}

type Test = (value: unknown) => Promise<boolean>;

/** Drops what can be dropped, from the outside in. */
async function smaller(value: unknown, fails: Test): Promise<unknown> {
  if (Array.isArray(value)) return smallerList(value, fails);
  if (!isObject(value)) return smallerScalar(value, fails);
  let best = value;
  for (const key of Object.keys(value)) {
    const { [key]: part, ...rest } = best;
    if (await fails(rest)) best = rest;
    else best = { ...best, [key]: await smaller(part, (one) => fails({ ...best, [key]: one })) };
  }
  return best;
}

async function smallerList(value: readonly unknown[], fails: Test): Promise<unknown> {
  let best = value;
  for (let i = value.length - 1; i >= 0; i--) {
    const rest = best.toSpliced(i, 1);
    if (await fails(rest)) best = rest;
    else {
      const at = i;
      const part = await smaller(best[at], (one) => fails(best.with(at, one)));
      best = best.with(at, part);
    }
  }
  return best;
}

async function smallerScalar(value: unknown, fails: Test): Promise<unknown> {
  if (typeof value !== 'string' || value.length < 20) return value;
  const half = value.slice(0, value.length / 2);
  return (await fails(half)) ? smallerScalar(half, fails) : value;
}
