const longest = 200;

/**
 * A pure function of a text that remembers what it answered: texts that come again and again cost one look.
 * Its memory is bounded, whatever a caller sends: long texts are not kept, and beyond `most` it starts over.
 */
export function remembering<Answer>(make: (text: string) => Answer, most = 1000): (text: string) => Answer {
  const known = new Map<string, Answer>();
  return (text) => {
    if (text.length > longest) return make(text);
    const found = known.get(text);
    if (found !== undefined || known.has(text)) return found as Answer;
    const answer = make(text);
    if (known.size >= most) known.clear();
    known.set(text, answer);
    return answer;
  };
}
