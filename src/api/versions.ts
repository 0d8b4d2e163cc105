const stages = ['alpha', 'beta', ''];

/** Sorts API versions as Kubernetes prefers them: v2, v1, v1beta2, v1beta1, v1alpha1, then anything else by name. */
export function compareVersions(a: string, b: string): number {
  const left = parse(a);
  const right = parse(b);
  if (!left || !right) return left ? -1 : right ? 1 : a < b ? -1 : Number(a > b);
  return right.stage - left.stage || right.major - left.major || right.minor - left.minor;
}

function parse(version: string): { stage: number; major: number; minor: number } | undefined {
  const match = /^v([1-9]\d*)(?:(alpha|beta)([1-9]\d*))?$/.exec(version);
  if (!match) return undefined;
  return { major: Number(match[1]), stage: stages.indexOf(match[2] ?? ''), minor: Number(match[3] ?? 0) };
}
