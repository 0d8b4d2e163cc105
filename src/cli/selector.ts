import { ApiError, parseLabelSelector } from '../api/index.ts';
import type { KubeObject } from '../api/index.ts';
import { claimKeys } from '../engine/index.ts';
import { UsageError } from './failure.ts';

/** Tells whether an object matches a selector. */
export type Selects = (object: KubeObject) => boolean;

/**
 * Reads a label selector as the API server does. The policy that manages a template is partly written in annotations, so
 * the keys of claims are looked for there too.
 */
export function selectorOf(text: string): Selects {
  const matches = requirementsIn(text);
  return ({ metadata }) => {
    const claims = Object.entries(metadata.annotations ?? {}).filter(([key]) => claimKeys.has(key));
    return matches({ ...Object.fromEntries(claims), ...metadata.labels });
  };
}

function requirementsIn(text: string): NonNullable<ReturnType<typeof parseLabelSelector>> {
  try {
    const matches = parseLabelSelector(text);
    if (matches) return matches;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    throw new UsageError(`-l: ${JSON.stringify(text)}: ${error.message}`);
  }
  throw new UsageError('-l: write a requirement, for example app=web, tier!=db, "env in (a,b)" or !legacy');
}
