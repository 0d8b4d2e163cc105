/**
 * Why a path may not be passed on to a member; undefined when it may. A member can stand behind a gateway with a path of
 * its own: a path that climbs would reach the neighbour with the token for this member.
 */
export function whyNoPath(path: string): string | undefined {
  let text = path;
  try {
    // Encoded twice it may still be decoded on the way.
    for (let next = decodeURIComponent(text); next !== text; next = decodeURIComponent(text)) text = next;
  } catch {
    if (text === path) return 'the path is not encoded as a URL';
  }
  if (text.split(/[/\\]/).some((part) => part === '.' || part === '..')) return 'the path must not contain . or ..';
  return undefined;
}
