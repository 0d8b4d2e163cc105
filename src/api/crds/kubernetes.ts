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
      matchLabels: texts('Labels with these values; each is the same as an In with one value.'),
      matchExpressions: list(
        'Requirements of labels; all must match.',
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
        'Alternatives: a node matches if it meets all requirements of one of them.',
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
    key: string('The key of the tolerated taints; empty with the operator Exists: any key.'),
    operator: string('Equal: the value must be the same, too. Exists: any value matches. Default Equal.'),
    value: string('The value of the tolerated taints, with the operator Equal.'),
    effect: string('The effect of the tolerated taints; empty: any effect.'),
    tolerationSeconds: int64(
      'The number of seconds for which a taint with the effect NoExecute is tolerated; absent: forever.',
    ),
  });

/** core/v1 Taint */
export const taint = (): Schema =>
  object(
    {
      key: string('The name of the taint, for example example.com/maintenance.'),
      value: string('The value, for tolerations with the operator Equal.'),
      effect: string(
        'NoSchedule: workloads without a toleration are not placed there. NoExecute: with the feature gate Failover, running ones are evicted, too.',
      ),
      timeAdded: time(
        'The time when the taint was added; filled in for NoExecute, where tolerationSeconds count from it.',
      ),
    },
    ['key', 'effect'],
  );

/** The members that every condition has. */
export const conditionStatus = (): Schema =>
  choice('The status of the condition: True, False or Unknown.', ['True', 'False', 'Unknown']);

const reason = string('The reason in one word, for programs.', {
  minLength: 1,
  maxLength: 1024,
  pattern: '^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$',
});

/** metav1.Condition */
const conditionWith = (reasonSchema: Schema): Schema =>
  object(
    {
      type: string('The type of the condition, for example Ready.', {
        maxLength: 316,
        pattern:
          '^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$',
      }),
      status: conditionStatus(),
      reason: reasonSchema,
      message: string('The message, for people.', { maxLength: 32768 }),
      lastTransitionTime: time('The time since which the condition has this status.'),
      observedGeneration: int64('The generation of the object that the condition reflects.', { minimum: 0 }),
    },
    ['type', 'status', 'reason', 'message', 'lastTransitionTime'],
  );

const condition = conditionWith(reason);

/** The conditions of a status. */
export const conditions = (description = 'The conditions of this object.'): Schema => list(description, condition);

/** Conditions that others report too: Karmada demands no reason of them, and its clients write none. */
export const reportedConditions = (description: string): Schema =>
  list(description, conditionWith(string('The reason in one word, for programs; may be empty.', { maxLength: 1024 })));

/** autoscaling/v2 CrossVersionObjectReference */
export const scaleTarget = (description: string): Schema =>
  about(
    description,
    object(
      {
        apiVersion: string('The apiVersion of the object, for example apps/v1.'),
        kind: string('The kind of the object, for example Deployment.'),
        name: string('The name of the object, in the same namespace.'),
      },
      ['kind', 'name'],
    ),
  );

const loadBalancerPort = object(
  {
    port: int32('The number of the port.'),
    protocol: string('The protocol of the port: TCP, UDP or SCTP.', { default: 'TCP' }),
    error: string('The reason why the port cannot be reached, in one word; absent while it can.', { maxLength: 316 }),
  },
  ['port', 'protocol'],
);

/** networking/v1 and core/v1: where a load balancer is reached. */
export const loadBalancerStatus = (): Schema =>
  about(
    'The status of the load balancer.',
    object({
      ingress: list(
        'The addresses of the load balancer.',
        object({
          hostname: string('The address as a DNS name.'),
          ip: string('The address as an IP.'),
          ipMode: string(
            'How packets to the IP arrive at nodes: VIP with that address, Proxy with the address of the node.',
          ),
          ports: list('The ports of the address, and their errors.', loadBalancerPort),
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
        object({
          timeoutSeconds: int32('The number of seconds after its last request for which a client keeps its endpoint.'),
        }),
      ),
    }),
  );
