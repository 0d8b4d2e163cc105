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

/** Makes something of every key once per owner, and forgets it with the owner. */
export function perOwner<Owner extends object, Value>(
  make: (owner: Owner, key: string) => Value,
): (owner: Owner, key: string) => Value {
  const all = new WeakMap<Owner, Map<string, Value>>();
  return (owner, key) => {
    const made = all.get(owner) ?? new Map<string, Value>();
    all.set(owner, made);
    const found = made.get(key);
    if (found !== undefined) return found;
    const value = make(owner, key);
    made.set(key, value);
    return value;
  };
}
