import { ApiError, codeOf } from '../api/index.ts';
import type { StatusDetails, StatusReason } from '../api/index.ts';

interface PatchFailure {
  readonly reason: StatusReason | '';
  readonly message: string;
  /** The exact failure, where the message is a general one. */
  readonly detail?: string;
  readonly details?: StatusDetails;
}

/** A patch that cannot be applied, in the words and with the code of a Kubernetes API server. */
export class PatchError extends ApiError {
  readonly detail: string;

  constructor({ reason, message, detail, details }: PatchFailure) {
    super({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message,
      ...(reason && { reason }),
      ...(details && { details }),
      code: reason ? codeOf[reason] : 500,
    });
    this.name = 'PatchError';
    this.detail = detail ?? message;
  }
}

/** The patch itself is malformed. */
export function badPatch(message: string): PatchError {
  return new PatchError({ reason: 'BadRequest', message });
}

/** The patch is well-formed but does not fit this object; Kubernetes keeps the detail to itself. */
export function unprocessablePatch(detail: string): PatchError {
  const message = 'the server rejected our request due to an error in our request';
  return new PatchError({ reason: 'Invalid', message, detail, details: {} });
}

/** A failure for which Kubernetes has no reason to give, and answers 500. */
export function failedPatch(message: string): PatchError {
  return new PatchError({ reason: '', message });
}
