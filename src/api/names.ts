import { digest, fnv32a, remembering } from '../base/index.ts';
import { executionNamespacePrefix } from './keys.ts';
import { groupOf } from './meta.ts';
import type { Ref } from './meta.ts';

const safeAlphabet = 'bcdfghjklmnpqrstvwxz2456789';

/** The decimal digits of a 32-bit hash, spelt in letters that form no words. */
export function safeHash(text: string): string {
  let spelt = '';
  for (const digit of String(fnv32a(text))) spelt += safeAlphabet[digit.charCodeAt(0) % safeAlphabet.length];
  return spelt;
}

/** A name has at most so many characters. */
const longestName = 253;
const hashLength = 16;

/** The plain name of the binding of a template: `nginx-deployment`. A name that a binding cannot have gets a hash. */
export function bindingName({ kind, name }: Pick<Ref, 'kind' | 'name'>): string {
  const isPlain = !mayNeedChange.test(name);
  const plain = `${isPlain ? name : name.replaceAll(':', '.').toLowerCase()}-${lowerCase(kind)}`;
  return isName(plain, isPlain) ? plain : distinctName(plain, `${kind}/${name}`);
}

/** The name of the binding of a template whose plain name another object has: no two objects share it. */
export function distinctBindingName({ apiVersion, kind, name }: Pick<Ref, 'apiVersion' | 'kind' | 'name'>): string {
  return distinctName(bindingName({ kind, name }), `${groupOf(apiVersion)}/${kind}/${name}`);
}

/** Nearly all names are plain; to see that is cheaper than to make a new one. */
const mayNeedChange = /[^-a-z0-9.]/;
const lowerCase = remembering((kind: string) => kind.toLowerCase());
const subdomain = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;

function isName(text: string, isPlain: boolean): boolean {
  return text.length <= longestName && (isPlain || subdomain.test(text));
}

/** As much of a text as a name takes, with a hash of the thing itself. */
function distinctName(text: string, thing: string): string {
  const clean = text
    .toLowerCase()
    .replaceAll(/[^a-z0-9.]+/g, '-')
    .replaceAll(/-*\.[-.]*/g, '.');
  const cut = clean.slice(0, longestName - hashLength - 1).replaceAll(/^[-.]+|[-.]+$/g, '');
  const hash = digest(thing).slice(0, hashLength);
  return cut === '' ? hash : `${cut}-${hash}`;
}

/** The plain name of the Work of a template, the same in every execution namespace. */
export function workName({ kind, name, namespace }: Pick<Ref, 'kind' | 'name' | 'namespace'>): string {
  const isPlain = !mayNeedChange.test(name);
  const plain = isPlain ? name : name.replaceAll(':', '.').toLowerCase();
  const hashed = `${namespace ? `${namespace}-` : ''}${name}-${kind}`.toLowerCase();
  const work = `${plain}-${safeHash(hashed)}`;
  return isName(work, isPlain) ? work : distinctName(plain, `${namespace ?? ''}/${kind}/${name}`);
}

/** The name of the Works of a binding that has not the plain name of its template. */
export function distinctWorkName(binding: { readonly namespace?: string | undefined; readonly name: string }): string {
  return distinctName(binding.name, `${binding.namespace ?? ''}/${binding.name}`);
}

/** The namespace on the hub that has the Works of a member. */
export function executionNamespace(member: string): string {
  return executionNamespacePrefix + member;
}

/** The member whose Works a namespace has; undefined when it is not an execution namespace. */
export function memberOfNamespace(namespace: string | undefined): string | undefined {
  return namespace?.startsWith(executionNamespacePrefix) ? namespace.slice(executionNamespacePrefix.length) : undefined;
}

/** Identifies a referring binding in the depended-by label of the bindings of its dependencies. */
export function referenceKey(binding: { readonly namespace?: string | undefined; readonly name: string }): string {
  return safeHash(binding.namespace ? `${binding.namespace}/${binding.name}` : binding.name);
}
