const colours: Readonly<Record<string, number>> = { trace: 90, debug: 90, info: 36, warn: 33, error: 31, fatal: 31 };

/** A line of JSON as people read it: `12:34:56.789 INFO  claimed  object=… because=Elected`. */
export function prettyLine(line: string, colour: boolean): string {
  let parsed: Record<string, unknown>;
  try {
    parsed = JSON.parse(line) as Record<string, unknown>;
  } catch {
    return line;
  }
  const { level, time, message, ...fields } = parsed;
  const name = textOf(level);
  const paint = (code: number, text: string): string => (colour ? `\u001b[${code}m${text}\u001b[0m` : text);
  const head = `${paint(90, textOf(time).slice(11, 23))} ${paint(colours[name] ?? 0, name.toUpperCase().padEnd(5))}`;
  const tail = Object.entries(fields).map(([key, value]) => `${paint(90, `${key}=`)}${quoted(textOf(value))}`);
  return `${[head, textOf(message), ...tail].join(' ')}\n`;
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return value === undefined ? '' : JSON.stringify(value);
}

function quoted(text: string): string {
  return /^[^\s"]+$/.test(text) ? text : JSON.stringify(text);
}
