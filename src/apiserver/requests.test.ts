import { describe, expect, it } from 'vitest';
import {
  builtinCatalog,
  generatedName,
  labelKeyFaults,
  labelValueFaults,
  nameFaults,
  parseLabelSelector,
} from '../api/index.ts';
import type { KindInfo, KubeObject } from '../api/index.ts';
import { acceptOf } from './request/options.ts';
import { duplicateKeys } from './request/duplicate-keys.ts';
import { optionsOf } from './request/options.ts';
import { parseFieldSelector } from './selector/field.ts';
import { targetOf } from './request/route.ts';

describe('paths', () => {
  const nothing = { namespace: '', name: '', subresource: '', rest: '', watch: false };
  it.each([
    ['/api/v1/pods', { group: '', version: 'v1', plural: 'pods' }],
    ['/api/v1/pods/', { group: '', version: 'v1', plural: 'pods' }],
    ['/api/v1/namespaces', { group: '', version: 'v1', plural: 'namespaces' }],
    ['/api/v1/namespaces/x', { group: '', version: 'v1', plural: 'namespaces', name: 'x' }],
    [
      '/api/v1/namespaces/x/status',
      { group: '', version: 'v1', plural: 'namespaces', name: 'x', subresource: 'status' },
    ],
    [
      '/api/v1/namespaces/x/finalize',
      { group: '', version: 'v1', plural: 'namespaces', name: 'x', subresource: 'finalize' },
    ],
    ['/api/v1/namespaces/x/pods', { group: '', version: 'v1', namespace: 'x', plural: 'pods' }],
    [
      '/api/v1/namespaces/x/pods/p/log',
      { group: '', version: 'v1', namespace: 'x', plural: 'pods', name: 'p', subresource: 'log' },
    ],
    [
      '/apis/apps/v1/namespaces/x/deployments/d',
      { group: 'apps', version: 'v1', namespace: 'x', plural: 'deployments', name: 'd' },
    ],
    [
      '/apis/apps/v1/watch/namespaces/x/deployments',
      { group: 'apps', version: 'v1', namespace: 'x', plural: 'deployments', watch: true },
    ],
    [
      '/apis/g/v1/clusters/m1/proxy/api/v1/pods',
      { group: 'g', version: 'v1', plural: 'clusters', name: 'm1', subresource: 'proxy', rest: '/api/v1/pods' },
    ],
    [
      '/apis/rbac.authorization.k8s.io/v1/clusterroles/system%3Anode',
      { group: 'rbac.authorization.k8s.io', version: 'v1', plural: 'clusterroles', name: 'system:node' },
    ],
  ])('%s', (path, expected) => {
    expect(targetOf(path)).toEqual({ ...nothing, ...expected });
  });

  it('leaves what follows a subresource as it was written', () => {
    expect(targetOf('/apis/g/v1/clusters/m1/proxy/a%2Fb/')?.rest).toBe('/a%2Fb/');
    expect(targetOf('/apis/g/v1/clusters/m1/proxy/')?.rest).toBe('/');
  });

  it.each(['/api/v1/nodes/a%2Fb', '/api/v1/namespaces/a%2Fb/pods', '/api/v1/nodes/%ZZ'])('%s is no name', (path) => {
    expect(targetOf(path)).toBeUndefined();
  });

  it.each(['/', '/api', '/api/v1', '/apis', '/apis/apps', '/apis/apps/v1', '/livez', '/openapi/v3'])(
    '%s names no resource',
    (path) => {
      expect(targetOf(path)).toBeUndefined();
    },
  );
});

describe('queries', () => {
  it('reads what is there and defaults the rest', () => {
    expect(optionsOf('')).toMatchObject({ watch: false, limit: 0, fieldValidation: 'Warn', dryRun: false });
    expect(
      optionsOf(
        'watch=1&labelSelector=a%3Db%2Cc+in+%28d%29&limit=500&timeoutSeconds=7&dryRun=All&force=true&fieldValidation=Strict',
      ),
    ).toMatchObject({
      watch: true,
      labelSelector: 'a=b,c in (d)',
      limit: 500,
      timeoutSeconds: 7,
      dryRun: true,
      force: true,
      fieldValidation: 'Strict',
    });
  });

  it.each(['limit=many', 'watch=perhaps', 'labelSelector=%ZZ', 'dryRun=Some', 'fieldValidation=Loose'])(
    'refuses %s',
    (query) => {
      expect(() => optionsOf(query)).toThrow();
    },
  );
});

describe('accept', () => {
  it.each([
    ['', { as: 'object', format: 'json' }],
    ['*/*', { as: 'object', format: 'json' }],
    ['application/yaml', { as: 'object', format: 'yaml' }],
    ['application/vnd.kubernetes.protobuf,application/json', { as: 'object', format: 'json' }],
    ['application/json;as=Table;v=v1;g=meta.k8s.io,application/json', { as: 'Table', version: 'v1' }],
    ['application/json;as=Table;v=v1beta1;g=meta.k8s.io,application/json', { as: 'Table', version: 'v1beta1' }],
    ['application/json;as=Table;v=v9;g=meta.k8s.io,application/json', { as: 'object' }],
    ['application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io', { as: 'PartialObjectMetadata' }],
  ])('%s', (text, expected) => {
    expect(acceptOf(text)).toMatchObject(expected);
  });

  it('refuses what it does not have', () => {
    expect(() => acceptOf('application/vnd.kubernetes.protobuf')).toThrow('406: Not Acceptable');
    expect(() => acceptOf('application/json;as=Table;v=v9;g=meta.k8s.io')).toThrow();
  });
});

describe('label selectors', () => {
  const labels = { app: 'web', tier: 'front', n: '5' };
  it.each([
    ['app=web', true],
    ['app==web', true],
    ['app!=web', false],
    ['missing!=x', true],
    ['app', true],
    ['!app', false],
    ['!missing', true],
    ['app in (web, api)', true],
    ['app notin (web)', false],
    ['missing notin (web)', true],
    ['n>4,n<6', true],
    ['n>5', false],
    ['app=web,tier=back', false],
    ['app in (web),tier', true],
    ['empty=', false],
  ])('%s', (text, expected) => {
    expect(parseLabelSelector(text)?.(labels)).toBe(expected);
  });

  it.each(['=x', 'a=b=c', 'a in b', 'a b', 'n>x', 'a=b!', `${'x'.repeat(3)}/`])('refuses %s', (text) => {
    expect(() => parseLabelSelector(text)).toThrow();
  });

  it('has nothing to say about everything', () => {
    expect(parseLabelSelector(' ')).toBeUndefined();
  });
});

describe('field selectors', () => {
  const kindOf = (plural: string): KindInfo => {
    const kind = builtinCatalog().byResource('', 'v1', plural);
    if (!kind) throw new Error(plural);
    return kind;
  };
  const pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'a,b', namespace: 'x' },
    spec: { nodeName: 'n1' },
    status: { phase: 'Running' },
  } as KubeObject;

  it.each([
    ['metadata.name=a\\,b', true],
    ['metadata.namespace=x,spec.nodeName=n1', true],
    ['status.phase!=Running', false],
    ['spec.hostNetwork=false', true],
    ['status.podIP=', true],
  ])('%s', (text, expected) => {
    expect(parseFieldSelector(text, kindOf('pods'))?.match(pod)).toBe(expected);
  });

  it('tells when only one name can match', () => {
    expect(parseFieldSelector('metadata.name=a', kindOf('pods'))).toMatchObject({ name: 'a' });
    expect(parseFieldSelector('metadata.name!=a', kindOf('pods'))).not.toHaveProperty('name');
  });

  it('refuses fields that are not offered', () => {
    expect(() => parseFieldSelector('metadata.namespace=x', kindOf('nodes'))).toThrow();
    expect(() => parseFieldSelector('spec.color=red', kindOf('pods'))).toThrow('field label not supported: spec.color');
    expect(() => parseFieldSelector('nonsense', kindOf('pods'))).toThrow('invalid selector');
  });
});

describe('repeated keys', () => {
  it.each([
    ['{"a":1,"b":{"c":[{"d":1},{"d":2}]}}', []],
    ['{"a":1,"a":2}', ['a']],
    ['{"s":{"l":[{"x":1},{"y":1,"y":2}]}}', ['s.l[1].y']],
    ['{"a":":","b":"{\\"a\\":1}"}', []],
    ['{"a\\"b":1,"a\\"b":2}', ['a"b']],
  ])('%s', (text, expected) => {
    expect(duplicateKeys(Buffer.from(text), JSON.parse(text))).toEqual(expected);
  });
});

describe('names', () => {
  it.each([
    ['subdomain', 'a.b-c.1', true],
    ['subdomain', 'a..b', false],
    ['subdomain', 'A', false],
    ['label', 'a-b', true],
    ['label', 'a.b', false],
    ['label', 'x'.repeat(64), false],
    ['dns1035', '1a', false],
    ['dns1035', 'a1', true],
    ['segment', 'system:node', true],
    ['segment', 'a/b', false],
    ['segment', '..', false],
  ] as const)('%s %s', (rule, name, isGood) => {
    expect(nameFaults(rule, name, false).length === 0).toBe(isGood);
  });

  it('lets a prefix end in a dash', () => {
    expect(nameFaults('subdomain', 'web-', true)).toEqual([]);
    expect(nameFaults('subdomain', 'web-', false)).toHaveLength(1);
  });

  it.each([
    ['app', true],
    ['example.com/app', true],
    ['/app', false],
    ['a/b/c', false],
    ['Example.com/app', false],
    ['a b', false],
    ['x'.repeat(64), false],
  ])('key %s', (key, isGood) => {
    expect(labelKeyFaults(key).length === 0).toBe(isGood);
  });

  it.each([
    ['', true],
    ['a_B.1', true],
    ['-a', false],
    ['x'.repeat(64), false],
  ])('value %s', (value, isGood) => {
    expect(labelValueFaults(value).length === 0).toBe(isGood);
  });

  it('generates names that fit', () => {
    expect(generatedName('x'.repeat(100), () => 0.5)).toHaveLength(63);
    expect(generatedName('job-', () => 0)).toBe('job-bbbbb');
  });
});
