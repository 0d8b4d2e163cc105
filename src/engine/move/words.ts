/** For which clusters a move waits, and which keep their old copy. */
export interface MovingNames {
  readonly awaited: readonly string[];
  readonly kept: readonly string[];
}

/** `waits for member2, member1 kept`. */
export function movingWords({ awaited, kept }: MovingNames): string {
  const left = awaited.length > 0 ? awaited.join(', ') : 'a cluster that fits';
  return `waits for ${left}, ${kept.join(', ')} kept`;
}
