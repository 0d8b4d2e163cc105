import { isIP } from 'node:net';
import { invalidValue, nameFaults, notSupported, required } from '../api/index.ts';
import type { FieldError } from '../api/index.ts';
import { isObject } from '../base/index.ts';
import { portNameErrors } from './containervalidate.ts';
import type { Draft, Part } from './draft.ts';
import { isUnset, numberOf, partOf, partsOf, specOf, textOf } from './part.ts';
import { portNumberErrors } from './podvalidate.ts';

const pathTypes = ['Exact', 'ImplementationSpecific', 'Prefix'];
const forbiddenParts = ['//', '/./', '/../', '%2f', '%2F'];
const forbiddenEnds = ['/..', '/.'];
const wildcard = /^\*\.[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const wildcardWords =
  "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower case alphanumeric characters, '-' or '.' " +
  "and end with an alphanumeric character (e.g. '*.example.com', regex used for validation is '\\*\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";

/** The errors of an Ingress. */
export function ingressErrors(draft: Draft): FieldError[] {
  const spec = specOf(draft);
  const rules = partsOf(spec, 'rules');
  const { defaultBackend } = spec;
  if (defaultBackend === undefined && rules.length === 0) {
    return [invalidValue('spec', null, 'either `defaultBackend` or `rules` must be specified')];
  }
  return [
    ...(isObject(defaultBackend) ? backendErrors(defaultBackend, 'spec.defaultBackend') : []),
    ...rules.flatMap((rule, i) => ruleErrors(rule, `spec.rules[${i}]`)),
    ...partsOf(spec, 'tls').flatMap((tls, i) => tlsErrors(tls, `spec.tls[${i}]`)),
    ...subdomainErrors(spec, 'ingressClassName', 'spec'),
  ];
}

function ruleErrors(rule: Part, path: string): FieldError[] {
  const host = textOf(rule, 'host');
  const address = isIP(host) !== 0;
  return [
    ...(address ? [invalidValue(`${path}.host`, host, 'must be a DNS name, not an IP address')] : []),
    ...(host === '' || address ? [] : hostErrors(host, `${path}.host`)),
    ...(isObject(rule['http']) ? pathsErrors(rule['http'], `${path}.http.paths`) : []),
  ];
}

function hostErrors(host: string, field: string): FieldError[] {
  if (!host.includes('*')) return nameFaults('subdomain', host, false).map((fault) => invalidValue(field, host, fault));
  return wildcard.test(host) ? [] : [invalidValue(field, host, wildcardWords)];
}

function pathsErrors(http: Part, field: string): FieldError[] {
  const paths = partsOf(http, 'paths');
  return paths.length === 0 ? [required(field)] : paths.flatMap((one, i) => pathErrors(one, `${field}[${i}]`));
}

function pathErrors(one: Part, path: string): FieldError[] {
  if (isUnset(one, 'pathType')) return [required(`${path}.pathType`, 'pathType must be specified')];
  return [...routeErrors(one, path), ...backendErrors(partOf(one, 'backend'), `${path}.backend`)];
}

function routeErrors(one: Part, path: string): FieldError[] {
  const [type, route, field] = [textOf(one, 'pathType'), textOf(one, 'path'), `${path}.path`];
  if (!pathTypes.includes(type)) return [notSupported(`${path}.pathType`, type, pathTypes)];
  const free = type === 'ImplementationSpecific';
  const absolute = route.startsWith('/') || (free && route === '');
  return [
    ...(absolute ? [] : [invalidValue(field, route, 'must be an absolute path')]),
    ...(free ? [] : sequenceFaults(route).map((fault) => invalidValue(field, route, fault))),
  ];
}

function sequenceFaults(route: string): string[] {
  return [
    ...forbiddenParts.filter((part) => route.includes(part)).map((part) => `must not contain '${part}'`),
    ...forbiddenEnds.filter((end) => route.endsWith(end)).map((end) => `cannot end with '${end}'`),
  ];
}

function backendErrors(backend: Part, path: string): FieldError[] {
  const { resource, service } = backend;
  if (isObject(resource) && isObject(service)) {
    return [invalidValue(path, '', 'cannot set both resource and service backends')];
  }
  if (isObject(resource)) {
    return ['kind', 'name']
      .filter((name) => isUnset(resource, name))
      .map((name) => required(`${path}.resource.${name}`));
  }
  if (isObject(service)) return [...serviceNameErrors(service, path), ...portErrors(partOf(service, 'port'), path)];
  return [invalidValue(path, '', 'resource or service backend is required')];
}

function serviceNameErrors(service: Part, path: string): FieldError[] {
  const [name, field] = [textOf(service, 'name'), `${path}.service.name`];
  if (name === '') return [required(field)];
  return nameFaults('dns1035', name, false).map((fault) => invalidValue(field, name, fault));
}

function portErrors(port: Part, path: string): FieldError[] {
  const [named, numbered] = [textOf(port, 'name') !== '', (numberOf(port, 'number') ?? 0) !== 0];
  const field = `${path}.service.port`;
  if (named && numbered) return [invalidValue(path, '', 'cannot set both port name & port number')];
  if (named) return portNameErrors(port, field);
  return numbered ? portNumberErrors(port, 'number', field) : [required(path, 'port name or number is required')];
}

function tlsErrors(tls: Part, path: string): FieldError[] {
  const hosts = Array.isArray(tls['hosts']) ? tls['hosts'] : [];
  return [
    ...hosts.flatMap((host, i) => (typeof host === 'string' ? hostErrors(host, `${path}.hosts[${i}]`) : [])),
    ...subdomainErrors(tls, 'secretName', path),
  ];
}

function subdomainErrors(part: Part, name: string, path: string): FieldError[] {
  const text = textOf(part, name);
  if (text === '') return [];
  return nameFaults('subdomain', text, false).map((fault) => invalidValue(`${path}.${name}`, text, fault));
}
