/** The annotations of an object have at most so many bytes in all, keys and values. */
export const annotationBytes = 262_144;

/** Tells whether an object can have these annotations. */
export function fitAnnotations(annotations: Readonly<Record<string, string>> | undefined): boolean {
  let length = 0;
  for (const key in annotations) length += key.length + (annotations[key]?.length ?? 0);
  // No character takes more than three bytes a unit.
  if (length * 3 <= annotationBytes) return true;
  let bytes = 0;
  for (const key in annotations) bytes += byteLength(key) + byteLength(annotations[key] ?? '');
  return bytes <= annotationBytes;
}

/** The length of a text in UTF-8. */
function byteLength(text: string): number {
  let bytes = 0;
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  }
  return bytes;
}
