/** A command that cannot do what it was asked to; one line says why, and what to do next. */
export class Failure extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'Failure';
  }
}

/** A command that was called in a way it does not understand. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UsageError';
  }
}

/** A change that nobody agreed to, where nobody can be asked; --yes agrees beforehand. */
export class ConsentError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ConsentError';
  }
}

/** Errors are recognised by name here, so that this file imports none of the modules that throw them. */
interface Known extends Error {
  readonly why?: string;
  readonly status?: { readonly code?: number; readonly message?: string };
}

/** Errors of the caller, not of the world. */
const wrongUsage: ReadonlySet<string> = new Set(['UsageError', 'ConsentError', 'FlagError']);

/** The code with which the program ends after this error. */
export function exitCodeOf(error: unknown): number {
  return error instanceof Error && wrongUsage.has(error.name) ? 2 : 1;
}

/** The text of an error for a person: one line, with the next step where one is known. */
export function lineOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const text = words(error)
    .trim()
    .replaceAll(/\s*\n\s*/g, ' ');
  return text || error.name;
}

function words(error: Known): string {
  if (error.name === 'TimeoutError')
    return 'the server did not answer in time: try again, or allow more with --timeout';
  if (error.name === 'AbortError') return 'interrupted';
  if (error.name === 'Unreachable') return `${error.message}${nextStep[error.why ?? ''] ?? ''}`;
  if (error.name === 'ApiError' && error.status?.code === 401) {
    return `the hub does not know who you are (${error.message}): check the user of your kubeconfig`;
  }
  return error.message;
}

const nextStep: Readonly<Record<string, string>> = {
  refused: ': is it running? start it with `sluice up`, or choose another hub with --kubeconfig',
  unresolved: ': check the server of your kubeconfig',
  timeout: ': try again, or allow more with --timeout',
  untrusted: ': the kubeconfig trusts another authority; was the hub created again?',
  cut: ': try again',
  nonsense: ': check the server of your kubeconfig',
  excessive: ': check the server of your kubeconfig',
};
