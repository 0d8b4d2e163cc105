/** One cause of a Status, as `details.causes[]` carries it. */
export interface PatchCause {
  readonly reason: string;
  readonly message: string;
  readonly field?: string;
}

/** The parts of a failed Status that a patch can decide: the request's lifecycle turns it into a reply. */
export interface PatchFailure {
  readonly code: 400 | 409 | 413 | 422 | 500;
  readonly reason: string;
  readonly message: string;
  /** What exactly went wrong, where the reply's message is a general one. */
  readonly detail?: string;
  readonly causes?: readonly PatchCause[];
}

/** A patch that cannot be applied, in the words and with the code of a Kubernetes API server. */
export class PatchError extends Error implements PatchFailure {
  readonly code: PatchFailure['code'];
  readonly reason: string;
  readonly detail: string;
  readonly causes: readonly PatchCause[];

  constructor(failure: PatchFailure) {
    super(failure.message);
    this.name = 'PatchError';
    this.code = failure.code;
    this.reason = failure.reason;
    this.detail = failure.detail ?? failure.message;
    this.causes = failure.causes ?? [];
  }
}

/** The patch itself is malformed. */
export function badPatch(message: string): PatchError {
  return new PatchError({ code: 400, reason: 'BadRequest', message });
}

/** The patch is well-formed but does not fit this object; Kubernetes keeps the detail to itself. */
export function unprocessablePatch(detail: string): PatchError {
  const message = 'the server rejected our request due to an error in our request';
  return new PatchError({ code: 422, reason: 'Invalid', message, detail });
}

/** A failure for which Kubernetes has no better answer than 500. */
export function failedPatch(message: string): PatchError {
  return new PatchError({ code: 500, reason: 'InternalError', message });
}
