import { gatesRef } from '../api/index.ts';
import type { Gates, KubeObject, Settings } from '../api/index.ts';
import type { ApiClient } from '../client/index.ts';
import { ensure } from './register.ts';

/** Says on the hub with which gates and settings the controllers decide: a plan that assumed others would not come true. */
export async function publishGates(hub: ApiClient, gates: Gates, settings: Settings): Promise<void> {
  const { namespace, name, ...kind } = gatesRef;
  await ensure(hub, {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: namespace, labels: { 'karmada.io/system': 'true' } },
  });
  const values = Object.fromEntries(Object.entries(gates).map(([gate, on]) => [gate, String(on)]));
  const data = { ...values, settings: JSON.stringify(settings) };
  await ensure(hub, { ...kind, metadata: { name, namespace }, data } as KubeObject);
}
