import type { Environment } from '@marcbachmann/cel-js';

/** A right that an expression asks about. */
export interface RightAsked {
  readonly verb: string;
  readonly path: string;
  readonly group: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
}

/** Tells whether the user has a right, and why. */
export type AskRight = (right: RightAsked) => { readonly allowed: boolean; readonly reason: string };

const nothing: RightAsked = { verb: '', path: '', group: '', resource: '', subresource: '', namespace: '', name: '' };

/** A question about a right, as far as an expression has put it. */
class Check {
  readonly ask: AskRight;
  readonly right: RightAsked;
  constructor(ask: AskRight, right: RightAsked) {
    this.ask = ask;
    this.right = right;
  }
}
class Authorizer extends Check {}
class PathCheck extends Check {}
class GroupCheck extends Check {}
class ResourceCheck extends Check {}

/** The answer to a question about a right. */
class Verdict {
  readonly isAllowed: boolean;
  readonly why: string;
  constructor(isAllowed: boolean, why: string) {
    this.isAllowed = isAllowed;
    this.why = why;
  }
}

/** The variable `authorizer` of a request. */
export function authorizerOf(ask: AskRight): object {
  return new Authorizer(ask, nothing);
}

const sync = { async: false } as const;

/** A function that adds one part of the question. */
function narrowing(Made: typeof Check, field: keyof RightAsked): (check: Check, value: string) => Check {
  return (check, value) => new Made(check.ask, { ...check.right, [field]: value });
}

/** Declares `authorizer` and the functions that ask about rights. */
export function registerAuthorizer(env: Environment): void {
  for (const [name, ctor] of Object.entries({ Authorizer, PathCheck, GroupCheck, ResourceCheck, Verdict })) {
    env.registerType(name, { ctor, fields: {} } as never);
  }
  env.registerVariable('authorizer', 'Authorizer');
  const on = (signature: string, run: (...args: never[]) => unknown): unknown =>
    env.registerFunction(signature, run as never, sync);
  on('Authorizer.path(string): PathCheck', narrowing(PathCheck, 'path'));
  on('Authorizer.group(string): GroupCheck', narrowing(GroupCheck, 'group'));
  on('GroupCheck.resource(string): ResourceCheck', narrowing(ResourceCheck, 'resource'));
  for (const field of ['subresource', 'namespace', 'name'] as const) {
    on(`ResourceCheck.${field}(string): ResourceCheck`, narrowing(ResourceCheck, field));
  }
  for (const type of ['PathCheck', 'ResourceCheck']) {
    on(`${type}.check(string): Verdict`, ({ ask, right }: Check, verb: string) => {
      const { allowed, reason } = ask({ ...right, verb });
      return new Verdict(allowed, reason);
    });
  }
  on('Verdict.allowed(): bool', (verdict: Verdict) => verdict.isAllowed);
  on('Verdict.errored(): bool', () => false);
  on('Verdict.error(): string', () => '');
  on('Verdict.reason(): string', (verdict: Verdict) => verdict.why);
}
