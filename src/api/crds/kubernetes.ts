import type { Schema } from '../schema.ts';
import { about, choice, int32, int64, list, map, object, string, strings, texts, time } from './build.ts';

/** The number format of Kubernetes: 100m, 1.5Gi, 2e3. */
export const quantity = (): Schema => ({
  anyOf: [{ type: 'integer' }, { type: 'string' }],
  pattern:
    '^(\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))))?$',
  'x-kubernetes-int-or-string': true,
});

/** Amounts by resource name: `cpu: 2`, `memory: 4Gi`. */
export const resourceList = (description: string): Schema => map(description, quantity());

const labelOperators = 'In, NotIn, Exists or DoesNotExist';

/** metav1.LabelSelector */
export const labelSelector = (description: string): Schema =>
  object(
    {
      matchLabels: texts('Labels that must be there with these values; each is the same as an In with one value.'),
      matchExpressions: list(
        'Requirements of labels, which all must hold.',
        requirement('The key of the label.', labelOperators),
        {
          'x-kubernetes-list-type': 'atomic',
        },
      ),
    },
    [],
    { description, 'x-kubernetes-map-type': 'atomic' },
  );

/** A key, an operator and values, as label, node and field selectors have them. */
export const requirement = (key: string, operators: string): Schema =>
  object(
    {
      key: string(key),
      operator: string(`How it is compared with the values: ${operators}.`),
      values: strings('The values to compare with; none for the operators Exists and DoesNotExist.', {
        'x-kubernetes-list-type': 'atomic',
      }),
    },
    ['key', 'operator'],
  );

const nodeOperators = `${labelOperators}, and for whole numbers Gt or Lt`;

/** core/v1 NodeSelector */
export const nodeSelector = (description: string): Schema =>
  object(
    {
      nodeSelectorTerms: list(
        'Alternatives: a node suits that meets all requirements of one of them.',
        object(
          {
            matchExpressions: list(
              'Requirements of the labels of a node.',
              requirement('The key of the label.', nodeOperators),
            ),
            matchFields: list(
              'Requirements of the fields of a node.',
              requirement('The path of the field.', nodeOperators),
            ),
          },
          [],
          { 'x-kubernetes-map-type': 'atomic' },
        ),
        { 'x-kubernetes-list-type': 'atomic' },
      ),
    },
    ['nodeSelectorTerms'],
    { description, 'x-kubernetes-map-type': 'atomic' },
  );

/** core/v1 Toleration */
export const toleration = (): Schema =>
  object({
    key: string('The key of the taints that are tolerated; empty with the operator Exists: any key.'),
    operator: string('Equal: the value must be the same, too. Exists: any value will do. Default Equal.'),
    value: string('The value of the taints that are tolerated, with the operator Equal.'),
    effect: string('The effect of the taints that are tolerated; empty: any effect.'),
    tolerationSeconds: int64('For how many seconds a taint with the effect NoExecute is tolerated; absent: for good.'),
  });

/** core/v1 Taint */
export const taint = (): Schema =>
  object(
    {
      key: string('The name of the taint, as example.com/maintenance.'),
      value: string('A value that tolerations may ask for.'),
      effect: string(
        'NoSchedule: nothing new comes that does not tolerate it. NoExecute: with the feature gate Failover what runs must leave, too.',
      ),
      timeAdded: time('When the taint was added; filled in for NoExecute, from when tolerationSeconds count.'),
    },
    ['key', 'effect'],
  );

/** The members that every condition has. */
export const conditionStatus = (): Schema =>
  choice('Whether it holds: True, False, or Unknown while nobody can tell.', ['True', 'False', 'Unknown']);

/** metav1.Condition */
const condition = object(
  {
    type: string('What the condition speaks of, as Ready.', {
      maxLength: 316,
      pattern:
        '^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$',
    }),
    status: conditionStatus(),
    reason: string('Why, in one word for programs.', {
      minLength: 1,
      maxLength: 1024,
      pattern: '^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$',
    }),
    message: string('Why, in words for people.', { maxLength: 32768 }),
    lastTransitionTime: time('Since when the status of the condition is what it is.'),
    observedGeneration: int64('The generation of the object that the condition speaks of.', { minimum: 0 }),
  },
  ['type', 'status', 'reason', 'message', 'lastTransitionTime'],
);

/** The conditions of a status. */
export const conditions = (description = 'What holds of this object at the moment.'): Schema =>
  list(description, condition);

/** autoscaling/v2 CrossVersionObjectReference */
export const scaleTarget = (description: string): Schema =>
  about(
    description,
    object(
      {
        apiVersion: string('The apiVersion of the object, as apps/v1.'),
        kind: string('The kind of the object, as Deployment.'),
        name: string('The name of the object, in the same namespace.'),
      },
      ['kind', 'name'],
    ),
  );

const loadBalancerPort = object(
  {
    port: int32('The number of the port.'),
    protocol: string('The protocol of the port: TCP, UDP or SCTP.', { default: 'TCP' }),
    error: string('Why the port cannot be reached, in one word; absent while it can.', { maxLength: 316 }),
  },
  ['port', 'protocol'],
);

/** networking/v1 and core/v1: where a load balancer is reached. */
export const loadBalancerStatus = (): Schema =>
  about(
    'Where the load balancer is reached.',
    object({
      ingress: list(
        'The addresses of the load balancer.',
        object({
          hostname: string('The address as a DNS name.'),
          ip: string('The address as an IP.'),
          ipMode: string('How packets to the IP arrive at nodes: VIP with that address, Proxy with the node’s own.'),
          ports: list('The ports of the address, and what is wrong with them.', loadBalancerPort),
        }),
      ),
    }),
  );

/** core/v1 SessionAffinityConfig */
export const sessionAffinityConfig = (): Schema =>
  about(
    'The settings of the session affinity.',
    object({
      clientIP: about(
        'The settings for affinity by the address of the client.',
        object({ timeoutSeconds: int32('For how many seconds after its last request a client keeps its endpoint.') }),
      ),
    }),
  );
