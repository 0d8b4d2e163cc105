import { Optional } from '@marcbachmann/cel-js';
import type { Environment } from '@marcbachmann/cel-js';
import { formatOf } from '../../structural/formats.ts';
import { registerNamespace } from './namespace.ts';

const sync = { async: false } as const;
const type = 'kubernetes.NamedFormat';

/** A named format: it tells what is wrong with a text. */
class CelFormat {
  readonly name: string;
  readonly errors: (text: string) => readonly string[];
  constructor(name: string, errors: (text: string) => readonly string[]) {
    this.name = name;
    this.errors = errors;
  }
}

const label = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const subdomain = `${label}(\\.${label})*`;
const label1035 = '[a-z]([-a-z0-9]*[a-z0-9])?';
const name = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';

function byPattern(pattern: string, most: number, words: string): (text: string) => readonly string[] {
  const expression = new RegExp(`^(?:${pattern})$`);
  return (text) => {
    const errors: string[] = text.length > most ? [`must be no more than ${most} characters`] : [];
    if (!expression.test(text)) errors.push(`${words} (regex used for validation is '${pattern}')`);
    return errors;
  };
}

const known =
  (format: string) =>
  (text: string): readonly string[] =>
    formatOf(format)?.(text) ? [] : [`does not validate ${format}`];

/** A prefix may end in a dash, for a generated part follows. */
const prefixOf =
  (check: (text: string) => readonly string[]) =>
  (text: string): readonly string[] =>
    check(text.endsWith('-') ? `${text.slice(0, -1)}a` : text);

const dns1123Label = byPattern(label, 63, 'a lowercase RFC 1123 label');
const dns1123Subdomain = byPattern(subdomain, 253, 'a lowercase RFC 1123 subdomain');
const dns1035Label = byPattern(label1035, 63, 'a DNS-1035 label');

const formats: Readonly<Record<string, (text: string) => readonly string[]>> = {
  dns1123Label,
  dns1123Subdomain,
  dns1035Label,
  dns1123LabelPrefix: prefixOf(dns1123Label),
  dns1123SubdomainPrefix: prefixOf(dns1123Subdomain),
  dns1035LabelPrefix: prefixOf(dns1035Label),
  qualifiedName: byPattern(`(${subdomain}/)?${name}`, 317, 'a qualified name'),
  labelValue: byPattern(`(${name})?`, 63, 'a valid label'),
  uri: known('uri'),
  uuid: known('uuid'),
  byte: known('byte'),
  date: known('date'),
  datetime: known('datetime'),
};

/** Formats by name: format.named('dns1123Label'), format.dns1123Label(), and validate on them. */
export function registerFormats(env: Environment): void {
  env.registerType(type, CelFormat);
  const format = registerNamespace(env, 'format');
  const named = (_: unknown, wanted: string): unknown => {
    const check = Object.hasOwn(formats, wanted) ? formats[wanted] : undefined;
    return check ? Optional.of(new CelFormat(wanted, check)) : Optional.none();
  };
  env.registerFunction(`${format}.named(string): optional<${type}>`, named, sync);
  for (const [wanted, check] of Object.entries(formats)) {
    env.registerFunction(`${format}.${wanted}(): ${type}`, () => new CelFormat(wanted, check), sync);
  }
  const validate = (one: CelFormat, text: string): unknown => {
    const errors = one.errors(text);
    return errors.length > 0 ? Optional.of(errors) : Optional.none();
  };
  env.registerFunction(`${type}.validate(string): optional<list<string>>`, validate, sync);
}
