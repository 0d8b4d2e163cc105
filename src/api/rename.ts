/** A JSON object whose members have not been looked at yet. */
export type Bag = Readonly<Record<string, unknown>>;

/** The object with some members under new names. */
export function rename(object: Bag, names: ReadonlyMap<string, string>): Bag {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [names.get(key) ?? key, value]));
}

/** The members that have a value. */
export function present(object: Bag): Bag {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined));
}

/** A value as an object; anything else counts as an empty one. */
export function bag(value: unknown): Bag {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Bag) : {};
}

/** A value as a list of objects; anything else counts as an empty one. */
export function bags(value: unknown): readonly Bag[] {
  return Array.isArray(value) ? value.map(bag) : [];
}
