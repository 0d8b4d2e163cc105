/**
 * What the built-in kinds do beyond their schemas: defaults, allocation, validation, immutability.
 * Every table is data by resource; nothing here talks to the store except through the parts it is given.
 * Start with one group's file; `strategyOf` finds the entry of a kind.
 */
import type { KindInfo } from '../../api/index.ts';
import type { Strategy } from '../strategy.ts';
import { core } from './core.ts';

const nothing: Strategy = {};
const custom: Strategy = { generation: true };
const strategies: Readonly<Record<string, Strategy>> = { ...core };

/** The strategy of a kind; kinds that need nothing special have an empty one. */
export function strategyOf(kind: KindInfo): Strategy {
  return kind.custom ? custom : (strategies[`${kind.group}/${kind.plural}`] ?? nothing);
}
