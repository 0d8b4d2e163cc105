import type { Environment } from '@marcbachmann/cel-js';

/** The word before the dot in `sets.contains(a, b)`; it carries nothing but its name. */
abstract class Namespace {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

/** Makes a name under which functions stand; returns the type on which to register them. */
export function registerNamespace(env: Environment, name: string): string {
  const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}Namespace`;
  const Own = class extends Namespace {};
  env.registerType(type, Own);
  env.registerConstant(name, type, new Own(name));
  return type;
}
