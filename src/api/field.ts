/** The kinds of field errors, with the words that Kubernetes prints for each and the reason of its status cause. */
const fieldErrors = {
  required: ['Required value', 'FieldValueRequired'],
  invalid: ['Invalid value', 'FieldValueInvalid'],
  typeInvalid: ['Invalid value', 'FieldValueTypeInvalid'],
  notSupported: ['Unsupported value', 'FieldValueNotSupported'],
  duplicate: ['Duplicate value', 'FieldValueDuplicate'],
  notFound: ['Not found', 'FieldValueNotFound'],
  forbidden: ['Forbidden', 'FieldValueForbidden'],
  tooLong: ['Too long', 'FieldValueTooLong'],
  tooMany: ['Too many', 'FieldValueTooMany'],
  internal: ['Internal error', 'InternalError'],
} as const;

/** The kinds of field errors of Kubernetes. */
export type FieldErrorType = keyof typeof fieldErrors;

/** One thing that is wrong with one field; `field` is its path, as `spec.template.spec.containers[0].image`. */
export interface FieldError {
  readonly type: FieldErrorType;
  readonly field: string;
  readonly value?: unknown;
  readonly detail?: string;
}

const withoutValue: ReadonlySet<FieldErrorType> = new Set(['required', 'forbidden', 'tooLong', 'internal']);

/** `Invalid value: "x": must be …`: the error without its path. */
export function fieldErrorBody(error: FieldError): string {
  const words = fieldErrors[error.type][0];
  const head = withoutValue.has(error.type) ? words : `${words}: ${valueText(error.value)}`;
  return error.detail ? `${head}: ${error.detail}` : head;
}

/** `spec.replicas: Invalid value: -1: must be greater than or equal to 0` */
export function fieldErrorText(error: FieldError): string {
  return error.field ? `${error.field}: ${fieldErrorBody(error)}` : fieldErrorBody(error);
}

/** The reason of the cause that stands for this error in a Status. */
export function fieldErrorReason(error: FieldError): string {
  return fieldErrors[error.type][1];
}

function valueText(value: unknown): string {
  return value === undefined ? '"null"' : JSON.stringify(value);
}

/** A field that must be set. */
export function required(field: string, detail = ''): FieldError {
  return { type: 'required', field, detail };
}

/** A field whose value is not acceptable. */
export function invalidValue(field: string, value: unknown, detail: string): FieldError {
  return { type: 'invalid', field, value, detail };
}

/** A field whose value is not in a closed set. */
export function notSupported(field: string, value: unknown, supported: readonly string[]): FieldError {
  const detail = `supported values: ${supported.map((item) => JSON.stringify(item)).join(', ')}`;
  return { type: 'notSupported', field, value, detail };
}

/** A field that must not be set, or not changed. */
export function forbiddenField(field: string, detail: string): FieldError {
  return { type: 'forbidden', field, detail };
}

/** A value that occurs twice where it must be unique. */
export function duplicateValue(field: string, value: unknown): FieldError {
  return { type: 'duplicate', field, value };
}

/** A value with more bytes than allowed. */
export function tooLong(field: string, maximum: number): FieldError {
  return { type: 'tooLong', field, detail: `may not be more than ${maximum} bytes` };
}

/** A list with more items than allowed. */
export function tooMany(field: string, actual: number, maximum: number): FieldError {
  return { type: 'tooMany', field, value: actual, detail: `must have at most ${maximum} items` };
}

/** A change of a field that never changes. */
export function immutable(field: string, value: unknown): FieldError {
  return invalidValue(field, value, 'field is immutable');
}
