const decimal = /^[1-9]\d*$/;

/**
 * Compares two resourceVersions: below 0 when the first is older, 0 when they are the same. Undefined when they cannot
 * be compared: not every extension server counts.
 */
export function compareRevisions(a: string, b: string): number | undefined {
  if (a === b) return 0;
  if (!decimal.test(a) || !decimal.test(b)) return undefined;
  if (a.length !== b.length) return a.length - b.length;
  return a < b ? -1 : 1;
}
