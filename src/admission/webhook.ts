/**
 * The answers of an admission webhook: an AdmissionReview of Kubernetes in, the same review with a verdict out.
 * Guarantees: it refuses with the same Status that the embedded hub would answer with, and never changes the object of a
 * deletion. Start with `reviewed`.
 */
import { ApiError, internalError } from '../api/index.ts';
import type { KubeObject } from '../api/index.ts';
import { equal, isObject } from '../base/index.ts';
import type { Admitted, Author, Powers, Review } from './admit.ts';

/** The plugin that judges: `admission(…)`. */
export type Judge = (review: Review, powers: Powers) => Admitted;

/** A permission that somebody may have or not. */
export type Intent = Parameters<Powers['may']>[1];

/** Asks the hub whether a user has a permission. */
export type AskHub = (user: Author, intent: Intent) => Promise<boolean>;

/** admission.k8s.io/v1 AdmissionRequest, as far as verdicts need it. */
interface AdmissionRequest {
  readonly uid: string;
  readonly kind: { readonly group: string; readonly version: string; readonly kind: string };
  readonly resource: { readonly resource: string };
  readonly subResource?: string;
  readonly name?: string;
  readonly namespace?: string;
  readonly operation: Review['operation'];
  readonly userInfo: { readonly username?: string; readonly groups?: readonly string[] };
  readonly object?: KubeObject | null;
  readonly oldObject?: KubeObject | null;
}

/** A step of a JSON patch as the answer carries it. */
interface Step {
  readonly op: 'add' | 'remove' | 'replace';
  readonly path: string;
  readonly value?: unknown;
}

/** The two ways to call: a mutating webhook may change the object, a validating one only judges it. */
export type Manner = 'mutate' | 'validate';

/** Judges the review in a body; undefined when the body is no review. */
export async function reviewed(
  body: unknown,
  manner: Manner,
  { judge, ask }: { readonly judge: Judge; readonly ask: AskHub },
): Promise<object | undefined> {
  const request = requestIn(body);
  if (!request) return undefined;
  const answer = (response: object): object => ({
    apiVersion: 'admission.k8s.io/v1',
    kind: 'AdmissionReview',
    response: { uid: request.uid, ...response },
  });
  try {
    const { object, warnings } = await judged(reviewOf(request), judge, ask);
    const patch = manner === 'mutate' && request.object && object ? steps(request.object, object) : [];
    return answer({
      allowed: true,
      // Both webhooks see every write: the person hears a warning once.
      ...(manner === 'validate' && warnings && { warnings }),
      ...(patch.length > 0 && { patchType: 'JSONPatch', patch: base64(patch) }),
    });
  } catch (error) {
    const { status } = error instanceof ApiError ? error : internalError(String(error));
    return answer({ allowed: false, status });
  }
}

function requestIn(body: unknown): AdmissionRequest | undefined {
  const request = isObject(body) && body['kind'] === 'AdmissionReview' ? body['request'] : undefined;
  if (!isObject(request) || typeof request['uid'] !== 'string') return undefined;
  if (!isObject(request['kind']) || !isObject(request['resource'])) return undefined;
  return request as unknown as AdmissionRequest;
}

function reviewOf(request: AdmissionRequest): Review {
  const { kind, resource, operation, userInfo, object, oldObject } = request;
  return {
    operation,
    kind: { group: kind.group, kind: kind.kind, plural: resource.resource },
    namespace: request.namespace ?? '',
    name: request.name ?? '',
    subresource: request.subResource ?? '',
    ...(object && { object }),
    ...(oldObject && { old: oldObject }),
    user: { name: userInfo.username ?? '', groups: userInfo.groups ?? [] },
  };
}

/** A permission whose answer is not known yet. */
class Unanswered extends Error {
  readonly intent: Intent;
  constructor(intent: Intent) {
    super('a permission is not known yet');
    this.intent = intent;
  }
}

/** Judges again with each permission that the judge asked for, until it knows all of them. */
async function judged(review: Review, judge: Judge, ask: AskHub): Promise<Admitted> {
  const known = new Map<string, boolean>();
  const powers: Powers = {
    may(_, intent) {
      const answer = known.get(JSON.stringify(intent));
      if (answer === undefined) throw new Unanswered(intent);
      return answer;
    },
  };
  for (;;) {
    try {
      return judge(review, powers);
    } catch (error) {
      if (!(error instanceof Unanswered)) throw error;
      known.set(JSON.stringify(error.intent), await ask(review.user, error.intent));
    }
  }
}

/** The steps from one object to another; a list that differs is replaced as a whole. */
function steps(before: object, after: object, path = ''): readonly Step[] {
  const [from, to] = [before as Record<string, unknown>, after as Record<string, unknown>];
  const found: Step[] = [];
  for (const key of new Set([...Object.keys(from), ...Object.keys(to)])) {
    const at = `${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    const [old, value] = [from[key], to[key]];
    if (old === undefined && value === undefined) continue;
    if (value === undefined) found.push({ op: 'remove', path: at });
    else if (old === undefined) found.push({ op: 'add', path: at, value });
    else if (isObject(old) && isObject(value)) found.push(...steps(old, value, at));
    else if (!equal(old, value)) found.push({ op: 'replace', path: at, value });
  }
  return found;
}

const base64 = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64');
