import { quantity, sumText } from '../../../api/index.ts';
import { at, isObject } from '../../../base/index.ts';
import { LuaError } from '../../../lua/index.ts';
import type { Module } from '../../../lua/index.ts';
import { dependenciesOf } from '../dependencies.ts';
import { requestsOf } from '../requests.ts';

/** The library that scripts get by `require("kube")`. */
export const kube: Module = {
  resourceAdd: (...amounts) => {
    const known = amounts.filter((amount) => amount !== undefined);
    const total = known.reduce<number>((sum, amount) => sum + amountOf(amount), 0);
    const first = known.find((amount) => amountOf(amount) !== 0);
    return sumText(total, first);
  },
  accuratePodRequirements: (podTemplate) => requestsOf(at(tableOf(podTemplate), ['spec']), undefined),
  getPodDependencies: (podTemplate, namespace = 'default') => {
    const spec = at(tableOf(podTemplate), ['spec']);
    const metadata = { name: '', namespace: String(namespace) };
    return dependenciesOf({ apiVersion: 'v1', kind: 'Pod', metadata, spec } as never);
  },
  getResourceQuantity: (amount) => {
    const number = amount === undefined ? 0 : amountOf(amount);
    if (number < 0) throw new LuaError('the quantity is negative');
    return number;
  },
};

function amountOf(amount: unknown): number {
  const number = typeof amount === 'string' ? quantity(amount) : undefined;
  if (number === undefined) throw new LuaError(`not a quantity: ${JSON.stringify(amount)}`);
  return number;
}

function tableOf(value: unknown): object {
  if (!isObject(value)) throw new LuaError('the pod template must be a table');
  return value;
}
