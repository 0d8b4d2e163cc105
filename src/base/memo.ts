/**
 * A pure function of a text that remembers what it answered: texts that come again and again cost one look.
 * Beyond `most` texts it forgets all and starts over, so that a caller who sends ever new ones gains nothing but that.
 */
export function remembering<Answer>(make: (text: string) => Answer, most = 1000): (text: string) => Answer {
  const known = new Map<string, Answer>();
  return (text) => {
    const found = known.get(text);
    if (found !== undefined || known.has(text)) return found as Answer;
    const answer = make(text);
    if (known.size >= most) known.clear();
    known.set(text, answer);
    return answer;
  };
}
