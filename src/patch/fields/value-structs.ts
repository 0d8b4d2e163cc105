/**
 * In a typed object some structs are always there, if only empty, while others are pointers that may be missing.
 * Ownership shows the difference: who sets a field inside the former does not come to own the struct itself.
 * Schemas do not tell them apart, but the names of the types nearly do.
 */
const byName = /(?:Spec|Status|Strategy|Meta)$/;

const pointers = new Set([
  'NodeConfigStatus',
  'NodeSwapStatus',
  'ModifyVolumeStatus',
  'PodExtendedResourceClaimStatus',
  'RollingUpdateStatefulSetStrategy',
  'ContainerResourceMetricStatus',
  'ExternalMetricStatus',
  'ObjectMetricStatus',
  'PodsMetricStatus',
  'ResourceMetricStatus',
]);

const values = new Set([
  'ContainerState',
  'CrossVersionObjectReference',
  'CustomResourceDefinitionNames',
  'DaemonEndpoint',
  'EndpointConditions',
  'EventSource',
  'MetricIdentifier',
  'MetricTarget',
  'NodeDaemonEndpoints',
  'NodeSystemInfo',
  'RoleRef',
  'UserInfo',
  'VolumeAttachmentSource',
  'VolumeResourceRequirements',
]);

/** Tells whether a field of this type is a struct that is always there. */
export function isValueStruct(typeName: string): boolean {
  return values.has(typeName) || (byName.test(typeName) && !pointers.has(typeName));
}
