import { describe, expect, it } from 'vitest';
import { builtinCatalog, crds, fieldErrorText } from '../../api/index.ts';
import type { CrdVersion, CustomResourceDefinition, Schema } from '../../api/index.ts';
import { catalogOfCrds } from './catalog.ts';
import {
  defaultedCrd,
  isEstablished,
  kindsOf,
  validateCrd,
  validateCrdUpdate,
  withDeletionBegun,
  withStatus,
  withStoredVersions,
} from './index.ts';

type Spec = CustomResourceDefinition['spec'];

const v1: CrdVersion = { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } };
const now = '2026-01-01T00:00:00Z';

function crd(spec: Partial<Spec> = {}, name = 'widgets.example.com'): CustomResourceDefinition {
  const all: Spec = {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'widgets', kind: 'Widget' },
    versions: [v1],
    ...spec,
  };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name },
    spec: all,
  };
}

function errorsOf(one: CustomResourceDefinition): string[] {
  return validateCrd(withStoredVersions(defaultedCrd(one))).map(fieldErrorText);
}

function withSchema(schema: Schema): CustomResourceDefinition {
  return crd({ versions: [{ ...v1, schema: { openAPIV3Schema: schema } }] });
}

const spec = (schema: Schema): Schema => ({ type: 'object', properties: { spec: schema } });
const established = (one: CustomResourceDefinition): CustomResourceDefinition => withStatus(one, [], now);

describe('a definition', () => {
  it('gets what its author left out', () => {
    expect(defaultedCrd(crd()).spec).toMatchObject({
      names: { singular: 'widget', listKind: 'WidgetList' },
      conversion: { strategy: 'None' },
    });
    const complete = defaultedCrd(crd());
    expect(defaultedCrd(complete)).toBe(complete);
  });

  it('remembers the versions that objects may be stored in', () => {
    const first = withStoredVersions(crd());
    expect(first.status?.storedVersions).toEqual(['v1']);
    const moved = {
      ...first,
      spec: {
        ...first.spec,
        versions: [
          { ...v1, storage: false },
          { ...v1, name: 'v2' },
        ],
      },
    };
    expect(withStoredVersions(moved).status?.storedVersions).toEqual(['v1', 'v2']);
  });

  it('brings a kind for every version that it serves', () => {
    const two = crd({
      versions: [
        {
          ...v1,
          subresources: { status: {}, scale: { specReplicasPath: '.spec.n', statusReplicasPath: '.status.n' } },
        },
        { ...v1, name: 'v1beta1', storage: false, deprecated: true },
        { ...v1, name: 'v1alpha1', storage: false, served: false },
      ],
      names: { plural: 'widgets', kind: 'Widget', shortNames: ['wd'], categories: ['all'] },
    });
    const kinds = kindsOf(two);
    expect(kinds.map((kind) => kind.version)).toEqual(['v1', 'v1beta1']);
    expect(kinds[0]).toMatchObject({
      group: 'example.com',
      kind: 'Widget',
      listKind: 'WidgetList',
      singular: 'widget',
      shortNames: ['wd'],
      categories: ['all'],
      namespaced: true,
      status: true,
      scale: { specReplicasPath: '.spec.n' },
      columns: [{ name: 'Age', type: 'date', path: '.metadata.creationTimestamp' }],
      custom: true,
      storageVersion: 'v1',
    });
    expect(kinds[1]).toMatchObject({
      storageVersion: 'v1',
      status: false,
      deprecationWarning: 'example.com/v1beta1 Widget is deprecated',
    });
    expect(kindsOf(two)).toBe(kinds);
  });

  it('says how kubectl prints its objects', () => {
    const column = { name: 'Size', type: 'integer' as const, jsonPath: '.spec.size', priority: 1 };
    const selectableFields = [{ jsonPath: '.spec.size' }];
    const [kind] = kindsOf(crd({ versions: [{ ...v1, additionalPrinterColumns: [column], selectableFields }] }));
    expect(kind?.selectableFields).toEqual(['spec.size']);
    expect(kind?.columns).toEqual([{ name: 'Size', type: 'integer', path: '.spec.size', priority: 1 }]);
  });

  it('our own definitions are all valid', () => {
    for (const one of crds()) expect(errorsOf(one), one.metadata.name).toEqual([]);
  });
});

describe('a definition that is wrong', () => {
  const label = 'a DNS-1035 label must consist of';
  it.each<[string, CustomResourceDefinition, string[]]>([
    ['nothing', crd(), []],
    [
      'name',
      crd({}, 'gadgets.example.com'),
      ['metadata.name: Invalid value: "gadgets.example.com": must be spec.names.plural+"."+spec.group'],
    ],
    [
      'group',
      crd({ group: 'example' }, 'widgets.example'),
      ['spec.group: Invalid value: "example": should be a domain with at least one dot'],
    ],
    [
      'scope',
      crd({ scope: 'World' as 'Cluster' }),
      ['spec.scope: Unsupported value: "World": supported values: "Cluster", "Namespaced"'],
    ],
    [
      'no schema',
      crd({ versions: [{ name: 'v1', served: true, storage: true }] }),
      ['spec.versions[0].schema.openAPIV3Schema: Required value'],
    ],
    [
      'version name',
      crd({ versions: [{ ...v1, name: 'V1' }] }),
      [`spec.versions[0].name: Invalid value: "V1": ${label}`],
    ],
    [
      'no storage version',
      crd({ versions: [{ ...v1, storage: false }] }),
      ['must have exactly one version marked as storage version', 'must have at least one stored version'],
    ],
    [
      'the same version twice',
      crd({ versions: [v1, { ...v1, storage: false }] }),
      ['must contain unique version names'],
    ],
    [
      'kind',
      crd({ names: { plural: 'widgets', kind: 'Wid_get', singular: 'w' } }),
      ['spec.names.kind: Invalid value: "Wid_get": may have mixed case', 'spec.names.listKind'],
    ],
    [
      'kind and list kind',
      crd({ names: { plural: 'widgets', kind: 'Widget', listKind: 'Widget' } }),
      ['spec.names.listKind: Invalid value: "Widget": kind and listKind may not be the same'],
    ],
    [
      'column',
      crd({ versions: [{ ...v1, additionalPrinterColumns: [{ name: '', type: 'text' as 'string', jsonPath: 'x' }] }] }),
      [
        'additionalPrinterColumns[0].name: Required value',
        'must be one of boolean,date,integer,number,string',
        'must be a simple json path starting with .',
      ],
    ],
    [
      'scale',
      crd({
        versions: [{ ...v1, subresources: { scale: { specReplicasPath: '.status.n', statusReplicasPath: '' } } }],
      }),
      ['should be a json path under .spec', 'scale.statusReplicasPath: Required value'],
    ],
    [
      'webhook of several versions',
      crd({ conversion: { strategy: 'Webhook', webhook: {} }, versions: [v1, { ...v1, name: 'v2', storage: false }] }),
      ['spec.conversion.strategy: Invalid value: "Webhook": this hub calls no conversion webhooks'],
    ],
    ['webhook of one version', crd({ conversion: { strategy: 'Webhook', webhook: {} } }), []],
    [
      'preserving unknown fields',
      crd({ preserveUnknownFields: true }),
      ['spec.preserveUnknownFields: Invalid value: true: cannot set to true'],
    ],
    [
      'a group of the community',
      crd({ group: 'x.k8s.io' }, 'widgets.x.k8s.io'),
      ['metadata.annotations[api-approved.kubernetes.io]: Required value: protected groups'],
    ],
    [
      'selectable field',
      crd({ versions: [{ ...v1, selectableFields: [{ jsonPath: '.spec.nope' }] }] }),
      ['is an invalid path'],
    ],
  ])('in its %s', (_, one, expected) => {
    const errors = errorsOf(one);
    expect(errors).toHaveLength(expected.length);
    expected.forEach((part, i) => expect(errors[i]).toContain(part));
  });

  it.each<[string, Schema, string[]]>([
    [
      'no type',
      spec({ type: 'object', properties: { x: {} } }),
      ['properties[spec].properties[x].type: Required value: must not be empty for specified object fields'],
    ],
    ['an untyped root', {}, ['openAPIV3Schema.type: Required value: must not be empty at the root']],
    ['a list without items', spec({ type: 'array' }), ['properties[spec].items: Required value: must be specified']],
    [
      'a type in a branch',
      spec({ type: 'object', anyOf: [{ type: 'object' }] }),
      ['properties[spec].anyOf[0].type: Forbidden: must be empty to be structural'],
    ],
    [
      'a field only in a branch of the root',
      { type: 'object', oneOf: [{ properties: { x: {} } }] },
      [
        'openAPIV3Schema.properties[x]: Required value: because it is defined in spec.versions[0].schema.openAPIV3Schema.oneOf[0].properties[x]',
      ],
    ],
    ['a field only in a branch below', spec({ type: 'object', oneOf: [{ properties: { x: {} } }] }), []],
    [
      'int or string in its long form',
      spec({ 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'integer' }, { type: 'string' }] }),
      [],
    ],
    [
      'metadata',
      { type: 'object', properties: { metadata: { type: 'object', properties: { labels: { type: 'object' } } } } },
      ['properties[metadata]: Forbidden: must not specify anything other than name and generateName'],
    ],
    [
      'the name in metadata',
      {
        type: 'object',
        properties: { metadata: { type: 'object', properties: { name: { type: 'string', maxLength: 9 } } } },
      },
      [],
    ],
    [
      'a pattern',
      spec({ type: 'string', pattern: '(' }),
      ['properties[spec].pattern: Invalid value: "(": must be a valid regular expression'],
    ],
    ['a reference', spec({ type: 'object', $ref: '#/x' }), ['properties[spec].$ref: Forbidden: $ref is not supported']],
    [
      'properties and more',
      spec({ type: 'object', properties: { x: { type: 'string' } }, additionalProperties: { type: 'string' } }),
      ['additionalProperties: Forbidden: additionalProperties and properties are mutual exclusive'],
    ],
    [
      'a default that does not fit',
      spec({ type: 'object', properties: { x: { type: 'integer', default: 'a' } } }),
      ['properties[x].default: Invalid value: "string":  in body must be of type integer: "string"'],
    ],
    [
      'a default that would be pruned',
      spec({ type: 'object', properties: { x: { type: 'object', default: { y: 1 } } } }),
      ['properties[x].default: Invalid value: {"y":1}: must not have unknown fields'],
    ],
    [
      'a map list without keys',
      spec({ type: 'array', 'x-kubernetes-list-type': 'map', items: { type: 'object' } }),
      ['x-kubernetes-list-map-keys: Required value: must not be empty if x-kubernetes-list-type is map'],
    ],
    [
      'a key that may be absent',
      spec({
        type: 'array',
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['k'],
        items: { type: 'object', properties: { k: { type: 'string' } } },
      }),
      ['properties[k].default: Required value: this property is in x-kubernetes-list-map-keys'],
    ],
    ['unique items', spec({ type: 'array', uniqueItems: true, items: { type: 'string' } }), ['uniqueItems: Forbidden']],
  ])('in its schema: %s', (_, schema, expected) => {
    const errors = errorsOf(withSchema(schema));
    expect(errors).toHaveLength(expected.length);
    expected.forEach((part, i) => expect(errors[i]).toContain(part));
  });

  it('changes what never changes', () => {
    const old = established(withStoredVersions(defaultedCrd(crd())));
    const changed = {
      ...old,
      spec: { ...old.spec, scope: 'Cluster' as const, names: { ...old.spec.names, kind: 'Gadget' } },
    };
    expect(validateCrdUpdate(changed, old).map(fieldErrorText)).toEqual([
      'spec.scope: Invalid value: "Cluster": field is immutable',
      'spec.names.kind: Invalid value: "Gadget": field is immutable',
    ]);
    expect(validateCrdUpdate(old, old)).toEqual([]);
  });

  it('drops a version in which objects may be stored', () => {
    const old = withStoredVersions(defaultedCrd(crd()));
    const moved = withStoredVersions({ ...old, spec: { ...old.spec, versions: [{ ...v1, name: 'v2' }] } });
    expect(validateCrdUpdate(moved, old).map(fieldErrorText)[0]).toContain('v1 was previously a storage version');
  });
});

describe('names', () => {
  it('are accepted and the definition established', () => {
    const one = established(crd());
    expect(isEstablished(one)).toBe(true);
    expect(one.status).toMatchObject({
      acceptedNames: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' },
      conditions: [
        { type: 'NamesAccepted', status: 'True', reason: 'NoConflicts', lastTransitionTime: now },
        { type: 'Established', status: 'True', reason: 'InitialNamesAccepted' },
      ],
      storedVersions: ['v1'],
    });
    expect(withStatus(one, [], '2027-01-01T00:00:00Z')).toBe(one);
  });

  it('names of another definition are not given twice', () => {
    const first = established(crd({ names: { plural: 'widgets', kind: 'Widget', shortNames: ['w'] } }));
    const names = { plural: 'gadgets', kind: 'Widget', shortNames: ['w', 'g'] };
    const second = withStatus(crd({ names }, 'gadgets.example.com'), [first], now);
    expect(isEstablished(second)).toBe(false);
    expect(second.status?.conditions).toMatchObject([
      { type: 'NamesAccepted', status: 'False', reason: 'ListKindConflict', message: '"WidgetList" is already in use' },
      { type: 'Established', status: 'False', reason: 'NotAccepted', message: 'not all names are accepted' },
    ]);
    expect(second.status?.acceptedNames).toMatchObject({ plural: 'gadgets', kind: '' });
    const elsewhere = crd({ names, group: 'other.example.com' }, 'gadgets.other.example.com');
    expect(isEstablished(withStatus(elsewhere, [first], now))).toBe(true);
  });

  it('once held are kept when new ones are refused', () => {
    const first = established(crd());
    const second = withStatus(
      crd({ names: { plural: 'gadgets', kind: 'Gadget' } }, 'gadgets.example.com'),
      [first],
      now,
    );
    const renamed = { ...second, spec: { ...second.spec, names: { ...second.spec.names, shortNames: ['widgets'] } } };
    const after = withStatus(renamed, [first], now);
    expect(isEstablished(after)).toBe(true);
    expect(after.status?.conditions?.[0]).toMatchObject({ status: 'False', reason: 'ShortNamesConflict' });
    expect(kindsOf(after)[0]?.shortNames).toEqual([]);
  });
});

describe('the catalog', () => {
  it('shows established definitions and leaves the own kinds of the hub alone', () => {
    const base = builtinCatalog();
    const intruder = established(crd({ group: 'networking.k8s.io', names: { plural: 'ingresses', kind: 'Ingress' } }));
    const catalog = catalogOfCrds(base, [established(crd()), intruder, crd({ group: 'later.example.com' })]);
    expect(catalog.byKind('example.com/v1', 'Widget')).toBeDefined();
    expect(catalog.byKind('networking.k8s.io/v1', 'Ingress')?.custom).toBe(false);
    expect(catalog.byKind('later.example.com/v1', 'Widget')).toBeUndefined();
  });

  it('takes away what a dying definition no longer allows', () => {
    const [kind] = kindsOf(withDeletionBegun(established(crd()), now));
    expect(kind?.verbs).not.toContain('create');
    expect(kind?.verbs).toContain('delete');
  });
});
