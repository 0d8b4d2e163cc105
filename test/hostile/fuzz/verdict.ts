/**
 * Tells which answers are failures. A 5xx is one, unless kube-apiserver gives it too: those are listed here, with the
 * reason.
 */
import { METHODS } from 'node:http';
import type { Reply } from './send.ts';
import type { FuzzRequest } from './request.ts';

interface Explained {
  readonly status: number;
  readonly when: (request: FuzzRequest, reply: Reply) => boolean;
  readonly why: string;
}

/** Every 5xx that counts as an answer. */
export const explained: readonly Explained[] = [
  {
    status: 504,
    when: ({ method, query }, { body }) =>
      body.includes('Too large resource version') || (method === 'HEAD' && query.includes('resourceVersion=')),
    why: 'kube-apiserver waits for a resourceVersion that it has not reached, then answers 504 Timeout',
  },
  {
    status: 500,
    when: (_, { body }) => body.includes('failed to create typed patch object'),
    why: 'kube-apiserver answers 500 to a server-side apply that does not fit the schema',
  },
  {
    status: 500,
    when: (_, { body }) => body.includes('resourceVersion should not be set on objects to be created'),
    why: 'kube-apiserver answers 500 to a create that names a resourceVersion',
  },
  {
    status: 500,
    when: ({ headers }, { body }) =>
      headers['content-type'] === 'application/strategic-merge-patch+json' && strategicWords.test(body),
    why: 'kube-apiserver answers 500 to a strategic patch with a directive or a list that it cannot read',
  },
];

/** The words of kube-apiserver, as recorded from it in test/golden/patch. */
const strategicWords =
  /"message":"(?:unknown patch type: |The order in patch list:|merging lists cannot yet be specified|expected a \[\]interface|map: .* does not contain declared merge key|list element types are not identical|unable to find api field in struct )/s;

/** Why this answer is a failure; undefined when it is none. */
export function failureOf(request: FuzzRequest, reply: Reply): string | undefined {
  if (reply.status === 0) return isRefusedByParser(request, reply) ? undefined : (reply.fault ?? 'no answer');
  if (reply.status < 500) return reply.fault;
  if (explained.some(({ status, when }) => status === reply.status && when(request, reply))) return undefined;
  return `${reply.status}: ${reply.fault ?? reply.body.slice(0, 500)}`;
}

/** A method that HTTP does not know never reaches the hub: the parser closes the connection, maybe while the body is sent. */
function isRefusedByParser({ method }: FuzzRequest, { fault }: Reply): boolean {
  return fault !== 'hang' && !METHODS.includes(method);
}

/** The first words and frames of a failure: failures that share them have one cause. */
export function causeOf(why: string): string {
  return why
    .split('\n')
    .slice(0, 3)
    .join('|')
    .replaceAll(/"[^"]*"|\d+/g, '')
    .slice(0, 300);
}
