/** The second that was asked for last: a busy hub asks thousands of times for the same. */
let last = { second: Number.NaN, text: '' };

/** RFC 3339 to the second, as Kubernetes writes metav1.Time. */
export function timestamp(milliseconds: number): string {
  const second = Math.floor(milliseconds / 1000);
  if (second !== last.second) last = { second, text: `${new Date(milliseconds).toISOString().slice(0, 19)}Z` };
  return last.text;
}

/** RFC 3339 to the microsecond, as Kubernetes writes metav1.MicroTime. */
export function microTimestamp(milliseconds: number): string {
  return `${new Date(milliseconds).toISOString().slice(0, 23)}000Z`;
}
