import type { KubeObject } from '../../src/api/index.ts';
import { scenario } from '../kit/scenario.ts';

const apiextensions = 'apiextensions.k8s.io/v1';
const foos: KubeObject = {
  apiVersion: apiextensions,
  kind: 'CustomResourceDefinition',
  metadata: { name: 'foos.example.karmada.io' },
  spec: {
    group: 'example.karmada.io',
    scope: 'Namespaced',
    names: { kind: 'Foo', listKind: 'FooList', plural: 'foos', singular: 'foo' },
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
  },
} as KubeObject;

scenario(
  'A definition in a group that ends in karmada.io and is not ours goes where its policy says',
  async ({ admin, user, policy, expect }) => {
    const select = [{ apiVersion: apiextensions, kind: 'CustomResourceDefinition', name: foos.metadata.name }];
    await admin.creates(policy('definitions', { to: ['member1', 'member2'], select }));
    await user.creates(foos);
    await expect(foos).runsOn('member1', 'member2');
  },
  { scopes: ['cluster'] },
);
