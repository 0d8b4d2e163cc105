import { badRequest, invalid, invalidValue } from '../api/index.ts';
import type { FieldError, User } from '../api/index.ts';
import { isObject } from '../base/index.ts';
import type { Attributes } from './attributes.ts';
import type { Rbac } from './rbac.ts';
import type { PolicyRule } from './rule.ts';
import type { Tokens } from './tokens.ts';

/** A review as it was sent: who sent it, to which namespace, and what it says. */
export interface ReviewRequest {
  readonly user: User;
  readonly namespace: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Answers a review: the object that was sent, with its status. */
export type Review = (request: ReviewRequest) => object;

const authorization = 'authorization.k8s.io';
const authentication = 'authentication.k8s.io';
type Spec = Readonly<Record<string, unknown>>;

/** The reviews that RBAC and tokens can answer, by `group/plural`. */
export function reviewsOf(
  rbac: Omit<Rbac, 'close'>,
  tokens: Pick<Tokens, 'authenticate' | 'audiences'>,
): Readonly<Record<string, Review>> {
  return {
    [`${authorization}/subjectaccessreviews`]: (request) => subjectAccess(rbac, request),
    [`${authorization}/localsubjectaccessreviews`]: (request) => localSubjectAccess(rbac, request),
    [`${authorization}/selfsubjectaccessreviews`]: (request) => selfSubjectAccess(rbac, request),
    [`${authorization}/selfsubjectrulesreviews`]: (request) => selfSubjectRules(rbac, request),
    [`${authentication}/selfsubjectreviews`]: selfSubject,
    [`${authentication}/tokenreviews`]: (request) => tokenReview(tokens, request),
  };
}

function subjectAccess(rbac: Omit<Rbac, 'close'>, { body }: ReviewRequest): object {
  const spec = specOf(body);
  refuse('SubjectAccessReview', [...attributeErrors(spec), ...subjectErrors(spec)]);
  return answered('SubjectAccessReview', spec, accessStatus(rbac, subjectOf(spec), spec));
}

function localSubjectAccess(rbac: Omit<Rbac, 'close'>, { body, namespace }: ReviewRequest): object {
  const spec = specOf(body);
  const metadata = isObject(body['metadata']) ? body['metadata'] : {};
  const resource = isObject(spec['resourceAttributes']) ? spec['resourceAttributes'] : undefined;
  const errors = [...attributeErrors(spec), ...subjectErrors(spec)];
  if (textOf(metadata['namespace'] ?? namespace) !== namespace)
    throw badRequest(`spec.resourceAttributes.namespace must match namespace: ${namespace}`);
  // Without this, the right to review one namespace would be the right to review them all.
  if (resource && textOf(resource['namespace']) !== namespace) {
    const field = 'spec.resourceAttributes.namespace';
    errors.push(invalidValue(field, textOf(resource['namespace']), 'must match metadata.namespace'));
  }
  if (spec['nonResourceAttributes'] !== undefined) {
    const field = 'spec.nonResourceAttributes';
    errors.push(invalidValue(field, spec['nonResourceAttributes'], 'disallowed on this kind of request'));
  }
  refuse('LocalSubjectAccessReview', errors);
  const answer = answered('LocalSubjectAccessReview', spec, accessStatus(rbac, subjectOf(spec), spec));
  return { ...answer, metadata: { namespace } };
}

function selfSubjectAccess(rbac: Omit<Rbac, 'close'>, { body, user }: ReviewRequest): object {
  const spec = specOf(body);
  refuse('SelfSubjectAccessReview', attributeErrors(spec));
  return answered('SelfSubjectAccessReview', spec, accessStatus(rbac, user, spec));
}

function selfSubjectRules(rbac: Omit<Rbac, 'close'>, { body, user }: ReviewRequest): object {
  const spec = specOf(body);
  const namespace = textOf(spec['namespace']);
  if (!namespace) throw badRequest('no namespace on request');
  const { rules, errors } = rbac.rulesFor(user, namespace);
  return answered('SelfSubjectRulesReview', spec, {
    resourceRules: rules.filter((rule) => rule.resources.length > 0).map(resourceRule),
    nonResourceRules: rules
      .filter((rule) => rule.nonResourceURLs.length > 0)
      .map(({ verbs, nonResourceURLs }) => ({ verbs, nonResourceURLs })),
    incomplete: false,
    ...(errors.length > 0 && { evaluationError: errors.join(', ') }),
  });
}

const resourceRule = ({ verbs, apiGroups, resources, resourceNames }: PolicyRule): object => ({
  verbs,
  apiGroups,
  resources,
  ...(resourceNames.length > 0 && { resourceNames }),
});

/** Who am I? `kubectl auth whoami`. */
function selfSubject({ user }: ReviewRequest): object {
  return {
    kind: 'SelfSubjectReview',
    apiVersion: `${authentication}/v1`,
    metadata: {},
    status: { userInfo: userInfo(user) },
  };
}

function tokenReview(tokens: Pick<Tokens, 'authenticate' | 'audiences'>, { body }: ReviewRequest): object {
  const spec = specOf(body);
  const token = textOf(spec['token']);
  if (!token) throw badRequest('token is required for TokenReview in authentication');
  const wanted = stringsOf(spec['audiences']);
  const answer = tokens.authenticate(token, wanted.length > 0 ? wanted : tokens.audiences);
  const status =
    'refused' in answer
      ? { user: {}, error: answer.refused }
      : { authenticated: true, user: userInfo(answer.user), audiences: answer.audiences };
  return { kind: 'TokenReview', apiVersion: `${authentication}/v1`, metadata: {}, spec, status };
}

const userInfo = ({ name, uid, groups, extra }: User): object => ({
  username: name,
  ...(uid && { uid }),
  groups,
  ...(extra && { extra }),
});

const answered = (kind: string, spec: Spec, status: object): object => ({
  kind,
  apiVersion: `${authorization}/v1`,
  metadata: {},
  spec,
  status,
});

function accessStatus(rbac: Omit<Rbac, 'close'>, user: User, spec: Spec): object {
  const { allowed, reason } = rbac.decide(user, attributesOf(spec));
  return { allowed, ...(reason && { reason }) };
}

function attributesOf(spec: Spec): Attributes {
  const resource = spec['resourceAttributes'];
  const path = isObject(spec['nonResourceAttributes']) ? spec['nonResourceAttributes'] : {};
  if (!isObject(resource)) return { verb: textOf(path['verb']), path: textOf(path['path']) };
  return {
    verb: textOf(resource['verb']),
    group: textOf(resource['group']),
    resource: textOf(resource['resource']),
    subresource: textOf(resource['subresource']),
    namespace: textOf(resource['namespace']),
    name: textOf(resource['name']),
  };
}

function subjectOf(spec: Spec): User {
  return { name: textOf(spec['user']), groups: stringsOf(spec['groups']) };
}

function attributeErrors(spec: Spec): FieldError[] {
  const resource = isObject(spec['resourceAttributes']);
  const path = isObject(spec['nonResourceAttributes']);
  if (resource !== path) return [];
  if (!resource) {
    const detail = 'exactly one of nonResourceAttributes or resourceAttributes must be specified';
    return [invalidValue('spec.resourceAttributes', null, detail)];
  }
  const detail = 'cannot be specified in combination with resourceAttributes';
  return [invalidValue('spec.nonResourceAttributes', spec['nonResourceAttributes'], detail)];
}

function subjectErrors(spec: Spec): FieldError[] {
  if (textOf(spec['user']) || stringsOf(spec['groups']).length > 0) return [];
  return [invalidValue('spec.user', '', 'at least one of user or group must be specified')];
}

function refuse(kind: string, errors: readonly FieldError[]): void {
  if (errors.length > 0) throw invalid({ group: authorization, kind }, '', errors);
}

const specOf = (body: Spec): Spec => (isObject(body['spec']) ? body['spec'] : {});
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
const stringsOf = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : [];
