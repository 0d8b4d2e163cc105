import { forbiddenField, invalidValue, notSupported, required } from '../../api/index.ts';
import { at, isSet, items, numberOf, textOf } from './place.ts';
import type { Faults, Place } from './place.ts';
import { checked, checkedIfSet, portFaults, whyNotDnsSubdomain, whyNotServiceName } from './syntax.ts';

const pathTypes = ['Exact', 'Prefix', 'ImplementationSpecific'];
const address = /^\d{1,3}(\.\d{1,3}){3}$|:/;
/** Sequences that a path compared literally must not contain: it would have a second spelling. */
const ambiguous = /\/\/|\/\.{1,2}(\/|$)|%2f/i;

/** MultiClusterIngress: what an API server demands of an Ingress. */
export function* multiClusterIngressFaults(ingress: Place): Faults {
  const spec = at(ingress, 'spec');
  const [rules, fallback] = [at(spec, 'rules'), at(spec, 'defaultBackend')];
  if (items(rules).length === 0 && !isSet(fallback)) yield required(rules.path, 'write rules, or a defaultBackend');
  yield* checkedIfSet(at(spec, 'ingressClassName'), whyNotDnsSubdomain);
  if (isSet(fallback)) yield* backendFaults(fallback);
  for (const rule of items(rules)) yield* ruleFaults(rule);
  for (const tls of items(at(spec, 'tls'))) {
    for (const host of items(at(tls, 'hosts'))) yield* checked(host, whyNotHost);
  }
}

function* ruleFaults(rule: Place): Faults {
  yield* checkedIfSet(at(rule, 'host'), whyNotHost);
  const paths = at(rule, 'http', 'paths');
  if (isSet(at(rule, 'http')) && items(paths).length === 0) yield required(paths.path, 'write at least one path');
  for (const path of items(paths)) yield* pathFaults(path);
}

function whyNotHost(text: string): string | undefined {
  if (address.test(text)) return 'must be a name, not an address';
  return whyNotDnsSubdomain(text.startsWith('*.') ? text.slice(2) : text);
}

function* pathFaults(path: Place): Faults {
  const type = at(path, 'pathType');
  if (isSet(type) && !pathTypes.includes(textOf(type))) yield notSupported(type.path, type.value, pathTypes);
  else yield* routeFaults(at(path, 'path'), textOf(type));
  yield* backendFaults(at(path, 'backend'));
}

function* routeFaults(route: Place, type: string): Faults {
  const text = textOf(route);
  if (type === 'ImplementationSpecific' && text === '') return;
  if (!text.startsWith('/')) yield invalidValue(route.path, route.value, 'must start with /');
  else if (type !== 'ImplementationSpecific' && ambiguous.test(text)) {
    yield invalidValue(route.path, route.value, 'must not contain //, /./, /../ or %2f: write the path plainly');
  }
}

function* backendFaults(backend: Place): Faults {
  const [service, resource] = [at(backend, 'service'), at(backend, 'resource')];
  if (!isSet(service) && !isSet(resource)) yield required(backend.path, 'write a service or a resource');
  if (isSet(service) && isSet(resource)) yield forbiddenField(resource.path, 'excludes service: write one of the two');
  else if (isSet(service)) yield* serviceFaults(service);
}

function* serviceFaults(service: Place): Faults {
  yield* checked(at(service, 'name'), whyNotServiceName);
  const port = at(service, 'port');
  const [name, number] = [at(port, 'name'), at(port, 'number')];
  const isNumbered = Boolean(numberOf(number));
  if (textOf(name) === '' && !isNumbered) yield required(port.path, 'write the name or the number of the port');
  else if (textOf(name) !== '' && isNumbered) yield forbiddenField(name.path, 'excludes number: write one of the two');
  if (isNumbered) yield* portFaults(number);
}
