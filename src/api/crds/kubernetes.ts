import type { Schema } from '../schema.ts';
import { about, choice, int32, int64, list, map, object, string, strings, time } from './build.ts';

/** The number format of Kubernetes: 100m, 1.5Gi, 2e3. */
export const quantity = (): Schema => ({
  anyOf: [{ type: 'integer' }, { type: 'string' }],
  pattern:
    '^(\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))))?$',
  'x-kubernetes-int-or-string': true,
});

/** Amounts by resource name: `cpu: 2`, `memory: 4Gi`. */
export const resourceList = (): Schema => map(quantity());

/** metav1.LabelSelector */
export const labelSelector = (): Schema =>
  object(
    {
      matchLabels: map(string()),
      matchExpressions: list(requirement(string()), { 'x-kubernetes-list-type': 'atomic' }),
    },
    [],
    { 'x-kubernetes-map-type': 'atomic' },
  );

/** A key, an operator and values, as label, node and field selectors have them. */
export const requirement = (operator: Schema): Schema =>
  object({ key: string(), operator, values: strings({ 'x-kubernetes-list-type': 'atomic' }) }, ['key', 'operator']);

/** core/v1 NodeSelector */
export const nodeSelector = (): Schema =>
  object(
    {
      nodeSelectorTerms: list(
        object({ matchExpressions: list(requirement(string())), matchFields: list(requirement(string())) }, [], {
          'x-kubernetes-map-type': 'atomic',
        }),
        { 'x-kubernetes-list-type': 'atomic' },
      ),
    },
    ['nodeSelectorTerms'],
    { 'x-kubernetes-map-type': 'atomic' },
  );

/** core/v1 Toleration */
export const toleration = (): Schema =>
  object({
    key: string(),
    operator: string(),
    value: string(),
    effect: string(),
    tolerationSeconds: int64(),
  });

/** core/v1 Taint */
export const taint = (): Schema =>
  object({ key: string(), value: string(), effect: string(), timeAdded: time() }, ['key', 'effect']);

/** metav1.Condition */
export const condition = (): Schema =>
  object(
    {
      type: string({
        maxLength: 316,
        pattern:
          '^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$',
      }),
      status: choice('True', 'False', 'Unknown'),
      reason: string({ minLength: 1, maxLength: 1024, pattern: '^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$' }),
      message: string({ maxLength: 32768 }),
      lastTransitionTime: time(),
      observedGeneration: int64({ minimum: 0 }),
    },
    ['type', 'status', 'reason', 'message', 'lastTransitionTime'],
  );

/** The conditions of a status. */
export const conditions = (): Schema => about('What holds of this object at the moment.', list(condition()));

/** autoscaling/v2 CrossVersionObjectReference */
export const scaleTarget = (): Schema =>
  object({ apiVersion: string(), kind: string(), name: string() }, ['kind', 'name']);

/** networking/v1 and core/v1: where a load balancer is reached. */
export const loadBalancerStatus = (): Schema =>
  object({
    ingress: list(
      object({
        hostname: string(),
        ip: string(),
        ipMode: string(),
        ports: list(
          object({ port: int32(), protocol: string({ default: 'TCP' }), error: string({ maxLength: 316 }) }, [
            'port',
            'protocol',
          ]),
        ),
      }),
    ),
  });

/** core/v1 SessionAffinityConfig */
export const sessionAffinityConfig = (): Schema => object({ clientIP: object({ timeoutSeconds: int32() }) });
