import type { CustomResourceDefinition } from '../crd.ts';
import type { Schema } from '../schema.ts';
import { about, age, column, crd, int32, list, object, string, strings } from './build.ts';

const group = 'config.karmada.io';

const script = (description: string, functionName: string): Schema =>
  about(description, object({ luaScript: string(`The script, with a function ${functionName}.`) }, ['luaScript']));

const customizations = object({
  retention: script('Which fields the member keeps when the object is written.', 'Retain'),
  replicaResource: script('How many replicas an object wants, and what each needs.', 'GetReplicas'),
  componentResource: script('The components of an object, and what each needs.', 'GetComponents'),
  replicaRevision: script('Sets the number of replicas of an object.', 'ReviseReplica'),
  statusReflection: script('Which part of the status is collected.', 'ReflectStatus'),
  statusAggregation: script('Makes one status of those of the members.', 'AggregateStatus'),
  healthInterpretation: script('Whether an object is healthy.', 'InterpretHealth'),
  dependencyInterpretation: script('Which objects an object needs.', 'GetDependencies'),
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
      'The kind, and what there is to know about it.',
      object(
        {
          target: about(
            'The kind that the scripts are for.',
            object({ apiVersion: string('The apiVersion of the kind.'), kind: string('The kind.') }, [
              'apiVersion',
              'kind',
            ]),
          ),
          customizations: about('A script for each question; what is left out is not answered here.', customizations),
        },
        ['target', 'customizations'],
      ),
    ),
  },
});

const clientConfig = object({
  url: string('The address of the webhook, with https://. Excludes service.'),
  service: about(
    'The Service behind which the webhook is found. Excludes url.',
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
  caBundle: string('The certificates by which the webhook is recognised, PEM in base64.', { format: 'byte' }),
});

const rule = object(
  {
    operations: strings('The questions that are asked, as InterpretHealth; * alone: all.'),
    apiGroups: strings('The groups of the objects; * alone: all.'),
    apiVersions: strings('The versions of the objects; * alone: all.'),
    kinds: strings('The kinds of the objects; * alone: all.'),
  },
  ['operations', 'apiGroups', 'apiVersions', 'kinds'],
);

const webhook = object(
  {
    name: string('The name of the webhook, as health.example.com; no other has it.'),
    clientConfig: about('Where the webhook is reached: url or service.', clientConfig),
    rules: list('What it is asked about.', rule),
    timeoutSeconds: int32('How many seconds an answer may take, from 1 to 30.'),
    interpreterContextVersions: strings(
      'The versions of the question that it understands; v1alpha1 must be among them.',
    ),
  },
  ['name', 'clientConfig', 'interpreterContextVersions'],
);

const webhookConfiguration = crd({
  group,
  kind: 'ResourceInterpreterWebhookConfiguration',
  plural: 'resourceinterpreterwebhookconfigurations',
  scope: 'Cluster',
  description: 'Tells which webhooks know how to read and change objects. Checked and kept; no webhook is asked yet.',
  parts: { webhooks: list('The webhooks.', webhook) },
  required: ['webhooks'],
});

/** Kinds that teach the hub about unknown kinds. */
export const interpreterCrds: readonly CustomResourceDefinition[] = [customization, webhookConfiguration];
