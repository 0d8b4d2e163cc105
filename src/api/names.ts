import { fnv32a, remembering } from '../base/index.ts';
import { executionNamespacePrefix } from './keys.ts';
import type { Ref } from './meta.ts';

const safeAlphabet = 'bcdfghjklmnpqrstvwxz2456789';

/** The decimal digits of a 32-bit hash, spelt in letters that form no words. */
export function safeHash(text: string): string {
  let spelt = '';
  for (const digit of String(fnv32a(text))) spelt += safeAlphabet[digit.charCodeAt(0) % safeAlphabet.length];
  return spelt;
}

/** The name of the binding of a template: `nginx-deployment`. */
export function bindingName({ kind, name }: Pick<Ref, 'kind' | 'name'>): string {
  return `${mayNeedChange.test(name) ? name.replaceAll(':', '.').toLowerCase() : name}-${lowerCase(kind)}`;
}

/** Nearly all names are plain; to see that is cheaper than to make a new one. */
const mayNeedChange = /[^-a-z0-9.]/;
const lowerCase = remembering((kind: string) => kind.toLowerCase());

/** The name of the Work of a template, the same in every execution namespace. */
export function workName({ kind, name, namespace }: Pick<Ref, 'kind' | 'name' | 'namespace'>): string {
  const plain = name.replaceAll(':', '.').toLowerCase();
  const hashed = `${namespace ? `${namespace}-` : ''}${name}-${kind}`.toLowerCase();
  return `${plain}-${safeHash(hashed)}`;
}

/** The namespace on the hub that holds the Works of a member. */
export function executionNamespace(member: string): string {
  return executionNamespacePrefix + member;
}

/** The member whose Works a namespace holds; undefined when it is no execution namespace. */
export function memberOfNamespace(namespace: string | undefined): string | undefined {
  return namespace?.startsWith(executionNamespacePrefix) ? namespace.slice(executionNamespacePrefix.length) : undefined;
}

/** Identifies a referring binding in the depended-by label of the bindings that it pulls along. */
export function referenceKey(binding: { readonly namespace?: string | undefined; readonly name: string }): string {
  return safeHash(binding.namespace ? `${binding.namespace}/${binding.name}` : binding.name);
}
