import {
  amountOf,
  duplicateValue,
  forbiddenField,
  invalidValue,
  largestAmount,
  required,
  strictAccess,
  whyForeignSecret,
  whyInsecure,
} from '../../api/index.ts';
import type { MemberAccess } from '../../api/index.ts';
import { at, isSet, items, numberOf, textOf } from './place.ts';
import type { Faults, Place } from './place.ts';
import { checked, checkedIfSet, duplicates, whyNotLabelValue, whyNotMemberName } from './syntax.ts';
import { taintsFaults } from './taint.ts';

const scheme = /^([a-z][a-z0-9+.-]*):\/\//i;
const largest = '9223372036854775807';
const proxySchemes: ReadonlySet<string> = new Set(['http', 'https', 'socks5']);

/** Cluster: a member's name, how it is reached, where it is, and what it is made of. */
export function* clusterFaults(cluster: Place, old: Place | undefined, access: MemberAccess = strictAccess): Faults {
  const spec = at(cluster, 'spec');
  yield* checked(at(cluster, 'metadata', 'name'), whyNotMemberName);
  yield* checkedIfSet(at(spec, 'apiEndpoint'), whyNotEndpoint);
  yield* accessFaults(spec, old && at(old, 'spec'), access);
  for (const name of secretRefs) yield* secretFaults(at(spec, name));
  yield* checkedIfSet(at(spec, 'proxyURL'), whyNotProxy);
  const zones = at(spec, 'zones');
  for (const place of [at(spec, 'provider'), at(spec, 'region'), at(spec, 'zone'), ...items(zones)]) {
    yield* checked(place, whyNotLabelValue);
  }
  const zone = at(spec, 'zone');
  if (textOf(zone) !== '' && items(zones).length > 0) yield forbiddenField(zone.path, 'excludes zones: write zones');
  yield* taintsFaults(at(spec, 'taints'));
  yield* modelsFaults(at(spec, 'resourceModels'));
}

const secretRefs = ['secretRef', 'impersonatorSecretRef'];

function isNew(place: Place, before: Place | undefined): boolean {
  return textOf(place) !== '' && (!before || textOf(before) !== textOf(place));
}

/**
 * A field that an older release has accepted may stay, so that the rest of the Cluster can be edited; it is not used.
 */
function* accessFaults(spec: Place, old: Place | undefined, access: MemberAccess): Faults {
  const endpoint = at(spec, 'apiEndpoint');
  if (isNew(endpoint, old && at(old, 'apiEndpoint'))) yield* checked(endpoint, (text) => whyInsecure(text, access));
  for (const name of secretRefs) {
    const namespace = at(spec, name, 'namespace');
    if (isNew(namespace, old && at(old, name, 'namespace')))
      yield* checked(namespace, (text) => whyForeignSecret(text, access));
  }
}

function* secretFaults(secret: Place): Faults {
  if (!isSet(secret)) return;
  for (const part of [at(secret, 'namespace'), at(secret, 'name')]) {
    if (part.value === '') yield required(part.path, 'write the namespace and the name of the Secret');
  }
}

/** An address as `https://10.0.0.1:6443`, `host:port` or `host`. */
function whyNotEndpoint(text: string): string | undefined {
  const address = text.replace(scheme, '');
  if (/[\s"<>\\^`{|}]/.test(text)) return 'must be a URL: write https://host:port';
  if (/^[/?#]/.test(address) || address === '') return 'must name a host: write https://host:port';
  if (address.includes('#')) return 'must not have a fragment: leave out # and what follows';
  if (address.includes('?')) return 'must not have a query: leave out ? and what follows';
  const authority = address.split('/')[0] ?? '';
  if (authority.includes('@')) return 'must not contain a user or password: put credentials into secretRef';
  return whyNotAuthority(authority);
}

function whyNotAuthority(authority: string): string | undefined {
  const parts = /^(?:\[[0-9a-fA-F:.]+\]|[^:[\]]+)(?::(\d+))?$/.exec(authority);
  if (!parts) return 'must be host or host:port: write https://host:port';
  return Number(parts[1] ?? 1) > 65_535 ? 'has a port above 65535' : undefined;
}

function whyNotProxy(text: string): string | undefined {
  const name = scheme.exec(text)?.[1]?.toLowerCase() ?? '';
  return proxySchemes.has(name) ? undefined : 'must start with http://, https:// or socks5://';
}

/** Grades go from nothing to the largest amount without a gap, and all speak of the same resources. */
function* modelsFaults(models: Place): Faults {
  const all = items(models);
  yield* duplicates(all.map((model) => at(model, 'grade')).filter(isSet), numberOf);
  const first = items(at(all[0] ?? models, 'ranges'));
  for (const [index, model] of all.entries()) {
    const ranges = at(model, 'ranges');
    const sameNames = items(ranges).map(nameOf).join() === first.map(nameOf).join();
    if (!sameNames) yield invalidValue(ranges.path, ranges.value, 'must name the same resources in the same order');
    yield* duplicateNames(ranges);
    if (!sameNames) continue;
    for (const [i, range] of items(ranges).entries()) {
      const before = index === 0 ? undefined : items(at(all[index - 1] ?? models, 'ranges'))[i];
      yield* rangeFaults(range, before, index === all.length - 1);
    }
  }
}

const nameOf = (range: Place): string => textOf(at(range, 'name'));

function* duplicateNames(ranges: Place): Faults {
  const names = items(ranges).map((range) => at(range, 'name'));
  for (const [index, name] of names.entries()) {
    if (names.findIndex(({ value }) => value === name.value) < index) yield duplicateValue(name.path, name.value);
  }
}

function* rangeFaults(range: Place, before: Place | undefined, isLast: boolean): Faults {
  const [min, max] = [at(range, 'min'), at(range, 'max')];
  const [low, high] = [amountOf(min.value), amountOf(max.value)];
  if (low === undefined || high === undefined) return; // the schema says so
  if (low !== startOf(before)) {
    yield invalidValue(
      min.path,
      min.value,
      before ? 'must be the max of the grade before' : 'must be 0 in the first grade',
    );
  }
  if (high <= low) yield invalidValue(max.path, max.value, 'must be greater than min');
  else if (isLast && high < largestAmount)
    yield invalidValue(max.path, max.value, `must be ${largest} in the last grade`);
}

/** Where a range must start: where the one before ends, or at nothing. */
function startOf(before: Place | undefined): bigint | undefined {
  return before ? amountOf(at(before, 'max').value) : 0n;
}
