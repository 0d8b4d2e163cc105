import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { builtinCatalog } from '../../api/index.ts';
import type { KindInfo, KubeObject, Schema } from '../../api/index.ts';
import { clone, freeze, isObject, difference, union } from '../../base/index.ts';
import { fieldSetOf } from '../fields/field-set-of.ts';
import { typeOfKind } from '../fields/field-type.ts';
import { PatchError } from '../patch-error.ts';
import { applyPatch } from './apply.ts';
import type { ApplyResult } from './apply.ts';
import { conflictError } from './conflicts.ts';
import type { ManagedFieldsEntry } from './entries.ts';
import { trackUpdate } from './track-update.ts';
import { unownable } from './tracked-type.ts';

const catalog = builtinCatalog();
const { definitions } = catalog;
const deployments = catalog.byKind('apps/v1', 'Deployment') as KindInfo;
const text: Schema = { type: 'string' };
const schema: Schema = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: {
        map: { type: 'object', additionalProperties: text },
        list: {
          type: 'array',
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['name'],
          items: { type: 'object', properties: { name: text, x: text, y: text } },
        },
        set: { type: 'array', 'x-kubernetes-list-type': 'set', items: text },
        atomic: { type: 'array', items: text },
        free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
      },
    },
  },
};
const widgets = { group: 'example.com', version: 'v1', kind: 'Widget', schema, custom: true, status: false };
const now = '2026-01-01T00:00:00Z';

type Spec = Readonly<Record<string, unknown>>;

interface Widget extends KubeObject {
  readonly spec?: Spec;
}

function widget(spec?: Spec): Widget {
  return freeze({
    apiVersion: 'example.com/v1',
    kind: 'Widget',
    metadata: { name: 'w' },
    ...(spec && { spec: clone(spec) }),
  });
}

function tryApply(live: KubeObject | undefined, manager: string, applied: KubeObject, force = false): ApplyResult {
  return applyPatch({ live, applied, manager, force, now, kind: widgets, definitions });
}

function apply(live: Widget | undefined, manager: string, spec?: Spec, force = false): Widget {
  const result = tryApply(live, manager, widget(spec), force);
  if ('object' in result) return freeze(result.object);
  throw conflictError(result.conflicts);
}

function entryOf(object: KubeObject, manager: string): ManagedFieldsEntry | undefined {
  return (object.metadata.managedFields as readonly ManagedFieldsEntry[] | undefined)?.find(
    (one) => one.manager === manager,
  );
}

function withoutEmpty(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutEmpty);
  if (!isObject(value)) return value;
  const members = Object.entries(value).map(([key, member]) => [key, withoutEmpty(member)] as const);
  return Object.fromEntries(
    members.filter(([, member]) => typeof member !== 'object' || member === null || Object.keys(member).length > 0),
  );
}

describe('a custom kind', () => {
  test('containers that an applier empties go, their parents stay', () => {
    const live = apply(undefined, 'a', { map: { k: 'v' }, list: [{ name: 'x' }], free: { a: { b: 1 } } });
    expect(apply(live, 'a', {}).spec).toEqual({});
    expect(apply(live, 'a', { free: {} }).spec).toEqual({ free: {} });
  });

  test('a container that another owns is emptied, and stays', () => {
    const live = apply(apply(undefined, 'a', { free: { x: { y: 1 } } }), 'b', { free: { x: {} } });
    const left = apply(live, 'a', {});
    expect(left.spec).toEqual({ free: { x: {} } });
    expect(entryOf(left, 'b')?.fieldsV1).toEqual({ 'f:spec': { 'f:free': { 'f:x': {} } } });
  });

  test('null that is applied is kept, for it may be a value', () => {
    expect(apply(undefined, 'a', { free: { x: null }, map: { k: 'v' } }).spec).toEqual({
      free: { x: null },
      map: { k: 'v' },
    });
  });

  test('conflicts name owner and path', () => {
    const live = apply(undefined, 'a', { list: [{ name: 'n', x: '1' }], atomic: ['q'] });
    expect(() => apply(live, 'b', { list: [{ name: 'n', x: '2' }], atomic: [] })).toThrow(
      'Apply failed with 2 conflicts: conflicts with "a":\n- .spec.atomic\n- .spec.list[name="n"].x',
    );
  });

  test('a client may not send managedFields, or another kind', () => {
    const applied = widget({});
    const managed = { ...applied, metadata: { ...applied.metadata, managedFields: [] } };
    expect(() => tryApply(undefined, 'a', managed)).toThrow('metadata.managedFields must be nil');
    expect(() => tryApply(undefined, 'a', { ...applied, apiVersion: 'v1' })).toThrow(
      'invalid object type: /v1, Kind=Widget',
    );
  });

  test('several mistakes are told together', () => {
    expect(() => tryApply(undefined, 'a', widget({ map: 1, set: 'x' }))).toThrow(
      'failed to create typed patch object (/w; example.com/v1, Kind=Widget): errors:\n  .spec.map: expected map, got &{1}\n  .spec.set: expected list, got &{x}',
    );
  });
});

const names = fc.constantFrom('a', 'b', 'c', 'd');
const values = fc.constantFrom('1', '2');
const items = fc.uniqueArray(fc.record({ name: names, x: values, y: values }, { requiredKeys: ['name'] }), {
  selector: ({ name }) => name,
  maxLength: 3,
});
const specs = fc.record(
  {
    map: fc.dictionary(names, values, { maxKeys: 3 }),
    list: items,
    set: fc.uniqueArray(names, { maxLength: 3 }),
    atomic: fc.array(values, { maxLength: 2 }),
    free: fc.dictionary(names, fc.jsonValue({ maxDepth: 2 }), { maxKeys: 2 }),
  },
  { requiredKeys: [] },
);

/** The spec with other names: what one applies does not touch what the other does. */
function renamed(spec: Spec): Spec {
  const rename = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(rename);
    if (typeof value === 'string' && /^[a-d]$/.test(value)) return `other-${value}`;
    return isObject(value) ? Object.fromEntries(Object.entries(value).map(([key, one]) => [key, rename(one)])) : value;
  };
  const { map, list, set } = spec as { map?: Spec; list?: unknown; set?: unknown };
  const keys = map && Object.fromEntries(Object.entries(map).map(([key, value]) => [`other-${key}`, value]));
  return {
    ...(keys && { map: keys }),
    ...(list !== undefined && { list: rename(list) }),
    ...(set !== undefined && { set: rename(set) }),
  };
}

describe('properties', () => {
  test('applying the same again is nothing, for the object itself is returned', () => {
    fc.assert(
      fc.property(specs, specs, (first, spec) => {
        const live = apply(apply(undefined, 'other', first), 'a', spec, true);
        expect(apply(live, 'a', spec)).toBe(live);
      }),
    );
  });

  test('an applier owns what it applies, and nothing else', () => {
    fc.assert(
      fc.property(specs, specs, specs, (first, before, spec) => {
        const live = apply(apply(apply(undefined, 'other', first), 'a', before, true), 'a', spec, true);
        const wanted = difference(fieldSetOf(widget(spec), typeOfKind(widgets, definitions)), unownable);
        expect(entryOf(live, 'a')?.fieldsV1 ?? {}).toEqual(wanted);
      }),
    );
  });

  test('appliers of different fields never conflict, and one that gives up leaves what the other had', () => {
    fc.assert(
      fc.property(specs, specs, (first, second) => {
        const alone = apply(undefined, 'a', first);
        const together = apply(alone, 'b', renamed(second));
        expect(entryOf(together, 'a')).toEqual(entryOf(alone, 'a'));
        const left = apply(together, 'b');
        expect(withoutEmpty(left.spec ?? {})).toEqual(withoutEmpty(alone.spec ?? {}));
        expect(entryOf(left, 'b')).toBeUndefined();
      }),
    );
  });

  test('a conflict is a field of another that would change; force takes it over', () => {
    fc.assert(
      fc.property(specs, specs, (first, second) => {
        const live = apply(undefined, 'a', first);
        const result = tryApply(live, 'b', widget(second));
        const forced = apply(live, 'b', second, true);
        const kept = entryOf(forced, 'a')?.fieldsV1 ?? {};
        const had = entryOf(live, 'a')?.fieldsV1 ?? {};
        if ('object' in result) expect(kept).toEqual(had);
        else expect(union(kept, had)).not.toEqual(kept);
      }),
    );
  });

  test('after an update no other updater owns what changed', () => {
    fc.assert(
      fc.property(specs, specs, (first, second) => {
        const scope = { now, kind: widgets, definitions };
        const live = freeze(trackUpdate({ before: undefined, after: widget(first), manager: 'one', ...scope }));
        const next = trackUpdate({ before: live, after: widget(second), manager: 'two', ...scope });
        const [one, two] = [entryOf(next, 'one')?.fieldsV1 ?? {}, entryOf(next, 'two')?.fieldsV1 ?? {}];
        expect(difference(one, two)).toEqual(one);
        const all = fieldSetOf(widget(second), typeOfKind(widgets, definitions));
        expect(difference(difference(all, unownable), union(one, two))).toEqual({});
      }),
    );
  });

  test('every configuration is applied or refused, and every stored field is tracked', () => {
    const keys = fc.constantFrom(
      'spec',
      'metadata',
      'status',
      'template',
      'containers',
      'ports',
      'name',
      'env',
      'strategy',
      'labels',
      '__proto__',
      'finalizers',
    );
    const { tree } = fc.letrec((tie) => ({
      leaf: fc.oneof(fc.constantFrom('a', '', 0, 1, true, null), fc.jsonValue({ maxDepth: 1 })),
      tree: fc.oneof(
        { maxDepth: 5 },
        tie('leaf'),
        fc.dictionary(keys, tie('tree'), { maxKeys: 4 }),
        fc.array(tie('tree'), { maxLength: 3 }),
      ),
    }));
    const objects = fc.dictionary(keys, tree, { maxKeys: 4 }).map((parts) =>
      freeze(
        JSON.parse(
          JSON.stringify({
            ...parts,
            apiVersion: 'apps/v1',
            kind: 'Deployment',
            metadata: { name: 'w', ...(isObject(parts['metadata']) ? parts['metadata'] : {}) },
          }),
        ) as KubeObject,
      ),
    );
    const scope = { kind: deployments, definitions, now, manager: 'm' };
    fc.assert(
      fc.property(objects, objects, (live, applied) => {
        const stored = freeze(trackUpdate({ before: undefined, after: live, ...scope }));
        trackUpdate({ before: stored, after: applied, ...scope });
        try {
          const result = applyPatch({ live: stored, applied, force: true, ...scope });
          expect(result).toHaveProperty('object');
        } catch (error) {
          expect(error).toBeInstanceOf(PatchError);
        }
      }),
      { numRuns: 300 },
    );
  });
});
