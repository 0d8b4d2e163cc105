import { selectsLabels } from '../api/index.ts';
import type { KubeObject, LabelRequirement } from '../api/index.ts';
import { claimKeys } from '../engine/index.ts';
import { UsageError } from './failure.ts';

/** Does this object meet a selector? */
export type Selects = (object: KubeObject) => boolean;

/**
 * Reads a label selector as kubectl does. Who holds a template is partly written in annotations, so the keys of claims
 * are looked for there too.
 */
export function selectorOf(text: string): Selects {
  const requirements = parts(text).map(requirementOf);
  return ({ metadata }) => {
    const claims = Object.entries(metadata.annotations ?? {}).filter(([key]) => claimKeys.has(key));
    const labels = { ...Object.fromEntries(claims), ...metadata.labels };
    return selectsLabels({ matchExpressions: requirements.map(({ requirement }) => requirement) }, labels);
  };
}

/** Commas part requirements, but not within parentheses. */
function parts(text: string): readonly string[] {
  const found = text.split(/,(?![^(]*\))/).map((part) => part.trim());
  if (found.includes('')) throw new UsageError(`-l: ${JSON.stringify(text)} has an empty requirement`);
  return found;
}

const key = String.raw`[A-Za-z0-9]([-A-Za-z0-9_./]*[A-Za-z0-9])?`;
const word = String.raw`[-A-Za-z0-9_.]*`;
const forms: readonly { readonly form: RegExp; readonly read: (match: RegExpExecArray) => LabelRequirement }[] = [
  { form: new RegExp(`^(?<key>${key})\\s*!=\\s*(?<value>${word})$`), read: (match) => one(match, 'NotIn') },
  { form: new RegExp(`^(?<key>${key})\\s*==?\\s*(?<value>${word})$`), read: (match) => one(match, 'In') },
  { form: new RegExp(`^(?<key>${key})\\s+in\\s+\\((?<values>[^)]+)\\)$`), read: (match) => several(match, 'In') },
  { form: new RegExp(`^(?<key>${key})\\s+notin\\s+\\((?<values>[^)]+)\\)$`), read: (match) => several(match, 'NotIn') },
  { form: new RegExp(`^!\\s*(?<key>${key})$`), read: (match) => ({ key: keyIn(match), operator: 'DoesNotExist' }) },
  { form: new RegExp(`^(?<key>${key})$`), read: (match) => ({ key: keyIn(match), operator: 'Exists' }) },
];

function requirementOf(text: string): { readonly requirement: LabelRequirement } {
  for (const { form, read } of forms) {
    const match = form.exec(text);
    if (match) return { requirement: read(match) };
  }
  throw new UsageError(`-l: ${JSON.stringify(text)} is no requirement, as app=web, tier!=db, env in (a,b), !legacy`);
}

const keyIn = (match: RegExpExecArray): string => match.groups?.['key'] ?? '';

function one(match: RegExpExecArray, operator: 'In' | 'NotIn'): LabelRequirement {
  return { key: keyIn(match), operator, values: [match.groups?.['value'] ?? ''] };
}

function several(match: RegExpExecArray, operator: 'In' | 'NotIn'): LabelRequirement {
  const values = (match.groups?.['values'] ?? '').split(',').map((value) => value.trim());
  return { key: keyIn(match), operator, values };
}
