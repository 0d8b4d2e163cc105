/**
 * The amounts of a ResourceQuota that one object uses: of pods what they request, of Services their ports, of claims
 * their storage, of everything else that it exists. Start with `usageOf`.
 */
import { addQuantities, compareQuantities, quantityOf } from '../../api/index.ts';
import type { KubeObject, Quantity } from '../../api/index.ts';
import { isObject } from '../../base/index.ts';
import type { Part } from '../draft.ts';
import { partOf, partsOf, specOf, textOf } from '../part.ts';

/** Exact amounts by the name that a quota has for them. */
export type Amounts = ReadonlyMap<string, Quantity>;

/** The resource of a counted object. */
export interface Counted {
  readonly group: string;
  readonly plural: string;
}

/** No amount. */
export const zero: Quantity = { digits: 0n, exponent: 0 };
const one: Quantity = { digits: 1n, exponent: 0 };

/** The name by which objects of a resource are counted: `count/deployments.apps`, `count/pods`. */
export function countName({ group, plural }: Counted): string {
  return `count/${plural}${group === '' ? '' : `.${group}`}`;
}

/** Core resources whose objects also count under their bare name. */
const bareNames = new Set([
  'configmaps',
  'persistentvolumeclaims',
  'pods',
  'replicationcontrollers',
  'resourcequotas',
  'secrets',
  'services',
]);

/** The amounts that an object uses. */
export function usageOf(resource: Counted, object: KubeObject): Amounts {
  const amounts = new Map<string, Quantity>([[countName(resource), one]]);
  if (resource.group !== '') return amounts;
  if (resource.plural === 'pods') addPod(amounts, object);
  else if (bareNames.has(resource.plural)) amounts.set(resource.plural, one);
  if (resource.plural === 'services') addService(amounts, specOf(object));
  if (resource.plural === 'persistentvolumeclaims') addClaim(amounts, object);
  return amounts;
}

function add(amounts: Map<string, Quantity>, name: string, amount: Quantity): void {
  amounts.set(name, addQuantities(amounts.get(name) ?? zero, amount));
}

const number = (value: number): Quantity => ({ digits: BigInt(value), exponent: 0 });

function addService(amounts: Map<string, Quantity>, spec: Part): void {
  const ports = partsOf(spec, 'ports');
  const type = textOf(spec, 'type');
  const allocates = spec['allocateLoadBalancerNodePorts'] !== false;
  const open = allocates ? ports : ports.filter((port) => Number(port['nodePort'] ?? 0) > 0);
  if (type === 'NodePort') amounts.set('services.nodeports', number(ports.length));
  if (type !== 'LoadBalancer') return;
  amounts.set('services.loadbalancers', one);
  amounts.set('services.nodeports', number(open.length));
}

const classSuffix = '.storageclass.storage.k8s.io/';

function addClaim(amounts: Map<string, Quantity>, claim: KubeObject): void {
  const spec = specOf(claim);
  const storage = quantityOf(partOf(partOf(spec, 'resources'), 'requests')['storage']);
  const annotated = claim.metadata.annotations?.['volume.beta.kubernetes.io/storage-class'];
  const storageClass = annotated ?? textOf(spec, 'storageClassName');
  const names = [
    'persistentvolumeclaims',
    ...(storageClass ? [`${storageClass}${classSuffix}persistentvolumeclaims`] : []),
  ];
  for (const name of names) amounts.set(name, one);
  if (!storage) return;
  amounts.set('requests.storage', storage);
  if (storageClass) amounts.set(`${storageClass}${classSuffix}requests.storage`, storage);
}

/** A pod that has ended uses nothing any more; it still exists. */
export function hasEnded(pod: KubeObject): boolean {
  const phase = textOf(partOf(pod, 'status'), 'phase');
  return phase === 'Succeeded' || phase === 'Failed';
}

function addPod(amounts: Map<string, Quantity>, pod: KubeObject): void {
  if (hasEnded(pod)) return;
  amounts.set('pods', one);
  const spec = specOf(pod);
  for (const [name, amount] of podAmounts(spec, 'requests')) {
    if (!name.includes('/')) amounts.set(name, amount);
    amounts.set(`requests.${name}`, amount);
  }
  for (const [name, amount] of podAmounts(spec, 'limits')) {
    if (!name.includes('/')) amounts.set(`limits.${name}`, amount);
  }
}

/**
 * The amounts that a pod requests or is limited to: the sum of its containers and of the init containers that keep running,
 * or the most that its init containers need one after the other, whichever is more; and its overhead.
 */
function podAmounts(spec: Part, side: 'requests' | 'limits'): Amounts {
  const sum = new Map<string, Quantity>();
  const peak = new Map<string, Quantity>();
  const running = new Map<string, Quantity>();
  for (const container of partsOf(spec, 'containers')) addAll(sum, amountsOf(container, side));
  for (const container of partsOf(spec, 'initContainers')) {
    const own = amountsOf(container, side);
    if (container['restartPolicy'] === 'Always') {
      addAll(sum, own);
      addAll(running, own);
      raise(peak, running);
    } else raise(peak, added(running, own));
  }
  raise(sum, peak);
  for (const [name, amount] of amountsOf(spec, side)) sum.set(name, amount);
  addAll(sum, quantities(partOf(spec, 'overhead')));
  return sum;
}

/** The amounts of a container, or those that a pod states for all of its containers. */
function amountsOf(container: Part, side: string): Map<string, Quantity> {
  return quantities(partOf(partOf(container, 'resources'), side));
}

function quantities(part: Part): Map<string, Quantity> {
  const found = new Map<string, Quantity>();
  for (const [name, value] of Object.entries(isObject(part) ? part : {})) {
    const amount = quantityOf(value);
    if (amount) found.set(name, amount);
  }
  return found;
}

function addAll(sum: Map<string, Quantity>, amounts: Amounts): void {
  for (const [name, amount] of amounts) add(sum, name, amount);
}

function added(a: Amounts, b: Amounts): Amounts {
  const sum = new Map(a);
  addAll(sum, b);
  return sum;
}

function raise(most: Map<string, Quantity>, amounts: Amounts): void {
  for (const [name, amount] of amounts) {
    if (compareQuantities(amount, most.get(name) ?? zero) > 0) most.set(name, amount);
  }
}

const computed = ['cpu', 'memory'];
const required = new Set([...computed, ...computed.flatMap((name) => [`requests.${name}`, `limits.${name}`])]);

/**
 * The compute resources of a quota that a pod does not state, with the containers that lack them, in Kubernetes' words; undefined
 * when nothing is missing.
 */
export function unstated(pod: KubeObject, names: readonly string[]): string | undefined {
  const spec = specOf(pod);
  const containers = [...partsOf(spec, 'containers'), ...partsOf(spec, 'initContainers')];
  const missing = names.filter((name) => required.has(name)).toSorted();
  const texts = missing.flatMap((name) => {
    const lacking = containers.filter((container) => !states(container, name) && !states(spec, name));
    return lacking.length === 0
      ? []
      : [
          `${name} for: ${lacking
            .map((container) => textOf(container, 'name'))
            .toSorted()
            .join(',')}`,
        ];
  });
  return texts.length === 0 ? undefined : `must specify ${texts.join('; ')}`;
}

function states(container: Part, name: string): boolean {
  const [side, resource] = name.includes('.') ? name.split('.') : ['requests', name];
  return amountsOf(container, side ?? '').has(resource ?? '');
}
