/**
 * Makes `__proto__` a key like any other in the whole process. Assigning to that key would otherwise set a prototype
 * and lose the value, in every `copy[key] = value` whose key a client chose. Node offers the same as
 * `--disable-proto=delete`; here it covers every entry point, worker and test.
 */
delete (Object.prototype as { __proto__?: unknown }).__proto__;

/** The same members without a prototype, for tables that are read with names from outside: `table['constructor']` is undefined. */
export function lookup<T>(members: Readonly<Record<string, T>>): Readonly<Record<string, T>> {
  return Object.freeze(Object.assign(Object.create(null) as Record<string, T>, members));
}

/** The own member of an object, for names from outside: never a member of its prototype. */
export function ownMember<T>(members: Readonly<Record<string, T>> | undefined, name: string): T | undefined {
  return members !== undefined && Object.hasOwn(members, name) ? members[name] : undefined;
}
