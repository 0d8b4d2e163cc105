/** The kinds that the fuzzer writes: every built-in kind, every kind of ours, and one of a definition of its own. */
import { builtinCatalog, catalogWith, crds } from '../../../src/api/index.ts';
import type { Catalog, CustomResourceDefinition } from '../../../src/api/index.ts';
import { kindsOf } from '../../../src/schema/crd/index.ts';

/** A definition with all that a schema can say: set and map lists, defaults, CEL, unknown fields, status and scale. */
export const widgets: CustomResourceDefinition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.hostile.example.com' },
  spec: {
    group: 'hostile.example.com',
    names: { plural: 'widgets', kind: 'Widget', singular: 'widget', listKind: 'WidgetList' },
    scope: 'Namespaced',
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: { status: {}, scale: { specReplicasPath: '.spec.size', statusReplicasPath: '.status.size' } },
        additionalPrinterColumns: [{ name: 'Size', type: 'integer', jsonPath: '.spec.size' }],
        selectableFields: [{ jsonPath: '.spec.name' }],
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: {
                type: 'object',
                required: ['size'],
                'x-kubernetes-validations': [{ rule: 'self.size < 1000', message: 'too large' }],
                properties: {
                  size: { type: 'integer', format: 'int32', minimum: 0 },
                  name: { type: 'string', maxLength: 20, pattern: '^[a-z]*$', default: 'none' },
                  either: { 'x-kubernetes-int-or-string': true },
                  maybe: { type: 'string', nullable: true },
                  tags: { type: 'array', maxItems: 9, items: { type: 'string' }, 'x-kubernetes-list-type': 'set' },
                  ports: {
                    type: 'array',
                    'x-kubernetes-list-type': 'map',
                    'x-kubernetes-list-map-keys': ['name'],
                    items: {
                      type: 'object',
                      required: ['name'],
                      properties: { name: { type: 'string' }, port: { type: 'integer' } },
                    },
                  },
                  limits: { type: 'object', additionalProperties: { type: 'number' } },
                  anything: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
                },
              },
              status: { type: 'object', properties: { size: { type: 'integer' } } },
            },
          },
        },
      },
    ],
  },
};

/** Every kind, as a hub that has our definitions and `widgets` serves it. */
export const catalog: Catalog = catalogWith(builtinCatalog(), [...crds(), widgets].flatMap(kindsOf));
