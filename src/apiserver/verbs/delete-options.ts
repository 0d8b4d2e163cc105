import { isObject } from '../../base/index.ts';
import { invalidValue, notSupported } from '../../api/index.ts';
import type { FieldError } from '../../api/index.ts';
import { bodyOf } from '../request/body.ts';
import type { Call } from '../call.ts';
import { invalidOptions } from '../request/options.ts';
import type { Propagation } from '../request/options.ts';

/** metav1.DeleteOptions, from the body or the query. */
export interface Deletion {
  readonly propagation: Propagation | undefined;
  readonly gracePeriodSeconds: number | undefined;
  readonly preconditions: { readonly uid?: string; readonly resourceVersion?: string };
  readonly orphanDependents: boolean | undefined;
  readonly dryRun: boolean;
}

/** The grace period in place of a negative one, which means nothing. */
const shortestGrace = 1;
const policies = ['Foreground', 'Background', 'Orphan'];

/** Options of the hub's own deletions: dependents go in the background. */
export const backgroundDeletion: Deletion = Object.freeze({
  propagation: 'Background',
  gracePeriodSeconds: undefined,
  preconditions: {},
  orphanDependents: undefined,
  dryRun: false,
});

function optionalBody({ request }: Call): Record<string, unknown> {
  const hasBody = request.object !== undefined || (request.body !== undefined && request.body.length > 0);
  return hasBody ? bodyOf(request, false).value : {};
}

/** Reads the options of a deletion; a body wins over the query. */
export function deletionOf(call: Call): Deletion {
  const { options } = call;
  const body = optionalBody(call);
  const orphan = booleanOf(body['orphanDependents']) ?? options.orphanDependents;
  const policy = textOf(body['propagationPolicy']) || options.propagationPolicy;
  const grace = numberOf(body['gracePeriodSeconds']) ?? options.gracePeriodSeconds;
  check(policy, orphan);
  return {
    propagation: propagationOf(policy, orphan),
    gracePeriodSeconds: grace !== undefined && grace < 0 ? shortestGrace : grace,
    preconditions: preconditionsOf(body['preconditions']),
    orphanDependents: orphan,
    dryRun: options.dryRun || (Array.isArray(body['dryRun']) && body['dryRun'].includes('All')),
  };
}

function check(policy: string, orphan: boolean | undefined): void {
  const errors: FieldError[] = [];
  if (policy && orphan !== undefined) {
    const detail = 'orphanDependents and deletionPropagation cannot be both set';
    errors.push(invalidValue('propagationPolicy', policy, detail));
  }
  if (policy && !policies.includes(policy))
    errors.push(notSupported('propagationPolicy', policy, [...policies, 'nil']));
  if (errors.length > 0) throw invalidOptions('DeleteOptions', errors);
}

function propagationOf(policy: string, orphan: boolean | undefined): Propagation | undefined {
  if (policy) return policy as Propagation;
  if (orphan === undefined) return undefined;
  return orphan ? 'Orphan' : 'Background';
}

function preconditionsOf(value: unknown): Deletion['preconditions'] {
  if (!isObject(value)) return {};
  const uid = textOf(value['uid']);
  const resourceVersion = textOf(value['resourceVersion']);
  return { ...(uid && { uid }), ...(resourceVersion && { resourceVersion }) };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

function booleanOf(value: unknown): boolean | undefined {
  return typeof value === 'boolean' ? value : undefined;
}
