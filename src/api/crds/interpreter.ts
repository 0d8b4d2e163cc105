import type { CustomResourceDefinition } from '../crd.ts';
import type { Schema } from '../schema.ts';
import { about, age, column, crd, int32, list, object, string, strings } from './build.ts';

const group = 'config.karmada.io';

const script = (description: string): Schema => about(description, object({ luaScript: string() }, ['luaScript']));

const customization = crd({
  group,
  kind: 'ResourceInterpreterCustomization',
  plural: 'resourceinterpretercustomizations',
  scope: 'Cluster',
  shortNames: ['ric'],
  description: 'Tells how to read and change objects of one kind, in Lua.',
  columns: [column('TARGET-API-VERSION', '.spec.target.apiVersion'), column('TARGET-KIND', '.spec.target.kind'), age()],
  parts: {
    spec: object(
      {
        target: object({ apiVersion: string(), kind: string() }, ['apiVersion', 'kind']),
        customizations: object({
          retention: script('Which fields the member keeps.'),
          replicaResource: script('How many replicas an object wants, and what each needs.'),
          componentResource: script('The components of an object, and what each needs.'),
          replicaRevision: script('Sets the number of replicas.'),
          statusReflection: script('Which part of the status to collect.'),
          statusAggregation: script('Makes one status of those of the members.'),
          healthInterpretation: script('Whether an object is healthy.'),
          dependencyInterpretation: script('Which objects go along.'),
        }),
      },
      ['target', 'customizations'],
    ),
  },
});

const clientConfig = object({
  url: string(),
  service: object({ namespace: string(), name: string(), path: string(), port: int32() }, ['namespace', 'name']),
  caBundle: string({ format: 'byte' }),
});

const rule = object({ operations: strings(), apiGroups: strings(), apiVersions: strings(), kinds: strings() }, [
  'operations',
  'apiGroups',
  'apiVersions',
  'kinds',
]);

const webhook = object(
  {
    name: string(),
    clientConfig,
    rules: list(rule),
    timeoutSeconds: int32(),
    interpreterContextVersions: strings(),
  },
  ['name', 'clientConfig', 'interpreterContextVersions'],
);

const webhookConfiguration = crd({
  group,
  kind: 'ResourceInterpreterWebhookConfiguration',
  plural: 'resourceinterpreterwebhookconfigurations',
  scope: 'Cluster',
  description: 'Tells how to read and change objects by asking webhooks.',
  parts: { webhooks: list(webhook) },
  required: ['webhooks'],
});

/** What teaches the hub about kinds it does not know. */
export const interpreterCrds: readonly CustomResourceDefinition[] = [customization, webhookConfiguration];
