/** The release of Kubernetes whose facts are generated; the staging modules follow as v0.MINOR.PATCH. */
export const kubernetesVersion = 'v1.34.4';

/** The group versions that a hub serves. */
export const servedVersions: readonly string[] = [
  'v1',
  'apps/v1',
  'batch/v1',
  'autoscaling/v1',
  'autoscaling/v2',
  'policy/v1',
  'networking.k8s.io/v1',
  'rbac.authorization.k8s.io/v1',
  'storage.k8s.io/v1',
  'scheduling.k8s.io/v1',
  'coordination.k8s.io/v1',
  'discovery.k8s.io/v1',
  'events.k8s.io/v1',
  'certificates.k8s.io/v1',
  'admissionregistration.k8s.io/v1',
  'apiextensions.k8s.io/v1',
  'apiregistration.k8s.io/v1',
  'node.k8s.io/v1',
  'authentication.k8s.io/v1',
  'authorization.k8s.io/v1',
];

/** Resources of those versions that make no sense in a hub. */
export const leftOut: ReadonlySet<string> = new Set(['v1/componentstatuses']);

/** Definitions wanted although no resource leads to them: bodies of requests and answers. */
export const extraDefinitions: readonly string[] = ['DeleteOptions', 'Status', 'WatchEvent', 'APIResourceList'].map(
  (kind) => `io.k8s.apimachinery.pkg.apis.meta.v1.${kind}`,
);

/** Resources that a hub reports and never lets anyone write. */
export const readOnly: ReadonlySet<string> = new Set(['apiregistration.k8s.io/v1/apiservices']);
