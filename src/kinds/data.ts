import { immutable, invalidValue, required } from '../api/index.ts';
import type { FieldError, KubeObject } from '../api/index.ts';
import { equal, isObject, lookup } from '../base/index.ts';
import type { Draft, Part } from './draft.ts';
import { fill, ownPart, partOf, textOf } from './part.ts';
import type { Strategy } from './strategy.ts';

const keyForm = /^[-._a-zA-Z0-9]+$/;
const keyWords =
  "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')";
const mostBytes = 1024 * 1024;

function keyErrors(data: Part, field: string): FieldError[] {
  return Object.keys(data).flatMap((key) => [...lengthErrors(key, field), ...formErrors(key, field)]);
}

function lengthErrors(key: string, field: string): FieldError[] {
  return key.length > 253 ? [invalidValue(`${field}[${key}]`, key, 'must be no more than 253 characters')] : [];
}

function formErrors(key: string, field: string): FieldError[] {
  if (key === '.' || key === '..') return [invalidValue(`${field}[${key}]`, key, `must not be '${key}'`)];
  return keyForm.test(key) ? [] : [invalidValue(`${field}[${key}]`, key, keyWords)];
}

function sizeErrors(bytes: number, field: string): FieldError[] {
  if (bytes <= mostBytes) return [];
  return [{ type: 'tooLong', field, detail: `may not be more than ${mostBytes} bytes` }];
}

function textBytes(data: Part): number {
  return Object.values(data).reduce((sum: number, value) => sum + Buffer.byteLength(String(value)), 0);
}

function decodedBytes(data: Part): number {
  return Object.values(data).reduce((sum: number, value) => sum + Math.floor((String(value).length * 3) / 4), 0);
}

/** Once immutable, data stay what they are and so does the mark. */
function immutableDataErrors(draft: Draft, old: KubeObject, parts: readonly string[]): FieldError[] {
  const before = old as unknown as Part;
  if (before['immutable'] !== true) return [];
  const words = 'field is immutable when `immutable` is set';
  const errors: FieldError[] = [];
  if (draft['immutable'] !== true) errors.push({ type: 'forbidden', field: 'immutable', detail: words });
  for (const part of parts) {
    if (!equal(draft[part], before[part])) errors.push({ type: 'forbidden', field: part, detail: words });
  }
  return errors;
}

/** Defaults and rules of ConfigMaps. */
export const configMaps: Strategy = {
  validate(draft) {
    const [data, binary] = [partOf(draft, 'data'), partOf(draft, 'binaryData')];
    const both = Object.keys(binary).filter((key) => data[key] !== undefined);
    return [
      ...keyErrors(data, 'data'),
      ...keyErrors(binary, 'binaryData'),
      ...both.map((key) => invalidValue(`data[${key}]`, key, 'duplicate of key present in binaryData')),
      ...sizeErrors(textBytes(data) + decodedBytes(binary), ''),
    ];
  },
  validateUpdate: (draft, old) => immutableDataErrors(draft, old, ['data', 'binaryData']),
};

/** Keys that a type of Secret cannot do without; of a list of lists, one of each. */
const demanded: Readonly<Record<string, readonly (readonly string[])[]>> = lookup({
  'kubernetes.io/dockercfg': [['.dockercfg']],
  'kubernetes.io/dockerconfigjson': [['.dockerconfigjson']],
  'kubernetes.io/basic-auth': [['username', 'password']],
  'kubernetes.io/ssh-auth': [['ssh-privatekey']],
  'kubernetes.io/tls': [['tls.crt'], ['tls.key']],
});

function demandErrors(draft: Draft): FieldError[] {
  const data = partOf(draft, 'data');
  const type = textOf(draft, 'type');
  if (type === 'kubernetes.io/service-account-token') return accountErrors(draft);
  return (demanded[type] ?? [])
    .filter((choices) => choices.every((key) => data[key] === undefined))
    .map((choices) => required(`data[${choices[0] ?? ''}]`));
}

function accountErrors({ metadata }: Draft): FieldError[] {
  const key = 'kubernetes.io/service-account.name';
  return metadata.annotations?.[key] ? [] : [required(`metadata.annotations[${key}]`)];
}

/** Defaults and rules of Secrets. */
export const secrets: Strategy = {
  defaults(draft) {
    fill(draft, { type: 'Opaque' });
    const { stringData } = draft;
    delete draft['stringData'];
    if (!isObject(stringData) || Object.keys(stringData).length === 0) return;
    const data = ownPart(draft, 'data');
    for (const [key, value] of Object.entries(stringData)) data[key] = Buffer.from(String(value)).toString('base64');
  },
  validate(draft) {
    const data = partOf(draft, 'data');
    return [...keyErrors(data, 'data'), ...sizeErrors(decodedBytes(data), 'data'), ...demandErrors(draft)];
  },
  validateUpdate(draft, old) {
    const type = textOf(draft, 'type');
    const changed = type === textOf(old, 'type') ? [] : [immutable('type', type)];
    return [...changed, ...immutableDataErrors(draft, old, ['data'])];
  },
};
