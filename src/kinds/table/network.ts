import type { KubeObject } from '../../api/index.ts';
import { ageColumn, type CellColumn, column, nameColumn, wide } from './column.ts';
import { formatLabels, formatSelector } from './labels.ts';
import { type ReadonlyPart, at, clipped, given, joined, list, number, strings, text } from './read.ts';

function externalAddress(service: KubeObject): string {
  const external = strings(service, 'spec.externalIPs');
  switch (text(service, 'spec.type', 'ClusterIP')) {
    case 'ClusterIP':
    case 'NodePort':
      return joined(external);
    case 'LoadBalancer':
      return joined([...balancerAddresses(service), ...external], '<pending>');
    case 'ExternalName':
      return text(service, 'spec.externalName');
    default:
      return '<unknown>';
  }
}

function balancerAddresses(object: KubeObject): readonly string[] {
  const addresses = list(object, 'status.loadBalancer.ingress').map((one) => text(one, 'ip') || text(one, 'hostname'));
  return [...new Set(addresses)].filter((address) => address !== '').sort();
}

function servicePort(port: ReadonlyPart): string {
  const node = number(port, 'nodePort');
  return `${number(port, 'port')}${node > 0 ? `:${node}` : ''}/${text(port, 'protocol', 'TCP')}`;
}

/** Hosts count up to the third; rules beyond it are counted, with a host or without. */
function hosts(ingress: KubeObject): string {
  const rules = list(ingress, 'spec.rules');
  const named = [...rules.entries()].filter(([, rule]) => text(rule, 'host') !== '').slice(0, 3);
  if (named.length === 0) return '*';
  const shown = named.map(([, rule]) => text(rule, 'host')).join(',');
  const third = named[2]?.[0] ?? rules.length;
  return third < rules.length - 1 ? `${shown} + ${rules.length - 3} more...` : shown;
}

function classParameters(ingressClass: KubeObject): string {
  const parameters = at(ingressClass, 'spec.parameters');
  if (parameters === undefined) return '<none>';
  const group = text(parameters, 'apiGroup');
  return `${text(parameters, 'kind')}${group ? `.${group}` : ''}/${text(parameters, 'name')}`;
}

function endpointAddresses(endpoints: KubeObject): string {
  const addresses = list(endpoints, 'subsets').flatMap((subset) => {
    const ips = list(subset, 'addresses').map((address) => text(address, 'ip'));
    const ports = list(subset, 'ports');
    return ports.length === 0 ? ips : ports.flatMap((port) => ips.map((ip) => hostPort(ip, number(port, 'port'))));
  });
  return list(endpoints, 'subsets').length === 0 ? '<none>' : clipped(addresses, 3, '');
}

function hostPort(ip: string, port: number): string {
  return ip.includes(':') ? `[${ip}]:${port}` : `${ip}:${port}`;
}

function slicePorts(slice: KubeObject): string {
  const ports = list(slice, 'ports').map((port) => given(port, 'port', given(port, 'name', '*')));
  return clipped(ports, 3, '<unset>');
}

function sliceAddresses(slice: KubeObject): string {
  const addresses = list(slice, 'endpoints').flatMap((endpoint) => strings(endpoint, 'addresses'));
  return clipped(addresses, 3, '<unset>');
}

function parentRef(address: KubeObject): string {
  const parent = at(address, 'spec.parentRef');
  if (parent === undefined) return '<none>';
  const group = text(parent, 'group');
  const resource = `${text(parent, 'resource')}${group ? `.${group}` : ''}`.toLowerCase();
  return [resource, text(parent, 'namespace'), text(parent, 'name')].filter((part) => part !== '').join('/');
}

/** Columns of services and what carries their traffic, by group and plural. */
export const networkColumns: Readonly<Record<string, readonly CellColumn[]>> = {
  '/services': [
    nameColumn,
    column('Type', (object) => text(object, 'spec.type', 'ClusterIP')),
    column('Cluster-IP', (object) => strings(object, 'spec.clusterIPs')[0] ?? text(object, 'spec.clusterIP', '<none>')),
    column('External-IP', externalAddress),
    column('Port(s)', (object) => joined(list(object, 'spec.ports').map(servicePort))),
    ageColumn,
    wide(column('Selector', (object) => formatLabels(at(object, 'spec.selector')))),
  ],
  '/endpoints': [nameColumn, column('Endpoints', endpointAddresses), ageColumn],
  'discovery.k8s.io/endpointslices': [
    nameColumn,
    column('AddressType', (object) => text(object, 'addressType')),
    column('Ports', slicePorts),
    column('Endpoints', sliceAddresses),
    ageColumn,
  ],
  'networking.k8s.io/ingresses': [
    nameColumn,
    column('Class', (object) => given(object, 'spec.ingressClassName', '<none>')),
    column('Hosts', hosts),
    column('Address', (object) => balancerAddresses(object).join(',')),
    column('Ports', (object) => (list(object, 'spec.tls').length > 0 ? '80, 443' : '80')),
    ageColumn,
  ],
  'networking.k8s.io/ingressclasses': [
    nameColumn,
    column('Controller', (object) => text(object, 'spec.controller')),
    column('Parameters', classParameters),
    ageColumn,
  ],
  'networking.k8s.io/networkpolicies': [
    nameColumn,
    column('Pod-Selector', (object) => formatSelector(at(object, 'spec.podSelector'))),
    ageColumn,
  ],
  'networking.k8s.io/servicecidrs': [
    nameColumn,
    column('CIDRs', (object) => strings(object, 'spec.cidrs').join(',')),
    ageColumn,
  ],
  'networking.k8s.io/ipaddresses': [nameColumn, column('ParentRef', parentRef)],
};
