/** Characters of all warnings of one answer; kube-apiserver's number. */
const mostCharacters = 4096;
/** Characters of a single warning once all of them together are too long; kube-apiserver's number. */
const mostInOne = 256;

/** Texts for Warning headers; more than this many unknown or repeated fields of one object are not counted, as in Kubernetes. */
export const mostFieldWarnings = 100;

/**
 * The values of the Warning headers of an answer. A client refuses an answer whose headers are too long, although what it asked
 * for is done: so past a total each text is cut, and past it again the rest is left out.
 */
export function warningHeaders(texts: readonly string[]): readonly string[] {
  const different = [...new Set(texts)].filter((text) => text !== '');
  const total = different.reduce((sum, text) => sum + text.length, 0);
  return total <= mostCharacters ? different.map(headerOf) : cut(different).map(headerOf);
}

function cut(texts: readonly string[]): readonly string[] {
  const kept: string[] = [];
  let written = 0;
  for (const text of texts) {
    if (written >= mostCharacters) break;
    const characters = Array.from(text.slice(0, 2 * mostInOne)).slice(0, mostInOne);
    kept.push(characters.join(''));
    written += characters.length;
  }
  return kept;
}

/** `299 - "text"`. A control character cannot stand in a header. */
function headerOf(text: string): string {
  const printable = text.toWellFormed().replaceAll(/\p{Cc}+/gu, ' ');
  return `299 - "${printable.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
}

/** A header's value as Node writes it: one character a byte of its UTF-8, which HTTP/1.1 and HTTP/2 both carry. */
export function headerBytes(value: string): string {
  return Buffer.from(value, 'utf8').toString('latin1');
}
