import { randomUUID } from 'node:crypto';
import type { KubeObject } from '../../api/index.ts';
import type { ResourceAttributes } from '../../auth/index.ts';
import { authorizerOf, celValue } from '../../schema/index.ts';
import type { AskRight } from '../../schema/index.ts';
import type { Guard } from '../access/guard.ts';
import type { AdmissionReview } from '../request/admission.ts';
import { namespaceOf } from './match.ts';
import type { MatchParts } from './match.ts';

/** A request of `admission.k8s.io/v1`; the answer repeats its uid. */
export interface AdmissionRequest extends Readonly<Record<string, unknown>> {
  readonly uid: string;
}

/** A write as `admission.k8s.io/v1` describes it to policies and webhooks. */
export function admissionRequest(review: AdmissionReview): AdmissionRequest {
  const { kind, operation, name, namespace, subresource, user, dryRun } = review;
  const { group, version } = kind;
  const named = { group, version, kind: kind.kind };
  const resource = { group, version, resource: kind.plural };
  return {
    uid: randomUUID(),
    kind: named,
    resource,
    ...(subresource && { subResource: subresource }),
    requestKind: named,
    requestResource: resource,
    ...(subresource && { requestSubResource: subresource }),
    ...(name && { name }),
    ...(namespace && { namespace }),
    operation,
    userInfo: {
      username: user.name,
      ...(user.uid && { uid: user.uid }),
      groups: user.groups,
      ...(user.extra && { extra: user.extra }),
    },
    dryRun,
    options: { apiVersion: 'meta.k8s.io/v1', kind: `${optionNames[operation]}Options` },
  };
}

const optionNames = { CREATE: 'Create', UPDATE: 'Update', DELETE: 'Delete', CONNECT: 'Connect' } as const;

/** The parts of the hub that the variables of expressions are made of. */
export interface VariableParts extends MatchParts {
  readonly allows: Guard['allows'];
}

/** The variables of expressions about a write, without parameters. */
export function variablesOf(review: AdmissionReview, parts: VariableParts): Record<string, unknown> {
  const { kind, namespace, object, old } = review;
  const around = kind.group === '' && kind.plural === 'namespaces' ? undefined : namespaceOf(namespace, parts);
  return {
    object: seen(object, review),
    oldObject: seen(old, review),
    request: celValue(admissionRequest(review)),
    namespaceObject: around ? celValue(around) : null,
    authorizer: authorizerOf(askerOf(review, parts)),
  };
}

function seen(object: KubeObject | undefined, { kind }: AdmissionReview): unknown {
  if (!object) return null;
  const apiVersion = kind.group === '' ? kind.version : `${kind.group}/${kind.version}`;
  return celValue({ ...object, apiVersion, kind: kind.kind });
}

function askerOf({ user }: AdmissionReview, { allows }: VariableParts): AskRight {
  return (right) => {
    const { verb, group, resource, subresource, namespace, name } = right;
    const attributes: ResourceAttributes = { verb, group, resource, subresource, namespace, name };
    return { allowed: right.path === '' && allows(user, attributes), reason: '' };
  };
}
