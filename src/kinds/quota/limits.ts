/**
 * LimitRanges: the requests and limits that pods get when they state none, and the bounds of what they may state. Start with
 * `addLimitDefaults` and `limitFaults`. The texts are Kubernetes' own.
 */
import { addQuantities, approximate, compareQuantities, quantityOf } from '../../api/index.ts';
import type { KubeObject, Quantity } from '../../api/index.ts';
import type { Draft, Part } from '../draft.ts';
import { ownPart, partOf, partsOf, specOf, textOf } from '../part.ts';
import { qosOf } from '../pods.ts';
import { zero } from './usage.ts';
import type { Amounts, Counted } from './usage.ts';

const annotation = 'kubernetes.io/limit-ranger';
const listNames = ['initContainers', 'containers'] as const;

/** Fills in the requests and limits that the LimitRanges of the namespace have for containers; the draft may be written to. */
export function addLimitDefaults(draft: Draft, ranges: readonly KubeObject[]): void {
  const items = itemsOf(ranges, 'Container');
  const spec = ownPart(draft, 'spec');
  const notes = listNames.toReversed().flatMap((list) =>
    partsOf(spec, list).flatMap((container) => {
      const noun = `${list === 'containers' ? 'container' : 'init container'} ${textOf(container, 'name')}`;
      const resources = ownPart(container, 'resources');
      const limits = items.flatMap((item) => fillMissing(resources, 'limits', partOf(item, 'default')));
      const requests = items.flatMap((item) => fillMissing(resources, 'requests', partOf(item, 'defaultRequest')));
      return [noteOf('request', requests, noun), noteOf('limit', limits, noun)].flat();
    }),
  );
  if (notes.length === 0) return;
  const text = `LimitRanger plugin set: ${notes.join('; ')}`;
  draft.metadata.annotations = { ...draft.metadata.annotations, [annotation]: text };
  draft['status'] = { ...partOf(draft, 'status'), qosClass: qosOf(spec) };
}

function fillMissing(resources: Part, side: string, values: Part): string[] {
  const missing = Object.keys(values).filter((name) => partOf(resources, side)[name] === undefined);
  if (missing.length === 0) return [];
  const own = ownPart(resources, side);
  for (const name of missing) own[name] = values[name];
  return missing;
}

function noteOf(side: string, names: readonly string[], noun: string): string[] {
  return names.length === 0 ? [] : [`${names.toSorted().join(', ')} ${side} for ${noun}`];
}

function itemsOf(ranges: readonly KubeObject[], type: string): Part[] {
  return ranges.flatMap((range) => partsOf(specOf(range), 'limits')).filter((item) => textOf(item, 'type') === type);
}

interface Stated {
  readonly requests: Amounts;
  readonly limits: Amounts;
}

/** The bounds of the LimitRanges that an object breaks. */
export function limitFaults({ group, plural }: Counted, object: KubeObject, ranges: readonly KubeObject[]): string[] {
  if (group !== '') return [];
  if (plural === 'persistentvolumeclaims') return claimFaults(object, ranges);
  if (plural !== 'pods') return [];
  const spec = specOf(object);
  const containers = listNames.flatMap((list) => partsOf(spec, list)).map(statedBy);
  const whole = partsOf(spec, 'containers').map(statedBy).reduce(sum, { requests: new Map(), limits: new Map() });
  return [
    ...itemsOf(ranges, 'Container').flatMap((item) => containers.flatMap((stated) => faultsOf(item, stated))),
    ...itemsOf(ranges, 'Pod').flatMap((item) => faultsOf(item, whole)),
  ];
}

function claimFaults(claim: KubeObject, ranges: readonly KubeObject[]): string[] {
  const { requests } = statedBy(specOf(claim));
  return itemsOf(ranges, 'PersistentVolumeClaim').flatMap((item) => [
    ...minimumFaults(item, { requests, limits: new Map() }),
    ...boundsOf(item, 'max').flatMap(([name, bound, text]) => {
      const request = requests.get(name);
      const words = `maximum ${name} usage per PersistentVolumeClaim is ${text}`;
      if (!request) return [`${words}.  No request is specified`];
      return compareQuantities(request, bound) > 0 ? [`${words}, but request is ${textIn(claim, name)}`] : [];
    }),
  ]);
}

const textIn = (claim: KubeObject, name: string): string =>
  String(partOf(partOf(specOf(claim), 'resources'), 'requests')[name]);

function statedBy(container: Part): Stated {
  const resources = partOf(container, 'resources');
  return { requests: amountsOf(partOf(resources, 'requests')), limits: amountsOf(partOf(resources, 'limits')) };
}

function amountsOf(part: Part): Map<string, Quantity> {
  const parsed = Object.entries(part).map(([name, value]) => [name, quantityOf(value)] as const);
  return new Map(parsed.filter((pair): pair is readonly [string, Quantity] => pair[1] !== undefined));
}

function sum(a: Stated, b: Stated): Stated {
  return { requests: added(a.requests, b.requests), limits: added(a.limits, b.limits) };
}

function added(a: Amounts, b: Amounts): Amounts {
  const total = new Map(a);
  for (const [name, amount] of b) total.set(name, addQuantities(total.get(name) ?? zero, amount));
  return total;
}

function faultsOf(item: Part, stated: Stated): string[] {
  return [...minimumFaults(item, stated), ...maximumFaults(item, stated), ...ratioFaults(item, stated)];
}

/** The bounds of an item by name: exact, and as text. */
function boundsOf(item: Part, side: string): (readonly [string, Quantity, string])[] {
  const part = partOf(item, side);
  return [...amountsOf(part)].map(([name, bound]) => [name, bound, String(part[name])] as const);
}

function minimumFaults(item: Part, { requests, limits }: Stated): string[] {
  return boundsOf(item, 'min').flatMap(([name, bound, text]) => {
    const words = `minimum ${name} usage per ${textOf(item, 'type')} is ${text}`;
    const [request, limit] = [requests.get(name), limits.get(name)];
    if (!request) return [`${words}.  No request is specified`];
    if (compareQuantities(request, bound) < 0) return [`${words}, but request is ${shown(request)}`];
    return limit && compareQuantities(limit, bound) < 0 ? [`${words}, but limit is ${shown(limit)}`] : [];
  });
}

function maximumFaults(item: Part, { requests, limits }: Stated): string[] {
  return boundsOf(item, 'max').flatMap(([name, bound, text]) => {
    const words = `maximum ${name} usage per ${textOf(item, 'type')} is ${text}`;
    const [request, limit] = [requests.get(name), limits.get(name)];
    if (!limit) return [`${words}.  No limit is specified`];
    if (compareQuantities(limit, bound) > 0) return [`${words}, but limit is ${shown(limit)}`];
    return request && compareQuantities(request, bound) > 0 ? [`${words}, but request is ${shown(request)}`] : [];
  });
}

function ratioFaults(item: Part, { requests, limits }: Stated): string[] {
  return boundsOf(item, 'maxLimitRequestRatio').flatMap(([name, bound, text]) => {
    const words = `${name} max limit to request ratio per ${textOf(item, 'type')} is ${text}`;
    const [request, limit] = [requests.get(name) ?? zero, limits.get(name) ?? zero];
    if (request.digits === 0n) return [`${words}, but no request is specified or request is 0`];
    if (limit.digits === 0n) return [`${words}, but no limit is specified or limit is 0`];
    const ratio = approximate(limit) / approximate(request);
    return ratio > approximate(bound) ? [`${words}, but provided ratio is ${ratio.toFixed(6)}`] : [];
  });
}

/** Kubernetes prints the milli value of a request. */
function shown({ digits, exponent }: Quantity): string {
  const milli = approximate({ digits, exponent: exponent + 3 });
  return milli % 1000 === 0 ? String(milli / 1000) : `${milli}m`;
}
