import type { FieldError, KubeObject } from '../../api/index.ts';
import { finalizerWarnings, strategyOf } from '../../kinds/index.ts';
import type { Draft } from '../../kinds/index.ts';
import { schemaOf } from '../../schema/index.ts';
import type { Call } from '../call.ts';
import { isFlawless } from './fields.ts';

/** Everything beyond metadata that is wrong with an object; `old` when it replaces one. */
export function validated(call: Call, draft: Draft, old: KubeObject | undefined): FieldError[] {
  const { kind, parts, target } = call;
  const errors = isFlawless(draft) ? [] : [...schemaOf(kind, parts.catalog().definitions).validate(draft, old)];
  if (target.subresource === 'status') return kind.custom ? errors : [];
  if (kind.custom) {
    for (const words of finalizerWarnings(draft, old)) call.warnings.push(words);
    return errors;
  }
  const specific = strategyErrors(call, draft, old);
  // The kind knows better words for a field that is missing than its schema.
  const told = new Set(specific.map(({ field }) => field));
  return [
    ...errors.filter((error) => isOfContent(error) && !(error.type === 'required' && told.has(error.field))),
    ...specific,
  ];
}

/** What the kind itself refuses; a subresource exists to write what a plain update may not. */
function strategyErrors({ kind, target }: Call, draft: Draft, old: KubeObject | undefined): FieldError[] {
  const strategy = strategyOf(kind);
  const errors = strategy.validate?.(draft, old) ?? [];
  const isPlain = target.subresource === '' || target.subresource === 'scale';
  return old && isPlain ? [...errors, ...(strategy.validateUpdate?.(draft, old) ?? [])] : [...errors];
}

/**
 * Controllers write the status of built-in kinds in pieces, and Go fills the rest with zeroes;
 * metadata, lists and templates have rules of their own.
 */
function isOfContent({ field, type }: FieldError): boolean {
  if (type === 'duplicate' || field === 'spec.template') return false;
  return !field.startsWith('status.') && field !== 'status' && !field.startsWith('metadata.');
}
