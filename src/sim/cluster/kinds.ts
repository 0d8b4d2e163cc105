import type { KubeObject } from '../../api/index.ts';
import type {
  Autoscaler,
  Budget,
  Claim,
  ControllerRevision,
  CronJob,
  DaemonSet,
  Deployment,
  Ingress,
  Job,
  Node,
  Pod,
  ReplicaSet,
  Service,
  StatefulSet,
  StorageClass,
  Volume,
} from './objects.ts';

/** A resource as its objects, its URLs and the store spell it; the type says what its objects look like. */
export interface Kind<T extends KubeObject = KubeObject> {
  readonly apiVersion: string;
  readonly kind: string;
  readonly group: string;
  readonly plural: string;
  /** Never there: it only carries the type. */
  readonly object?: T;
}

interface Kinds {
  readonly nodes: Kind<Node>;
  readonly pods: Kind<Pod>;
  readonly services: Kind<Service>;
  readonly endpoints: Kind;
  readonly endpointSlices: Kind;
  readonly claims: Kind<Claim>;
  readonly volumes: Kind<Volume>;
  readonly deployments: Kind<Deployment>;
  readonly replicaSets: Kind<ReplicaSet>;
  readonly statefulSets: Kind<StatefulSet>;
  readonly daemonSets: Kind<DaemonSet>;
  readonly revisions: Kind<ControllerRevision>;
  readonly jobs: Kind<Job>;
  readonly cronJobs: Kind<CronJob>;
  readonly ingresses: Kind<Ingress>;
  readonly storageClasses: Kind<StorageClass>;
  readonly autoscalers: Kind<Autoscaler>;
  readonly budgets: Kind<Budget>;
}

const kind = (apiVersion: string, name: string, plural: string): Kind<never> => ({
  apiVersion,
  kind: name,
  group: apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : '',
  plural,
});

/** The resources that a simulated member does something about. */
export const kinds: Kinds = {
  nodes: kind('v1', 'Node', 'nodes'),
  pods: kind('v1', 'Pod', 'pods'),
  services: kind('v1', 'Service', 'services'),
  endpoints: kind('v1', 'Endpoints', 'endpoints'),
  endpointSlices: kind('discovery.k8s.io/v1', 'EndpointSlice', 'endpointslices'),
  claims: kind('v1', 'PersistentVolumeClaim', 'persistentvolumeclaims'),
  volumes: kind('v1', 'PersistentVolume', 'persistentvolumes'),
  deployments: kind('apps/v1', 'Deployment', 'deployments'),
  replicaSets: kind('apps/v1', 'ReplicaSet', 'replicasets'),
  statefulSets: kind('apps/v1', 'StatefulSet', 'statefulsets'),
  daemonSets: kind('apps/v1', 'DaemonSet', 'daemonsets'),
  revisions: kind('apps/v1', 'ControllerRevision', 'controllerrevisions'),
  jobs: kind('batch/v1', 'Job', 'jobs'),
  cronJobs: kind('batch/v1', 'CronJob', 'cronjobs'),
  ingresses: kind('networking.k8s.io/v1', 'Ingress', 'ingresses'),
  storageClasses: kind('storage.k8s.io/v1', 'StorageClass', 'storageclasses'),
  autoscalers: kind('autoscaling/v2', 'HorizontalPodAutoscaler', 'horizontalpodautoscalers'),
  budgets: kind('policy/v1', 'PodDisruptionBudget', 'poddisruptionbudgets'),
};
