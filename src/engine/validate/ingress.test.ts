import { load } from 'js-yaml';
import { expect, test } from 'vitest';
import { validate } from '../index.ts';

const web = 'backend: { service: { name: web, port: { number: 80 } } }';
const rule = (path: string, host = 'shop.example.com'): string =>
  `rules: [{ host: "${host}", http: { paths: [{ ${path} }] } }]`;
const path = 'spec.rules[0].http.paths[0]';
const backend = (text: string): string => `defaultBackend: { ${text} }`;

test.each<readonly [string, ...string[]]>([
  [rule(`path: /, pathType: Prefix, ${web}`)],
  [rule(`path: /a/b, pathType: Exact, ${web}`, '*.example.com')],
  [rule(`pathType: ImplementationSpecific, ${web}`, '')],
  [backend('service: { name: web, port: { name: http } }')],
  [backend('resource: { apiGroup: example.com, kind: Bucket, name: files }')],
  [`ingressClassName: nginx, ${rule(`path: /, pathType: Prefix, ${web}`)}, tls: [{ hosts: ["*.example.com", a.b] }]`],

  ['', 'required spec.rules'],
  [rule(`path: /, pathType: Prefix, ${web}`, '10.0.0.1'), 'invalid spec.rules[0].host'],
  [rule(`path: /, pathType: Prefix, ${web}`, 'a.*.b'), 'invalid spec.rules[0].host'],
  [rule(`path: /, pathType: Prefix, ${web}`, 'Shop'), 'invalid spec.rules[0].host'],
  ['rules: [{ http: { paths: [] } }]', 'required spec.rules[0].http.paths'],
  [rule(`path: /, pathType: Regex, ${web}`), `notSupported ${path}.pathType`],
  [rule(`path: a, pathType: Prefix, ${web}`), `invalid ${path}.path`],
  [rule(`path: //a, pathType: Exact, ${web}`), `invalid ${path}.path`],
  [rule(`path: /a/.., pathType: Exact, ${web}`), `invalid ${path}.path`],
  [rule(`path: /a%2Fb, pathType: Prefix, ${web}`), `invalid ${path}.path`],
  [rule(`pathType: Exact, ${web}`), `invalid ${path}.path`],
  [rule(`path: a, pathType: ImplementationSpecific, ${web}`), `invalid ${path}.path`],
  [rule('path: /, pathType: Prefix, backend: {}'), `required ${path}.backend`],
  [
    backend('service: { name: web, port: { number: 80 } }, resource: { kind: Bucket, name: files }'),
    'forbidden spec.defaultBackend.resource',
  ],
  [backend('service: { name: Web, port: { number: 80 } }'), 'invalid spec.defaultBackend.service.name'],
  [backend('service: { name: 9web, port: { number: 80 } }'), 'invalid spec.defaultBackend.service.name'],
  [backend('service: { name: web }'), 'required spec.defaultBackend.service.port'],
  [backend('service: { name: web, port: { number: 70000 } }'), 'invalid spec.defaultBackend.service.port.number'],
  [
    backend('service: { name: web, port: { number: 80, name: http } }'),
    'forbidden spec.defaultBackend.service.port.name',
  ],
  [
    `ingressClassName: A_b, ${backend('service: { name: web, port: { name: http } }')}, tls: [{ hosts: [A] }]`,
    'invalid spec.ingressClassName',
    'invalid spec.tls[0].hosts[0]',
  ],
])('%s', (spec, ...expected) => {
  const object = {
    apiVersion: 'networking.karmada.io/v1alpha1',
    kind: 'MultiClusterIngress',
    metadata: { name: 'shop', namespace: 'shop' },
    spec: load(`{ ${spec} }`),
  };
  expect(validate(object).map(({ type, field }) => `${type} ${field}`)).toEqual(expected);
});
