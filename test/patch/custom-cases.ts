import { create, apply, merge } from './story.ts';
import type { Body, Case, Step } from './story.ts';

const widgets = '/apis/example.com/v1/namespaces/default/widgets';

function widget(spec: Body | undefined, more: Body = {}): Body {
  return { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'w' }, ...(spec && { spec }), ...more };
}

function onWidget(name: string, ...steps: readonly Step[]): Case {
  return { name, resource: widgets, object: 'w', steps };
}

/** The schema of the custom kind that the cases below use. */
export const widgetSchema = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: {
        size: { type: 'integer' },
        tags: { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'string' } },
        parts: {
          type: 'array',
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['name', 'zone'],
          items: {
            type: 'object',
            required: ['name'],
            properties: {
              name: { type: 'string' },
              zone: { type: 'string', default: 'any' },
              count: { type: 'integer' },
            },
          },
        },
        plain: { type: 'array', items: { type: 'object', properties: { a: { type: 'integer' } } } },
        color: {
          type: 'object',
          'x-kubernetes-map-type': 'atomic',
          properties: { r: { type: 'integer' }, g: { type: 'integer' } },
        },
        free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
        port: { 'x-kubernetes-int-or-string': true },
        nested: {
          type: 'object',
          properties: { deep: { type: 'object', properties: { a: { type: 'string' }, b: { type: 'string' } } } },
        },
      },
    },
    status: { type: 'object', properties: { phase: { type: 'string' } } },
  },
} as const;

/** The definition of that kind. */
export const widgetDefinition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: { openAPIV3Schema: widgetSchema },
      },
    ],
  },
};

/** A custom kind. */
export const custom: readonly Case[] = [
  onWidget(
    'a custom kind',
    create(
      widget({
        size: 1,
        tags: ['a'],
        parts: [{ name: 'p', zone: 'any', count: 1 }],
        color: { r: 1 },
        free: { a: { b: [1, { c: 2 }] } },
        nested: { deep: { a: 'x' } },
      }),
    ),
    merge({ spec: { size: 2, free: { a: { z: 1 } }, nested: { deep: { b: 'y' } } } }),
    merge({ spec: { nested: null, tags: ['a', 'b'] } }, { manager: 'two' }),
    apply('a', widget({ tags: ['c'], parts: [{ name: 'q', zone: 'x' }], color: { g: 2 } })),
    apply('a', widget({ tags: ['c'], parts: [{ name: 'q', zone: 'x' }], color: { g: 2 } }), { force: true }),
    apply('a', widget({ tags: ['d', 'a'], free: { x: { y: 1 } }, port: 'http' })),
    apply('a', widget({ free: { x: { w: 1 } }, port: 80 })),
    apply('a', widget(undefined)),
  ),
  onWidget(
    'lists of a custom kind from two appliers',
    apply(
      'a',
      widget({
        parts: [
          { name: 'p', zone: 'any', count: 1 },
          { name: 'q', zone: 'any' },
        ],
        plain: [{ a: 1 }],
        nested: { deep: { a: '1' } },
      }),
    ),
    apply(
      'b',
      widget({
        parts: [
          { name: 'p', zone: 'east', count: 2 },
          { name: 'q', zone: 'any', count: 3 },
        ],
        nested: { deep: { b: '2' } },
      }),
    ),
    apply('a', widget({ parts: [{ name: 'q', zone: 'any' }], nested: {} })),
    apply('a', widget({})),
  ),
  onWidget(
    'the status of a custom kind',
    apply('a', widget({ size: 1 }, { status: { phase: 'x' } })),
    apply('s', widget({ size: 2 }, { status: { phase: 'y' } }), { subresource: 'status' }),
    merge({ status: { phase: 'z' } }, { subresource: 'status' }),
  ),
  onWidget(
    'nulls and empties of a custom kind',
    create(widget({ size: 1, free: { a: 1, b: { c: 2 } }, tags: [], nested: {} })),
    merge({ spec: { free: { b: { c: null, d: null }, e: { f: null } }, tags: null } }),
    merge({ spec: { nested: { deep: {} }, plain: [{ a: null }] } }),
    apply('a', widget({ nested: { deep: {} }, free: {} })),
    apply('a', widget({ nested: {}, free: { q: {} } })),
    apply('b', widget({ tags: [], parts: [] })),
  ),
];
