import { remembering } from '../base/index.ts';

/** How the names of a kind must look. */
export type NameRule = 'subdomain' | 'label' | 'dns1035' | 'segment';

const label = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;
const subdomain = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const dns1035 = /^[a-z]([-a-z0-9]*[a-z0-9])?$/;

const words = {
  label:
    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character " +
    "(e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')",
  subdomain:
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character " +
    "(e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
  dns1035:
    "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character " +
    "(e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')",
} as const;

const forms = { label: [label, 63], subdomain: [subdomain, 253], dns1035: [dns1035, 63] } as const;

/** The errors of a name, in Kubernetes' words; a prefix for generated names may end in a dash. */
export function nameFaults(rule: NameRule, name: string, isPrefix: boolean): string[] {
  if (rule === 'segment') return segmentFaults(name, isPrefix);
  const [form, maximum] = forms[rule];
  const checked = isPrefix && name.length > 1 && name.endsWith('-') ? `${name.slice(0, -1)}a` : name;
  const faults: string[] = [];
  if (checked.length > maximum) faults.push(`must be no more than ${maximum} characters`);
  if (!form.test(checked))
    faults.push(rule === 'label' && subdomain.test(checked) ? 'must not contain dots' : words[rule]);
  return faults;
}

function segmentFaults(name: string, isPrefix: boolean): string[] {
  const faults: string[] = [];
  if (!isPrefix && (name === '.' || name === '..')) faults.push(`may not be '${name}'`);
  for (const char of ['/', '%']) if (name.includes(char)) faults.push(`may not contain '${char}'`);
  return faults;
}

const keyName = /^[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$/;
const labelValue = /^([A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?)?$/;
const keyNameWords =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character " +
  "(e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
const labelValueWords =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character " +
  "(e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";

/** The errors of the key of a label, an annotation or a finalizer. */
export function labelKeyFaults(key: string): readonly string[] {
  return keyFaults(key);
}

/** Keys come again and again. */
const keyFaults = remembering((key): readonly string[] => {
  const [first = '', second, ...more] = key.split('/');
  if (more.length > 0) {
    return [
      `a qualified name ${keyNameWords} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ];
  }
  return second === undefined ? namePartFaults(first) : [...prefixFaults(first), ...namePartFaults(second)];
});

function prefixFaults(prefix: string): readonly string[] {
  if (prefix === '') return ['prefix part must be non-empty'];
  return nameFaults('subdomain', prefix, false).map((fault) => `prefix part ${fault}`);
}

function namePartFaults(name: string): readonly string[] {
  return [
    ...(name === '' ? ['name part must be non-empty'] : []),
    ...(name.length > 63 ? ['name part must be no more than 63 characters'] : []),
    ...(keyName.test(name) ? [] : [`name part ${keyNameWords}`]),
  ];
}

/** The errors of the value of a label. */
export function labelValueFaults(value: string): readonly string[] {
  const fits = labelValue.test(value);
  if (fits && value.length <= 63) return noFaults;
  return [...(value.length > 63 ? ['must be no more than 63 characters'] : []), ...(fits ? [] : [labelValueWords])];
}

const noFaults: readonly string[] = [];

const suffixAlphabet = 'bcdfghjklmnpqrstvwxz2456789';
const suffixLength = 5;
const longestPrefix = 63 - suffixLength;

/** A name that begins with this prefix; `random` gives numbers in [0, 1). */
export function generatedName(prefix: string, random: () => number): string {
  let suffix = '';
  for (let i = 0; i < suffixLength; i++) suffix += suffixAlphabet[Math.floor(random() * suffixAlphabet.length)];
  return prefix.slice(0, longestPrefix) + suffix;
}
