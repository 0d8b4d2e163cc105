interface CronField {
  readonly name: string;
  readonly least: number;
  readonly most: number;
  readonly words?: readonly string[];
}

const fields: readonly CronField[] = [
  { name: 'minute', least: 0, most: 59 },
  { name: 'hour', least: 0, most: 23 },
  { name: 'day of month', least: 1, most: 31 },
  { name: 'month', least: 1, most: 12, words: 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ') },
  { name: 'day of week', least: 0, most: 7, words: 'sun mon tue wed thu fri sat'.split(' ') },
];
const macros = new Set(['@yearly', '@annually', '@monthly', '@weekly', '@daily', '@midnight', '@hourly']);
const every = /^@every (\d+(\.\d+)?(h|m|s|ms))+$/;

/** Why a text is no schedule of five fields, as CronJob takes it; undefined when it is one. */
export function whyNotCron(text: string): string | undefined {
  if (macros.has(text.toLowerCase()) || every.test(text)) return undefined;
  const written = text.trim().split(/\s+/);
  if (written.length !== fields.length) {
    return 'must have five fields, minute hour day month weekday: write 0 8 * * 1-5';
  }
  const wrong = fields.find((field, index) => !(written[index] ?? '').split(',').every((part) => isPart(part, field)));
  return (
    wrong && `the ${wrong.name} must be *, a number from ${wrong.least} to ${wrong.most}, a-b, */n or a list of these`
  );
}

/** `*`, `5`, `1-5`, each with an optional `/step`. */
function isPart(part: string, field: CronField): boolean {
  const [range = '', step = '1', ...more] = part.split('/');
  if (more.length > 0 || !/^[1-9]\d{0,3}$/.test(step)) return false;
  return range === '*' || range === '?' || isRange(range, field);
}

function isRange(range: string, field: CronField): boolean {
  const [from = '', to = from, ...more] = range.split('-');
  const [first, last] = [valueOf(from, field), valueOf(to, field)];
  return more.length === 0 && first !== undefined && last !== undefined && first <= last;
}

function valueOf(text: string, field: CronField): number | undefined {
  const word = field.words?.indexOf(text.toLowerCase()) ?? -1;
  if (word >= 0) return word + field.least;
  const value = /^\d{1,2}$/.test(text) ? Number(text) : Number.NaN;
  return value >= field.least && value <= field.most ? value : undefined;
}
