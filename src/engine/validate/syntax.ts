import type { FieldError } from '../../api/index.ts';
import { duplicateValue, invalidValue } from '../../api/index.ts';
import { entryOf, entries, numberOf, textOf } from './place.ts';
import type { Faults, Place, TextCheck } from './place.ts';

const dnsLabel = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;
const dnsSubdomain = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const labelName = /^[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$/;

/** A DNS-1123 label: the name of a namespace. */
export function whyNotDnsLabel(text: string): string | undefined {
  if (text.length > 63) return 'must be no more than 63 characters';
  if (dnsLabel.test(text)) return undefined;
  return 'must be lower case letters, digits and -, starting and ending with a letter or digit';
}

/** A DNS-1035 label: the name of a Service. */
export function whyNotServiceName(text: string): string | undefined {
  return /^\d/.test(text) ? 'must start with a letter' : whyNotDnsLabel(text);
}

/** A DNS-1123 subdomain: the prefix of a label key, the name of most objects. */
export function whyNotDnsSubdomain(text: string): string | undefined {
  if (text.length > 253) return 'must be no more than 253 characters';
  if (dnsSubdomain.test(text)) return undefined;
  return 'must be lower case letters, digits, - and ., and every part must start and end with a letter or digit';
}

/** The name of a member: it must also fit into the name of its execution namespace. */
export function whyNotMemberName(text: string): string | undefined {
  if (text === '') return 'must not be empty';
  return text.length > 48 ? 'must be no more than 48 characters' : whyNotDnsLabel(text);
}

/** The key of a label or annotation: `name` or `prefix.example.com/name`. */
export function whyNotLabelKey(text: string): string | undefined {
  const slash = text.indexOf('/');
  const name = text.slice(slash + 1);
  if (slash >= 0) {
    const why = whyNotDnsSubdomain(text.slice(0, slash));
    if (why) return `the part before / ${why}`;
  }
  if (name.length > 63) return 'the name must be no more than 63 characters';
  if (labelName.test(name)) return undefined;
  return 'must be letters, digits, -, _ and ., starting and ending with a letter or digit, with an optional prefix and /';
}

/** The value of a label; empty is fine. */
export function whyNotLabelValue(text: string): string | undefined {
  if (text.length > 63) return 'must be no more than 63 characters';
  if (text === '' || labelName.test(text)) return undefined;
  return 'must be empty, or letters, digits, -, _ and ., starting and ending with a letter or digit';
}

/** A JSON pointer (RFC 6901) that leads into the object. */
export function whyNotPointer(text: string): string | undefined {
  if (!text.startsWith('/')) return 'must be a JSON pointer: write /spec/…, starting with /';
  return /~(?![01])/.test(text) ? 'must be a JSON pointer: write ~ as ~0 and / in a name as ~1' : undefined;
}

const rfc3339 =
  /^(\d{4})-(\d{2})-(\d{2})[Tt]([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)(\.\d+)?([Zz]|[+-]([01]\d|2[0-3]):[0-5]\d)$/;

/** A time as Kubernetes writes it. */
export function whyNotTime(text: string): string | undefined {
  const parts = rfc3339.exec(text);
  const [year, month, day] = (parts?.slice(1, 4) ?? []).map(Number);
  if (parts && isDay(year ?? 0, month ?? 0, day ?? 0)) return undefined;
  return 'must be an RFC 3339 time: write 2026-01-31T15:04:05Z';
}

function isDay(year: number, month: number, day: number): boolean {
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  const days = [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
  return day >= 1 && day <= (days[month - 1] ?? 0);
}

/** The fault of a text by a check, at its place. */
export function* checked(place: Place, check: TextCheck): Faults {
  const why = check(textOf(place));
  if (why !== undefined) yield invalidValue(place.path, place.value, why);
}

/** The fault of a text that is there; an absent or empty one has none. */
export function* checkedIfSet(place: Place, check: TextCheck): Faults {
  if (textOf(place) !== '') yield* checked(place, check);
}

/** The fault of the number of a port; an absent one has none. */
export function* portFaults(port: Place): Faults {
  const number = numberOf(port) ?? 1;
  if (number < 1 || number > 65_535) yield invalidValue(port.path, number, 'must be from 1 to 65535');
}

/** The faults of the keys of a map. */
export function* checkedKeys(place: Place, check: TextCheck): Faults {
  for (const [key] of entries(place)) {
    const why = check(key);
    if (why !== undefined) yield invalidValue(entryOf(place, key).path, key, `the key ${why}`);
  }
}

/** Every place whose key stood there before. */
export function* duplicates(places: readonly Place[], keyOf: (place: Place) => unknown): Faults {
  const seen = new Set<unknown>();
  for (const place of places) {
    const key = keyOf(place);
    if (seen.has(key)) yield duplicateValue(place.path, key) satisfies FieldError;
    seen.add(key);
  }
}
