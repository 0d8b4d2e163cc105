import type { Members } from '../base/index.ts';
import { badRequest, conflict, groupOf, invalid, invalidValue, notFound } from '../api/index.ts';
import type { FieldError, KubeObject, ResourceName, Objects } from '../api/index.ts';
import { isObject, timestamp, lookup } from '../base/index.ts';
import type { BoundKind, TokenGrant } from './tokenclaims.ts';
import type { Tokens } from './tokens.ts';

/** A TokenRequest as it was sent to `serviceaccounts/<name>/token`. */
export interface TokenRequest {
  readonly namespace: string;
  readonly name: string;
  readonly body: Readonly<Record<string, unknown>>;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

const group = 'authentication.k8s.io';
const kind = { group, kind: 'TokenRequest' };
const serviceAccounts: ResourceName = { group: '', plural: 'serviceaccounts' };
const hour = 3600;
const shortest = 600;
const longest = 2 ** 32;

/** Issues the token that is asked for: `kubectl create token`. */
export function issueToken(objects: Pick<Objects, 'get'>, tokens: Tokens, request: TokenRequest): object {
  const { namespace, name, body, now } = request;
  const account = objects.get(serviceAccounts, namespace, name);
  if (!account) throw notFound(serviceAccounts, name);
  checkMetadata(request, fieldsOf(body['metadata']), account);
  const spec = fieldsOf(body['spec']);
  const uid = account.metadata.uid ?? '';
  const seconds = secondsOf(spec['expirationSeconds']);
  const asked = stringsOf(spec['audiences']);
  const audiences = asked.length > 0 ? asked : tokens.audiences;
  const boundTo = boundObject(objects, request, spec['boundObjectRef']);
  const grant: TokenGrant = {
    namespace,
    serviceAccount: { name, uid },
    audiences,
    seconds,
    ...(boundTo && { boundTo }),
  };
  return {
    kind: 'TokenRequest',
    apiVersion: `${group}/v1`,
    metadata: { name, namespace, uid, creationTimestamp: timestamp(now) },
    spec: { audiences, expirationSeconds: seconds, boundObjectRef: spec['boundObjectRef'] ?? null },
    status: { token: tokens.issue(grant), expirationTimestamp: timestamp(now + seconds * 1000) },
  };
}

function checkMetadata({ namespace, name }: TokenRequest, metadata: Readonly<Members>, account: KubeObject): void {
  const differs = (field: 'name' | 'namespace', wanted: string): FieldError[] =>
    metadata[field] && metadata[field] !== wanted
      ? [invalidValue(`metadata.${field}`, metadata[field], `must match the service account ${field} if specified`)]
      : [];
  const errors = [...differs('name', name), ...differs('namespace', namespace)];
  if (errors.length > 0) throw invalid(kind, name, errors);
  const uid = textOf(metadata['uid']);
  if (uid === '' || uid === account.metadata.uid) return;
  const why = `the UID in the token request (${uid}) does not match the UID of the service account (${account.metadata.uid})`;
  throw conflict({ group, plural: 'TokenRequest' }, name, why);
}

function secondsOf(value: unknown): number {
  if (value === undefined || value === null) return hour;
  const field = 'spec.expirationSeconds';
  const refuse = (detail: string): never => {
    throw invalid(kind, '', [invalidValue(field, value, detail)]);
  };
  if (typeof value !== 'number' || !Number.isInteger(value)) return refuse('must be an integer');
  if (value < shortest) return refuse('may not specify a duration less than 10 minutes');
  return value > longest ? refuse('may not specify a duration larger than 2^32 seconds') : value;
}

const bindable: Readonly<Record<string, { readonly kind: BoundKind; readonly plural: string }>> = lookup({
  Pod: { kind: 'pod', plural: 'pods' },
  Secret: { kind: 'secret', plural: 'secrets' },
  Node: { kind: 'node', plural: 'nodes' },
});

function boundObject(objects: Pick<Objects, 'get'>, request: TokenRequest, value: unknown): TokenGrant['boundTo'] {
  if (value === undefined || value === null) return undefined;
  const reference = fieldsOf(value);
  const apiVersion = textOf(reference['apiVersion']);
  const bound = groupOf(apiVersion) === '' ? bindable[textOf(reference['kind'])] : undefined;
  if (!bound) throw badRequest(`cannot bind token to object of type ${apiVersion}, Kind=${textOf(reference['kind'])}`);
  const name = textOf(reference['name']);
  const resource = { group: '', plural: bound.plural };
  const object = objects.get(resource, bound.kind === 'node' ? '' : request.namespace, name);
  if (!object) throw notFound(resource, name);
  checkPod(object, request);
  const uid = object.metadata.uid ?? '';
  if (reference['uid'] && reference['uid'] !== uid) {
    const why = `the UID in the bound object reference (${textOf(reference['uid'])}) does not match the UID in record. The object might have been deleted and then recreated`;
    throw conflict({ group: '', plural: textOf(reference['kind']) }, name, why);
  }
  return { kind: bound.kind, name, uid };
}

function checkPod(object: KubeObject, { name }: TokenRequest): void {
  if (object.kind !== 'Pod') return;
  const { spec } = object as KubeObject & { readonly spec?: { readonly serviceAccountName?: string } };
  if ((spec?.serviceAccountName ?? '') === name) return;
  throw badRequest(
    `cannot bind token for serviceaccount ${JSON.stringify(name)} to pod running with different serviceaccount name.`,
  );
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
const fieldsOf = (value: unknown): Readonly<Members> => (isObject(value) ? value : {});
const stringsOf = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : [];
