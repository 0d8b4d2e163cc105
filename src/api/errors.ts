import { fieldErrorBody, fieldErrorReason, fieldErrorText } from './field.ts';
import type { FieldError } from './field.ts';

/** The HTTP code of every reason that the API answers with. */
export const codeOf = {
  BadRequest: 400,
  Unauthorized: 401,
  Forbidden: 403,
  NotFound: 404,
  MethodNotAllowed: 405,
  NotAcceptable: 406,
  AlreadyExists: 409,
  Conflict: 409,
  Gone: 410,
  Expired: 410,
  RequestEntityTooLarge: 413,
  UnsupportedMediaType: 415,
  Invalid: 422,
  TooManyRequests: 429,
  InternalError: 500,
  ServerTimeout: 500,
  ServiceUnavailable: 503,
  Timeout: 504,
} as const;

/** The reasons of a Kubernetes Status that this API uses. */
export type StatusReason = keyof typeof codeOf;

/** One cause in the details of a Status. */
export interface StatusCause {
  readonly reason?: string;
  readonly message?: string;
  readonly field?: string;
}

/** The object that a Status is about, and its causes. */
export interface StatusDetails {
  readonly name?: string;
  readonly group?: string;
  readonly kind?: string;
  readonly uid?: string;
  readonly causes?: readonly StatusCause[];
  readonly retryAfterSeconds?: number;
}

/** metav1.Status, the body of every failure and of some deletions. */
export interface Status {
  readonly kind: 'Status';
  readonly apiVersion: 'v1';
  readonly metadata: { readonly continue?: string; readonly resourceVersion?: string };
  readonly status: 'Success' | 'Failure';
  readonly message?: string;
  readonly reason?: string;
  readonly details?: StatusDetails;
  readonly code?: number;
}

/** A failure of the API, as the caller sees it. */
export class ApiError extends Error {
  readonly status: Status;
  constructor(status: Status, options?: ErrorOptions) {
    super(status.message ?? status.reason ?? 'unknown', options);
    this.name = 'ApiError';
    this.status = status;
  }

  get code(): number {
    return this.status.code ?? 500;
  }

  get reason(): string {
    return this.status.reason ?? '';
  }
}

/** The name of a resource in messages: `deployments.apps`, `pods`. */
export interface ResourceName {
  readonly group: string;
  readonly plural: string;
}

/** The name of a kind in messages: `Deployment.apps`, `Pod`. */
export interface KindName {
  readonly group: string;
  readonly kind: string;
}

/** A failure with this reason; the code follows from it. */
export function failure(reason: StatusReason, message: string, details?: StatusDetails): ApiError {
  return new ApiError({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message,
    reason,
    ...(details && { details }),
    code: codeOf[reason],
  });
}

/** Tells whether an error is a failure with that reason. */
export function hasReason(error: unknown, reason: StatusReason): error is ApiError {
  return error instanceof ApiError && error.status.reason === reason;
}

function qualified(name: string, group: string): string {
  return group ? `${name}.${group}` : name;
}

/** `deployments.apps` */
export function resourceText(resource: ResourceName): string {
  return qualified(resource.plural, resource.group);
}

function detailsOf(resource: ResourceName, name: string): StatusDetails {
  return { ...(name && { name }), ...(resource.group && { group: resource.group }), kind: resource.plural };
}

/** `deployments.apps "web" not found` */
export function notFound(resource: ResourceName, name: string): ApiError {
  return failure('NotFound', `${resourceText(resource)} "${name}" not found`, detailsOf(resource, name));
}

/** A path that leads to nothing. */
export function unknownResource(): ApiError {
  return failure('NotFound', 'the server could not find the requested resource', {});
}

/** `deployments.apps "web" already exists` */
export function alreadyExists(resource: ResourceName, name: string): ApiError {
  return failure('AlreadyExists', `${resourceText(resource)} "${name}" already exists`, detailsOf(resource, name));
}

/** No free name was found for a generateName. */
export function generatedNameTaken(resource: ResourceName, name: string): ApiError {
  const taken = alreadyExists(resource, name).message;
  const message = `${taken}, the server was not able to generate a unique name for the object`;
  return failure('AlreadyExists', message, { ...detailsOf(resource, name), retryAfterSeconds: 1 });
}

/** Kubernetes' message for a write with an old resourceVersion. */
export const staleObject =
  'the object has been modified; please apply your changes to the latest version and try again';

/** `Operation cannot be fulfilled on deployments.apps "web": …` */
export function conflict(resource: ResourceName, name: string, why: string = staleObject): ApiError {
  const message = `Operation cannot be fulfilled on ${resourceText(resource)} "${name}": ${why}`;
  return failure('Conflict', message, detailsOf(resource, name));
}

/** Server-side apply met fields of other managers; one cause a field. */
export function applyConflict(message: string, causes: readonly StatusCause[]): ApiError {
  return failure('Conflict', message, { causes });
}

/** `Deployment.apps "web" is invalid: spec.selector: Required value` */
export function invalid(kind: KindName, name: string, errors: readonly FieldError[]): ApiError {
  const texts = [...new Set(errors.map(fieldErrorText))];
  const head = `${qualified(kind.kind, kind.group)} "${name}" is invalid`;
  const message = texts.length === 0 ? head : `${head}: ${texts.length === 1 ? texts[0] : `[${texts.join(', ')}]`}`;
  const causes = errors.map((error) => ({
    reason: fieldErrorReason(error),
    message: fieldErrorBody(error),
    field: error.field,
  }));
  return failure('Invalid', message, {
    ...(name && { name }),
    ...(kind.group && { group: kind.group }),
    ...(kind.kind && { kind: kind.kind }),
    ...(causes.length > 0 && { causes }),
  });
}

/** The request itself makes no sense. */
export function badRequest(message: string): ApiError {
  return failure('BadRequest', message);
}

/** The caller did not say who it is. */
export function unauthorized(message = 'Unauthorized'): ApiError {
  return failure('Unauthorized', message);
}

/** `deployments.apps "web" is forbidden: User "jane" cannot …` */
export function forbidden(resource: ResourceName, name: string, why: string): ApiError {
  const subject = name ? `${resourceText(resource)} "${name}"` : resourceText(resource);
  const message = subject ? `${subject} is forbidden: ${why}` : `forbidden: ${why}`;
  return failure('Forbidden', message, detailsOf(resource, name));
}

/** The requested state is gone for good. */
export function gone(message: string): ApiError {
  return failure('Gone', message);
}

/** A resourceVersion or continue token that is too old to serve. */
export function expired(message: string): ApiError {
  return failure('Expired', message);
}

/** `delete is not supported on resources of kind "componentstatuses"` */
export function methodNotSupported(resource: ResourceName, action: string): ApiError {
  const message = `${action} is not supported on resources of kind "${resourceText(resource)}"`;
  return failure('MethodNotAllowed', message, detailsOf(resource, ''));
}

/** The request cannot have this Content-Type. */
export function unsupportedMediaType(accepted: readonly string[]): ApiError {
  const message = `the body of the request was in an unknown format - accepted media types include: ${accepted.join(', ')}`;
  return failure('UnsupportedMediaType', message);
}

/** None of the representations in Accept can be served. */
export function notAcceptable(offered: readonly string[]): ApiError {
  return failure('NotAcceptable', `406: Not Acceptable\n\nAvailable representations: ${offered.join(', ')}`, {});
}

/** The body is larger than the server takes. */
export function tooLarge(limit: number): ApiError {
  return failure('RequestEntityTooLarge', `Request entity too large: limit is ${limit}`);
}

/** The object is larger than the store takes, in the words of etcd, by which clients know it. */
export function storedTooLarge(): ApiError {
  return failure('RequestEntityTooLarge', 'etcdserver: request is too large');
}

/** Slow down. */
export function tooManyRequests(message: string, retryAfterSeconds: number): ApiError {
  return failure('TooManyRequests', message, { retryAfterSeconds });
}

/** Not now: try again later. */
export function serviceUnavailable(message: string, retryAfterSeconds?: number): ApiError {
  return failure('ServiceUnavailable', message, retryAfterSeconds === undefined ? undefined : { retryAfterSeconds });
}

/** An internal failure that the caller cannot fix. */
export function internalError(message: string): ApiError {
  return failure('InternalError', `Internal error occurred: ${message}`, { causes: [{ message }] });
}

/** A failure for which Kubernetes has words but no reason. */
export function unexplained(message: string): ApiError {
  return new ApiError({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, code: 500 });
}

/** The server is too busy to finish, and nothing was done: `The list operation against pods could not be completed …` */
export function serverTimeout(resource: ResourceName, operation: string, retryAfterSeconds: number): ApiError {
  const message = `The ${operation} operation against ${resourceText(resource)} could not be completed at this time, please try again.`;
  return failure('ServerTimeout', message, { ...detailsOf(resource, ''), retryAfterSeconds });
}

/** The time for the request ran out; it may or may not have been done. */
export function timeout(message: string, retryAfterSeconds: number): ApiError {
  return failure('Timeout', `Timeout: ${message}`, { retryAfterSeconds });
}

/** The answer of a deletion that left nothing to show. */
export function success(resource: ResourceName, name: string, uid?: string): Status {
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Success',
    details: { ...detailsOf(resource, name), ...(uid && { uid }) },
  };
}
