import type { CustomResourceDefinition } from '../crd.ts';
import type { Schema } from '../schema.ts';
import { about, age, column, crd, int32, list, object, string, strings } from './build.ts';

const group = 'config.karmada.io';

const script = (description: string, functionName: string): Schema =>
  about(description, object({ luaScript: string(`The script, with a function ${functionName}.`) }, ['luaScript']));

const customizations = object({
  retention: script('Tells which fields the member keeps when the object is written.', 'Retain'),
  replicaResource: script('Tells how many replicas an object wants, and the requirements of each.', 'GetReplicas'),
  componentResource: script('Tells the components of an object, and the requirements of each.', 'GetComponents'),
  replicaRevision: script('Sets the number of replicas of an object.', 'ReviseReplica'),
  statusReflection: script('Tells which part of the status is collected.', 'ReflectStatus'),
  statusAggregation: script('Aggregates the statuses of the members into one.', 'AggregateStatus'),
  healthInterpretation: script('Tells whether an object is healthy.', 'InterpretHealth'),
  dependencyInterpretation: script('Tells the dependencies of an object.', 'GetDependencies'),
});

const customization = crd({
  group,
  kind: 'ResourceInterpreterCustomization',
  plural: 'resourceinterpretercustomizations',
  scope: 'Cluster',
  shortNames: ['ric'],
  description: 'Tells in Lua how to read and change objects of one kind.',
  columns: [column('TARGET-API-VERSION', '.spec.target.apiVersion'), column('TARGET-KIND', '.spec.target.kind'), age()],
  parts: {
    spec: about(
      'The kind, and its scripts.',
      object(
        {
          target: about(
            'The kind to which the scripts apply.',
            object({ apiVersion: string('The apiVersion of the kind.'), kind: string('The kind.') }, [
              'apiVersion',
              'kind',
            ]),
          ),
          customizations: about(
            'A script for each operation; operations without a script use the default.',
            customizations,
          ),
        },
        ['target', 'customizations'],
      ),
    ),
  },
});

const clientConfig = object({
  url: string('The address of the webhook, with https://. Excludes service.'),
  service: about(
    'The Service of the webhook. Excludes url.',
    object(
      {
        namespace: string('The namespace of the Service.'),
        name: string('The name of the Service.'),
        path: string('The path of the request.'),
        port: int32('The port of the Service.'),
      },
      ['namespace', 'name'],
    ),
  ),
  caBundle: string('The CA certificates of the webhook, PEM in base64.', { format: 'byte' }),
});

const rule = object(
  {
    operations: strings('The operations of the webhook, for example InterpretHealth; * alone: all.'),
    apiGroups: strings('The groups of the objects; * alone: all.'),
    apiVersions: strings('The versions of the objects; * alone: all.'),
    kinds: strings('The kinds of the objects; * alone: all.'),
  },
  ['operations', 'apiGroups', 'apiVersions', 'kinds'],
);

const webhook = object(
  {
    name: string('The unique name of the webhook, for example health.example.com.'),
    clientConfig: about('The address of the webhook: url or service.', clientConfig),
    rules: list('The operations and objects for which it is called.', rule),
    timeoutSeconds: int32('The timeout of a call in seconds, from 1 to 30.'),
    interpreterContextVersions: strings(
      'The versions of the request that it understands; v1alpha1 must be among them.',
    ),
  },
  ['name', 'clientConfig', 'interpreterContextVersions'],
);

const webhookConfiguration = crd({
  group,
  kind: 'ResourceInterpreterWebhookConfiguration',
  plural: 'resourceinterpreterwebhookconfigurations',
  scope: 'Cluster',
  description: 'Webhooks that read and change objects of some kinds. Validated and stored; no webhook is called yet.',
  parts: { webhooks: list('The webhooks.', webhook) },
  required: ['webhooks'],
});

/** Kinds that teach the hub about unknown kinds. */
export const interpreterCrds: readonly CustomResourceDefinition[] = [customization, webhookConfiguration];
