import type { DefinitionCase, ObjectCase } from './cases.ts';

/** The answer of a server. */
export interface Answer {
  readonly code: number;
  readonly body: Readonly<Record<string, unknown>>;
  readonly warnings: readonly string[];
}

/** Asks a server. */
export type Call = (method: string, path: string, body?: unknown) => Promise<Answer>;

/** The verdict of a server on a case: the spec that it kept, or its errors. */
export interface Verdict {
  readonly name: string;
  readonly code: number;
  readonly spec?: unknown;
  /** The causes, `field: message`, in alphabetical order: servers find them in any. */
  readonly causes?: readonly string[];
  readonly message?: string;
  readonly warnings?: readonly string[];
}

const path = '/apis/schemas.example.com/v1/namespaces/default/trials';
const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions?dryRun=All';

/** Puts every case to a server. */
export async function judge(
  call: Call,
  objects: readonly ObjectCase[],
  crds: readonly DefinitionCase[],
): Promise<Verdict[]> {
  const verdicts: Verdict[] = [];
  for (const one of objects) {
    for (const mode of ['Strict', 'Warn']) verdicts.push(await judgeObject(call, one, mode));
  }
  for (const { name, crd } of crds)
    verdicts.push(verdictOf(`definition: ${name}`, await call('POST', definitions, crd)));
  return verdicts;
}

async function judgeObject(call: Call, one: ObjectCase, mode: string): Promise<Verdict> {
  const metadata = {
    name: 'trial',
    namespace: 'default',
    ...one.more?.metadata,
  };
  const whole = (spec: object): object => ({
    apiVersion: 'schemas.example.com/v1',
    kind: 'Trial',
    ...one.more,
    metadata,
    spec,
  });
  const query = `?fieldValidation=${mode}`;
  if (one.before) await call('POST', `${path}${query}`, whole(one.before));
  const sent = whole(one.spec);
  const answer = one.before
    ? await call('PUT', `${path}/trial${query}`, await withVersion(call, sent))
    : await call('POST', `${path}${query}`, sent);
  await call('DELETE', `${path}/trial`);
  return verdictOf(`${one.name} (${mode})`, answer);
}

async function withVersion(call: Call, sent: object): Promise<object> {
  const { body } = await call('GET', `${path}/trial`);
  const { resourceVersion } = body['metadata'] as { resourceVersion: string };
  const { metadata } = sent as { metadata: object };
  return { ...sent, metadata: { ...metadata, resourceVersion } };
}

interface Status {
  readonly message: string;
  readonly details?: { readonly causes?: readonly { readonly field?: string; readonly message?: string }[] };
}

function verdictOf(name: string, { code, body, warnings }: Answer): Verdict {
  const heard = warnings.map((one) => /^299 - "(.*)"$/.exec(one)?.[1] ?? one);
  const base = { name, code, ...(heard.length > 0 && { warnings: heard }) };
  if (code < 300) return { ...base, spec: body['spec'] };
  const { message, details } = body as unknown as Status;
  const causes = details?.causes?.map((cause) => `${cause.field}: ${cause.message}`).sort();
  return causes ? { ...base, causes } : { ...base, message };
}
