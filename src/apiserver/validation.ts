import type { FieldError, KubeObject } from '../api/index.ts';
import { strategyOf } from './builtin/index.ts';
import type { Call } from './call.ts';
import type { Draft } from './draft.ts';

/** Everything beyond metadata that is wrong with an object; `old` when it replaces one. */
export function validated(call: Call, draft: Draft, old: KubeObject | undefined): FieldError[] {
  const strategy = strategyOf(call.kind);
  const errors = [...(strategy.validate?.(draft) ?? [])];
  if (old) errors.push(...(strategy.validateUpdate?.(draft, old) ?? []));
  return errors;
}
