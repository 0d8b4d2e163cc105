/**
 * The behaviour of built-in kinds beyond their schemas: defaults, allocation, validation, immutability.
 * Every table is data by resource; nothing here talks to the store except through the parts it is given.
 * Start with one group's file; `strategyOf` finds the entry of a kind.
 */
import type { KindInfo } from '../api/index.ts';
import { admission } from './admission.ts';
import { apps } from './apps.ts';
import { batch } from './batch.ts';
import { core } from './core.ts';
import { definitions } from './definitions.ts';
import { others } from './others.ts';
import { rbac } from './rbac.ts';
import type { Strategy } from './strategy.ts';

const nothing: Strategy = {};
const counted: Strategy = { generation: true };
const createdByPut: Strategy = { createOnUpdate: true };

/** Kinds that differ from others only in how they are counted, named or put. */
const plain: Readonly<Record<string, Strategy>> = {
  'networking.k8s.io/ingressclasses': counted,
  'coordination.k8s.io/leases': createdByPut,
  'events.k8s.io/events': createdByPut,
};

const strategies: Readonly<Record<string, Strategy>> = {
  ...plain,
  ...admission,
  ...core,
  ...apps,
  ...batch,
  ...others,
  ...definitions,
  ...rbac,
};

/** The strategy of a kind; kinds that need nothing special have an empty one. */
export function strategyOf(kind: KindInfo): Strategy {
  return kind.custom ? counted : (strategies[`${kind.group}/${kind.plural}`] ?? nothing);
}
