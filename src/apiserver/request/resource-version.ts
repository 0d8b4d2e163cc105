import { ApiError, badRequest, expired, forbiddenField, notSupported, timeout } from '../../api/index.ts';
import type { FieldError } from '../../api/index.ts';
import { invalidOptions } from './options.ts';
import type { Options } from './options.ts';

/** The number in a resourceVersion; 0 for none. */
export function revisionOf(resourceVersion: string): number {
  if (resourceVersion === '' || resourceVersion === '0') return 0;
  if (/^[1-9]\d{0,15}$/.test(resourceVersion)) return Number(resourceVersion);
  const text = JSON.stringify(resourceVersion);
  throw badRequest(
    `invalid resource version: resourceVersion: Invalid value: ${text}: strconv.ParseUint: parsing ${text}: invalid syntax`,
  );
}

/** A resourceVersion that we have not reached yet can only come from another past: say so at once. */
export function requireReached(resourceVersion: string, current: number): number {
  const wanted = revisionOf(resourceVersion);
  if (wanted <= current) return wanted;
  const { status } = timeout(`Too large resource version: ${wanted}, current: ${current}`, 1);
  const causes = [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }];
  throw new ApiError({ ...status, details: { ...status.details, causes } });
}

/** The 410 of a start that has been compacted away. */
export function tooOld(wanted: number, oldest: number): ApiError {
  return expired(`too old resource version: ${wanted} (${oldest})`);
}

/** Where a continued list goes on. */
export interface Continuation {
  /** -1: at whatever is newest, after the first pages' revision was compacted away. */
  readonly revision: number;
  readonly after: string;
}

/** An opaque token that the client sends back as it is. */
export function encodeContinue({ revision, after }: Continuation): string {
  return Buffer.from(JSON.stringify({ v: 'meta.k8s.io/v1', rv: revision, start: after })).toString('base64url');
}

/** Reads a token; `prefix` is put before the relative key in it. */
export function decodeContinue(token: string): Continuation {
  try {
    const { v, rv, start } = JSON.parse(Buffer.from(token, 'base64url').toString('utf8')) as Record<string, unknown>;
    if (v === 'meta.k8s.io/v1' && typeof rv === 'number' && typeof start === 'string')
      return { revision: rv, after: start };
  } catch {
    // Falls through: a token is always JSON.
  }
  throw badRequest('invalid continue token: continue key is not valid: it is no token of this server');
}

/** The 410 of a token that is too old, with a fresh one to go on inconsistently. */
export function expiredContinue(after: string): ApiError {
  const { status } = expired(
    'The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the continue token in ' +
      'this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between ' +
      'the time the first chunk was returned and now may show up in the list.',
  );
  return new ApiError({ ...status, metadata: { continue: encodeContinue({ revision: -1, after }) } });
}

/** Refuses combinations of list and watch options that mean nothing. */
export function checkListOptions(options: Options, isWatch: boolean): void {
  const errors = isWatch ? watchErrors(options) : listErrors(options);
  if (errors.length > 0) throw invalidOptions('ListOptions', errors);
}

const match = 'resourceVersionMatch';

function listErrors(options: Options): FieldError[] {
  const { resourceVersionMatch, resourceVersion, sendInitialEvents } = options;
  const errors: FieldError[] = [];
  if (sendInitialEvents !== undefined)
    errors.push(forbiddenField('sendInitialEvents', 'sendInitialEvents is forbidden for list'));
  if (resourceVersionMatch === '') return errors;
  if (options.continue)
    errors.push(forbiddenField(match, 'resourceVersionMatch is forbidden when continue is provided'));
  if (resourceVersion === '')
    errors.push(forbiddenField(match, 'resourceVersionMatch is forbidden unless resourceVersion is provided'));
  if (resourceVersionMatch !== 'Exact' && resourceVersionMatch !== 'NotOlderThan') {
    errors.push(notSupported(match, resourceVersionMatch, ['Exact', 'NotOlderThan', '']));
  }
  if (resourceVersionMatch === 'Exact' && resourceVersion === '0') {
    errors.push(forbiddenField(match, 'resourceVersionMatch "exact" is forbidden for resourceVersion "0"'));
  }
  return errors;
}

function watchErrors(options: Options): FieldError[] {
  const { resourceVersionMatch, sendInitialEvents } = options;
  const errors: FieldError[] = [];
  if (sendInitialEvents === undefined && resourceVersionMatch !== '') {
    errors.push(
      forbiddenField(match, 'resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided'),
    );
  }
  if (sendInitialEvents !== undefined && resourceVersionMatch !== 'NotOlderThan') {
    errors.push(
      resourceVersionMatch === ''
        ? forbiddenField(match, 'sendInitialEvents requires setting resourceVersionMatch to NotOlderThan')
        : notSupported(match, resourceVersionMatch, ['NotOlderThan']),
    );
  }
  return errors;
}
