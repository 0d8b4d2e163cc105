import { lookup } from '../../base/index.ts';
import { isIP } from 'node:net';
import { goRegExp } from './regexp.ts';

type Format = (text: string) => boolean;

/** The pattern is compiled when the format is first used: most never are. */
const byPattern =
  (pattern: string): Format =>
  (text) =>
    goRegExp(pattern).test(text);

const shortName = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const dateTime = /^(\d{4}-\d{2}-\d{2})t(\d{2}):(\d{2}):(\d{2})(?:\.\d+)?(?:z|[+-]\d{2}:\d{2})$/i;
const goDuration = /^[+-]?(?:0|(?:(?:\d+\.?\d*|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+)$/;
const wordDuration = /\d+\s*(?:ns|nano|us|µs|micro|ms|milli|s|sec|m|min|h|hr|hour|d|day|w|wk|week)/i;

/** The rule of each format of a CRD's schema; a format that is not here has no rule, as in Kubernetes. */
const formats: Readonly<Record<string, Format>> = lookup({
  bsonobjectid: byPattern('^[0-9a-fA-F]{24}$'),
  uri: isRequestUri,
  email: byPattern('^(?:[^<>]*<)?[^\\s@<>",]+@[^\\s@<>",]+>?$'),
  hostname: isHostname,
  ipv4: (text) => isIP(text) === 4,
  ipv6: (text) => isIP(text) === 6 && !text.includes('%'),
  cidr: isCidr,
  mac: byPattern('^(?i)(?:[0-9a-f]{2}([:-])(?:[0-9a-f]{2}[:-]){4,18}[0-9a-f]{2}|(?:[0-9a-f]{4}\\.){2,9}[0-9a-f]{4})$'),
  uuid: byPattern('(?i)^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$'),
  uuid3: byPattern('(?i)^[0-9a-f]{8}-?[0-9a-f]{4}-?3[0-9a-f]{3}-?[0-9a-f]{4}-?[0-9a-f]{12}$'),
  uuid4: byPattern('(?i)^[0-9a-f]{8}-?[0-9a-f]{4}-?4[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$'),
  uuid5: byPattern('(?i)^[0-9a-f]{8}-?[0-9a-f]{4}-?5[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$'),
  isbn: (text) => isIsbn10(text) || isIsbn13(text),
  isbn10: isIsbn10,
  isbn13: isIsbn13,
  creditcard: isCreditCard,
  ssn: byPattern('^\\d{3}[- ]?\\d{2}[- ]?\\d{4}$'),
  hexcolor: byPattern('^#?([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$'),
  rgbcolor: isRgbColor,
  byte: isBase64,
  date: isDate,
  duration: (text) => goDuration.test(text) || wordDuration.test(text),
  datetime: isDateTime,
  k8sshortname: (text) => text.length <= 63 && goRegExp(`^${shortName}$`).test(text),
  k8slongname: (text) => text.length <= 253 && goRegExp(`^${shortName}(\\.${shortName})*$`).test(text),
});

/** The check of a format, or undefined where Kubernetes does not know it (`int32` of a custom resource is one). */
export function formatOf(name: string | undefined): Format | undefined {
  return name ? formats[name.replaceAll('-', '')] : undefined;
}

/** True for `YYYY-MM-DD` of a day that exists. */
export function isDate(text: string): boolean {
  const match = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text);
  if (!match) return false;
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
  return month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month);
}

function daysIn(year: number, month: number): number {
  if (month === 2) return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

/** RFC 3339, as metav1.Time writes it. */
export function isDateTime(text: string): boolean {
  const match = dateTime.exec(text);
  if (!match) return false;
  const [, day = '', hours = '', minutes = '', seconds = ''] = match;
  return isDate(day) && hours <= '23' && minutes <= '59' && seconds <= '59';
}

/** Standard base64 with padding; line breaks are ignored as Go does. */
export function isBase64(text: string): boolean {
  const dense = text.includes('\n') || text.includes('\r') ? text.replaceAll(/[\r\n]/g, '') : text;
  return dense.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(dense);
}

/** An address, a slash and a prefix length that the address family allows. */
export function isCidr(text: string): boolean {
  const match = /^([^/%]+)\/(0|[1-9]\d{0,2})$/.exec(text);
  const family = isIP(match?.[1] ?? '');
  return family !== 0 && Number(match?.[2]) <= (family === 4 ? 32 : 128);
}

/** An absolute URL or an absolute path. */
export function isRequestUri(text: string): boolean {
  if (/[\p{Cc}\s]/u.test(text)) return false;
  return text.startsWith('/') ? URL.canParse(text, 'http://host') : URL.canParse(text);
}

function isHostname(text: string): boolean {
  if (text.length > 255 || text.split('.').some((label) => label.length > 63)) return false;
  if (!text.includes('.')) return /^[a-zA-Z0-9\p{S}\p{L}](?:-?[a-zA-Z0-9\p{S}\p{L}]{0,62})?$/u.test(text);
  const labels = text.split('.');
  const top = labels.pop() ?? '';
  const label = /^[a-zA-Z0-9\p{S}\p{L}](?:[a-zA-Z0-9\-\p{S}\p{L}]{0,61}[a-zA-Z0-9\p{S}\p{L}])?$/u;
  return /^[a-zA-Z\p{L}]{2,63}$/u.test(top) && labels.every((one) => label.test(one));
}

function isRgbColor(text: string): boolean {
  const match = /^rgb\(\s*(\d{1,3})\s*,\s*(\d{1,3})\s*,\s*(\d{1,3})\s*\)$/.exec(text);
  return match !== null && match.slice(1).every((part) => Number(part) <= 255);
}

function isIsbn10(text: string): boolean {
  const digits = text.replaceAll(/[\s-]/g, '');
  if (!/^\d{9}[\dX]$/.test(digits)) return false;
  const sum = digits.split('').reduce((total, digit, i) => total + (10 - i) * (digit === 'X' ? 10 : Number(digit)), 0);
  return sum % 11 === 0;
}

function isIsbn13(text: string): boolean {
  const digits = text.replaceAll(/[\s-]/g, '');
  if (!/^\d{13}$/.test(digits)) return false;
  return digits.split('').reduce((total, digit, i) => total + Number(digit) * (i % 2 ? 3 : 1), 0) % 10 === 0;
}

const cardNumber =
  /^(?:4\d{12}(?:\d{3})?|5[1-5]\d{14}|6(?:011|5\d\d)\d{12}|3[47]\d{13}|3(?:0[0-5]|[68]\d)\d{11}|(?:2131|1800|35\d{3})\d{11})$/;

function isCreditCard(text: string): boolean {
  const digits = text.replaceAll(/\D/g, '');
  if (!cardNumber.test(digits)) return false;
  const sum = digits
    .split('')
    .reverse()
    .reduce((total, digit, i) => {
      const value = Number(digit) * (i % 2 ? 2 : 1);
      return total + (value > 9 ? value - 9 : value);
    }, 0);
  return sum % 10 === 0;
}
