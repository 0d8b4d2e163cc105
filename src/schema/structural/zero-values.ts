/**
 * Fields that the published schemas call required because Go always writes them, and whose absence
 * the real server reads as a zero that it accepts.
 */
const zeroes: Readonly<Record<string, readonly string[]>> = {
  'io.k8s.api.apps.v1.ControllerRevision': ['revision'],
  'io.k8s.api.authentication.v1.TokenRequestSpec': ['audiences'],
  'io.k8s.api.batch.v1.PodFailurePolicyOnPodConditionsPattern': ['status'],
  'io.k8s.api.core.v1.DaemonEndpoint': ['Port'],
  'io.k8s.api.core.v1.HTTPHeader': ['value'],
  'io.k8s.api.core.v1.ISCSIPersistentVolumeSource': ['lun'],
  'io.k8s.api.core.v1.ISCSIVolumeSource': ['lun'],
  'io.k8s.api.core.v1.PersistentVolumeClaimTemplate': ['spec'],
  'io.k8s.api.core.v1.Sysctl': ['value'],
  'io.k8s.api.discovery.v1.EndpointSlice': ['endpoints'],
  'io.k8s.api.events.v1.Event': ['eventTime'],
};

/** May this field of a built-in definition be absent although its schema requires it? */
export function mayBeZero(definition: string | undefined, field: string): boolean {
  return definition !== undefined && (zeroes[definition]?.includes(field) ?? false);
}
