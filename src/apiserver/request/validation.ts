import { invalid } from '../../api/index.ts';
import type { FieldError, KubeObject } from '../../api/index.ts';
import { finalizerWarnings, metadataErrors, metadataUpdateErrors, strategyOf } from '../../kinds/index.ts';
import type { Draft } from '../../kinds/index.ts';
import { schemaOf } from '../../schema/index.ts';
import type { Call } from '../call.ts';
import { isWellFormed } from './draft.ts';

/** Throws 422 with everything that is wrong with a draft; `old` when it replaces an object. */
export function validate(call: Call, draft: Draft, old?: KubeObject): void {
  const { kind } = call;
  const metadata = old
    ? metadataUpdateErrors(draft, old, kind)
    : metadataErrors(draft, kind, strategyOf(kind).names ?? 'subdomain');
  const errors = [...metadata, ...contentErrors(call, draft, old)];
  if (errors.length > 0) throw invalid(kind, old ? call.target.name : draft.metadata.name || '', errors);
}

/** Everything beyond metadata that is wrong with a draft. */
function contentErrors(call: Call, draft: Draft, old: KubeObject | undefined): readonly FieldError[] {
  const { kind, parts, target } = call;
  const errors = isWellFormed(draft) ? [] : schemaOf(kind, parts.catalog().definitions).validate(draft, old);
  if (target.subresource === 'status') return kind.custom ? errors : [];
  if (kind.custom) {
    for (const words of finalizerWarnings(draft, old)) call.warnings.push(words);
    return errors;
  }
  const specific = strategyErrors(call, draft, old);
  if (errors.length === 0) return specific;
  // The kind has a better message for a missing field than its schema.
  const told = new Set(specific.map(({ field }) => field));
  return [
    ...errors.filter((error) => isOfContent(error) && !(error.type === 'required' && told.has(error.field))),
    ...specific,
  ];
}

/** The errors of the kind's own rules. Rules about changes do not bind the subresources that exist to make these changes. */
function strategyErrors({ kind, target }: Call, draft: Draft, old: KubeObject | undefined): readonly FieldError[] {
  const strategy = strategyOf(kind);
  const errors = strategy.validate?.(draft, old) ?? [];
  const isPlain = target.subresource === '' || target.subresource === 'scale';
  return old && isPlain ? [...errors, ...(strategy.validateUpdate?.(draft, old) ?? [])] : errors;
}

/**
 * Controllers write the status of built-in kinds in pieces, and Go fills the rest with zeroes;
 * metadata, lists and templates have rules of their own.
 */
function isOfContent({ field, type }: FieldError): boolean {
  if (type === 'duplicate' || field === 'spec.template') return false;
  return !field.startsWith('status.') && field !== 'status' && !field.startsWith('metadata.');
}
