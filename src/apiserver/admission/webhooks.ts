/**
 * Webhooks that users configure: each is asked about the writes that its rules name, and may change or refuse them. The words
 * are Kubernetes' own. Webhooks behind a Service are not called: the hub runs no pods, and such a configuration is there for the
 * members to which it is propagated. Start with `mutatingWebhooks`.
 */
import { ApiError, badRequest, forbidden, internalError } from '../../api/index.ts';
import type { KubeObject } from '../../api/index.ts';
import { isObject } from '../../base/index.ts';
import { jsonPatch } from '../../patch/index.ts';
import { compileAdmission, evaluateAdmission } from '../../schema/index.ts';
import type { Admit, Admitted, AdmissionReview } from '../request/admission.ts';
import { matches } from './match.ts';
import type { Matching, RequestRule } from './match.ts';
import { admissionRequest, variablesOf } from './variables.ts';
import type { VariableParts } from './variables.ts';

/** Posts a body to a webhook. Rejects when nothing comes back in time. */
export type PostWebhook = (call: {
  readonly address: { readonly url: string; readonly caBundle?: string };
  readonly timeoutSeconds: number;
  readonly body: unknown;
}) => Promise<{ readonly status: number; readonly body?: unknown }>;

interface Webhook extends Omit<Matching, 'rules' | 'excluded'> {
  readonly name: string;
  readonly clientConfig: { readonly url?: string; readonly caBundle?: string };
  readonly rules?: readonly RequestRule[];
  readonly failurePolicy?: string;
  readonly sideEffects?: string;
  readonly timeoutSeconds?: number;
  readonly reinvocationPolicy?: string;
  readonly matchConditions?: readonly { readonly name: string; readonly expression: string }[];
}

/** A MutatingWebhookConfiguration or ValidatingWebhookConfiguration. */
export interface WebhookConfiguration extends KubeObject {
  readonly webhooks?: readonly Webhook[];
}

/** The parts of the hub that webhooks need. */
export interface WebhookParts extends VariableParts {
  readonly post: PostWebhook;
  /** All configurations, in the order of their names. */
  readonly configurations: () => readonly WebhookConfiguration[];
}

/** Lets webhooks change a write, in the order of their configurations; one that asks for it sees what those after it did. */
export function mutatingWebhooks(parts: WebhookParts): Admit {
  return (review) => {
    const hooks = concerned(review, parts);
    return hooks.length === 0 ? {} : mutated(hooks, review, parts);
  };
}

async function mutated(hooks: readonly Webhook[], review: AdmissionReview, parts: WebhookParts): Promise<Admitted> {
  const warnings: string[] = [];
  let { object } = review;
  const changedAt = new Map<Webhook, KubeObject | undefined>();
  const turn = async (hook: Webhook): Promise<void> => {
    const asked: AdmissionReview = { ...review, ...(object && { object }) };
    const answer = await asking(hook, asked, parts);
    warnings.push(...answer.warnings);
    if (object && answer.patch) object = patched(hook, object, answer.patch);
    changedAt.set(hook, object);
  };
  for (const hook of hooks) await turn(hook);
  for (const hook of hooks) {
    if (hook.reinvocationPolicy === 'IfNeeded' && changedAt.get(hook) !== object) await turn(hook);
  }
  return { warnings, ...(object && object !== review.object && { object }) };
}

/** Asks webhooks whether a write may be, all at once; throws the refusal of the first in order. */
export function validatingWebhooks(parts: WebhookParts): Admit {
  return (review) => {
    const hooks = concerned(review, parts);
    return hooks.length === 0 ? {} : judged(hooks, review, parts);
  };
}

async function judged(hooks: readonly Webhook[], review: AdmissionReview, parts: WebhookParts): Promise<Admitted> {
  const settled = await Promise.allSettled(hooks.map((hook) => asking(hook, review, parts)));
  const warnings: string[] = [];
  for (const one of settled) {
    if (one.status === 'rejected') throw one.reason;
    warnings.push(...one.value.warnings);
  }
  return { warnings };
}

/** Configurations of admission are never held to admission: a broken one could not be repaired. */
const exempt = 'admissionregistration.k8s.io';

function concerned(review: AdmissionReview, parts: WebhookParts): Webhook[] {
  if (review.kind.group === exempt) return [];
  return parts
    .configurations()
    .flatMap(({ webhooks = [] }) => webhooks)
    .filter((hook) => hook.clientConfig.url !== undefined)
    .filter(
      (hook) => matches({ ...hook, rules: hook.rules ?? [] }, review, parts) && meetsConditions(hook, review, parts),
    );
}

function meetsConditions(
  { matchConditions = [], failurePolicy, name }: Webhook,
  review: AdmissionReview,
  parts: WebhookParts,
): boolean {
  if (matchConditions.length === 0) return true;
  const variables = variablesOf(review, parts);
  try {
    return matchConditions.every(({ expression }) => {
      const compiled = compileAdmission(expression, 'bool', { params: false, authorizer: true });
      return evaluateAdmission(compiled, variables) === true;
    });
  } catch (error) {
    if (failurePolicy === 'Ignore') return false;
    throw forbidden(review.kind, review.name, `failed calling webhook "${name}": ${(error as Error).message}`);
  }
}

/** Warns of configurations whose webhooks are not called, because they are behind a Service. */
export const serviceWarnings: Admit = ({ kind, object }) => {
  if (kind.group !== exempt) return {};
  const { webhooks = [] } = (object ?? {}) as Partial<WebhookConfiguration>;
  const silent = webhooks.filter(({ clientConfig }) => clientConfig.url === undefined);
  const why = 'the hub reaches no Services; it is kept for the members';
  return { warnings: silent.map(({ name }) => `webhook ${name} is not called here: ${why}`) };
};

interface Answer {
  readonly warnings: readonly string[];
  readonly patch?: unknown;
}

const usualSeconds = 10;

/** The answer of a webhook that allows the write; throws when it does not, or gives no answer and must. */
async function asking(hook: Webhook, review: AdmissionReview, parts: WebhookParts): Promise<Answer> {
  requireHarmless(hook, review);
  let response: Readonly<Record<string, unknown>>;
  try {
    response = await responseOf(hook, review, parts);
  } catch (error) {
    if (hook.failurePolicy === 'Ignore') return { warnings: [] };
    throw internalError(`failed calling webhook "${hook.name}": ${(error as Error).message}`);
  }
  const { allowed, status, warnings, patch } = response;
  if (allowed !== true) throw refusal(hook.name, isObject(status) ? status : {});
  return { warnings: Array.isArray(warnings) ? warnings.map(String) : [], ...(patch !== undefined && { patch }) };
}

/** Throws 400 for a dry run that the webhook cannot be asked about without doing something. */
function requireHarmless({ name, sideEffects }: Webhook, { dryRun }: AdmissionReview): void {
  if (!dryRun || sideEffects === 'None' || sideEffects === 'NoneOnDryRun') return;
  throw badRequest(`admission webhook "${name}" does not support dry run`);
}

async function responseOf(
  { clientConfig, timeoutSeconds = usualSeconds }: Webhook,
  review: AdmissionReview,
  { post }: WebhookParts,
): Promise<Readonly<Record<string, unknown>>> {
  const { object = null, old: oldObject = null } = review;
  const request = { ...admissionRequest(review), object, oldObject };
  const body = { kind: 'AdmissionReview', apiVersion: 'admission.k8s.io/v1', request };
  const address = { ...clientConfig, url: clientConfig.url ?? '' };
  return responseIn(await post({ address, timeoutSeconds, body }), request.uid);
}

function responseIn(
  { status, body }: { readonly status: number; readonly body?: unknown },
  uid: unknown,
): Record<string, unknown> {
  if (status !== 200) throw new Error(`the webhook answered with status ${status}`);
  const response = isObject(body) ? body['response'] : undefined;
  if (!isObject(response)) throw new Error('Webhook response was absent');
  if (response['uid'] !== uid)
    throw new Error(`expected response.uid=${JSON.stringify(uid)}, got ${JSON.stringify(response['uid'])}`);
  return response;
}

function patched({ name }: Webhook, object: KubeObject, patch: unknown): KubeObject {
  try {
    return jsonPatch(object, JSON.parse(Buffer.from(String(patch), 'base64').toString('utf8')));
  } catch (error) {
    throw internalError(
      `admission webhook "${name}" answered with a patch that does not apply: ${(error as Error).message}`,
    );
  }
}

function refusal(name: string, { message, reason, code, details }: Record<string, unknown>): ApiError {
  const denied = `admission webhook ${JSON.stringify(name)} denied the request`;
  const why = typeof message === 'string' && message !== '' ? message : typeof reason === 'string' ? reason : '';
  const { status } = badRequest(why === '' ? `${denied} without explanation` : `${denied}: ${why}`);
  return new ApiError({
    ...status,
    code: typeof code === 'number' && code >= 400 ? code : 403,
    reason: typeof reason === 'string' && reason !== '' ? reason : 'Forbidden',
    ...(isObject(details) && { details }),
  });
}
