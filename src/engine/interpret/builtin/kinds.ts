import type { Customizations } from '../../../api/index.ts';
import {
  addUp,
  hasCondition,
  hasNotFailed,
  isRolledOut,
  joinConditions,
  keepsSuspend,
  namedDependencies,
  podDependencies,
  reflect,
  replicasOfTemplate,
  reviseSpec,
  roleComponents,
  roleDependencies,
} from './parts.ts';

type Scripts = Readonly<Partial<Record<keyof Customizations, string>>>;

function scripts(by: Scripts): Customizations {
  return Object.fromEntries(Object.entries(by).map(([field, luaScript]) => [field, { luaScript }]));
}

const rolloutCounters = ['replicas', 'updatedReplicas', 'readyReplicas', 'availableReplicas', 'HPAReplicas'];

/** A Rollout writes its observedGeneration as text, and is healthy in its own words. */
const rollout = scripts({
  replicaResource: replicasOfTemplate(),
  replicaRevision: reviseSpec(),
  statusReflection: reflect([...rolloutCounters, 'phase', 'message', 'currentPodHash', 'stableRS', 'conditions']),
  statusAggregation: addUp(rolloutCounters, ['phase', 'message']),
  healthInterpretation: `
function InterpretHealth(observedObj)
  local status = observedObj.status or {}
  if (tonumber(status.observedGeneration) or 0) < (observedObj.metadata.generation or 0) then return false end
  if status.phase ~= nil then return status.phase == "Healthy" end
  local wanted = observedObj.spec.replicas
  if wanted == nil then wanted = 1 end
  return (status.updatedReplicas or 0) >= wanted and (status.availableReplicas or 0) >= wanted
end`,
  dependencyInterpretation: podDependencies,
});

/** A Workflow ends in its members; a member may suspend it. */
const workflow = scripts({
  replicaResource: replicasOfTemplate('parallelism'),
  replicaRevision: reviseSpec('parallelism'),
  statusReflection: reflect(['phase', 'message', 'progress', 'startedAt', 'finishedAt', 'conditions']),
  healthInterpretation: `
function InterpretHealth(observedObj)
  local phase = (observedObj.status or {}).phase
  return phase ~= "Failed" and phase ~= "Error"
end`,
  retention: `
function Retain(desiredObj, observedObj)
  if observedObj.spec.suspend ~= nil then desiredObj.spec.suspend = observedObj.spec.suspend end
  return desiredObj
end`,
  dependencyInterpretation: `
local kube = require("kube")
function GetDependencies(desiredObj)
  local spec = desiredObj.spec
  local pod = { serviceAccountName = spec.serviceAccountName, volumes = spec.volumes, imagePullSecrets = spec.imagePullSecrets }
  return kube.getPodDependencies({ spec = pod }, desiredObj.metadata.namespace)
end`,
});

const cloneCounters = [
  'replicas',
  'readyReplicas',
  'availableReplicas',
  'updatedReplicas',
  'updatedReadyReplicas',
  'expectedUpdatedReplicas',
];

const cloneSet = scripts({
  replicaResource: replicasOfTemplate(),
  replicaRevision: reviseSpec(),
  statusReflection: reflect([...cloneCounters, 'updateRevision', 'currentRevision', 'labelSelector']),
  statusAggregation: addUp(cloneCounters, ['updateRevision', 'currentRevision', 'labelSelector']),
  healthInterpretation: isRolledOut('updatedReplicas', 'availableReplicas'),
  dependencyInterpretation: podDependencies,
});

const statefulCounters = ['replicas', 'readyReplicas', 'currentReplicas', 'updatedReplicas', 'availableReplicas'];

const statefulSet = scripts({
  replicaResource: replicasOfTemplate(),
  replicaRevision: reviseSpec(),
  statusReflection: reflect([...statefulCounters, 'updateRevision', 'currentRevision', 'labelSelector']),
  statusAggregation: addUp(statefulCounters, ['updateRevision', 'currentRevision', 'labelSelector']),
  healthInterpretation: isRolledOut('updatedReplicas', 'availableReplicas'),
  dependencyInterpretation: podDependencies,
});

const daemonCounters = [
  'currentNumberScheduled',
  'desiredNumberScheduled',
  'numberAvailable',
  'numberMisscheduled',
  'numberReady',
  'numberUnavailable',
  'updatedNumberScheduled',
];

const daemonSet = scripts({
  statusReflection: reflect([...daemonCounters, 'daemonSetHash']),
  statusAggregation: addUp(daemonCounters, ['daemonSetHash']),
  healthInterpretation: `
function InterpretHealth(observedObj)
  local status = observedObj.status or {}
  if (tonumber(status.observedGeneration) or 0) < (observedObj.metadata.generation or 0) then return false end
  local updated = status.updatedNumberScheduled or 0
  return updated >= (status.desiredNumberScheduled or 0) and (status.numberAvailable or 0) >= updated
end`,
  dependencyInterpretation: podDependencies,
});

const sidecarCounters = ['matchedPods', 'updatedPods', 'readyPods', 'updatedReadyPods'];

const sidecarSet = scripts({
  statusReflection: reflect([...sidecarCounters, 'latestRevision']),
  statusAggregation: addUp(sidecarCounters, ['latestRevision']),
  healthInterpretation: `
function InterpretHealth(observedObj)
  local status = observedObj.status or {}
  if (tonumber(status.observedGeneration) or 0) < (observedObj.metadata.generation or 0) then return false end
  local matched = status.matchedPods
  if matched == nil then return false end
  return (status.updatedPods or 0) >= matched and (status.readyPods or 0) >= matched
end`,
  dependencyInterpretation: `
local kube = require("kube")
function GetDependencies(desiredObj)
  local spec = desiredObj.spec
  local namespace = spec.namespace
  if namespace == nil or string.find(namespace, ",") then return {} end
  local pod = { containers = spec.containers, initContainers = spec.initContainers, volumes = spec.volumes }
  return kube.getPodDependencies({ spec = pod }, namespace)
end`,
});

const broadcastCounters = ['active', 'succeeded', 'failed', 'desired'];

const broadcastJob = scripts({
  replicaResource: replicasOfTemplate('parallelism'),
  replicaRevision: reviseSpec('parallelism'),
  statusReflection: reflect([...broadcastCounters, 'phase', 'conditions', 'startTime', 'completionTime']),
  statusAggregation: addUp(broadcastCounters, ['phase']),
  healthInterpretation: `
function InterpretHealth(observedObj)
  local status = observedObj.status or {}
  if (status.failed or 0) > 0 then return false end
  return (status.active or 0) + (status.succeeded or 0) > 0 or status.desired == 0
end`,
  dependencyInterpretation: podDependencies,
});

/** A FlinkDeployment has a job manager and task managers, as many as its job needs slots. */
const flink = scripts({
  componentResource: `
local kube = require("kube")
local function requirementsOf(part, podTemplate)
  local requirements = kube.accuratePodRequirements(podTemplate or { spec = {} }) or {}
  local resource = part.resource or {}
  requirements.resourceRequest = {}
  if resource.cpu ~= nil then requirements.resourceRequest.cpu = tostring(resource.cpu) end
  if resource.memory ~= nil then
    -- Flink counts memory in units without "i" that are powers of 1024: 2048m are 2048 MiB.
    local amount, unit = string.match(string.lower(tostring(resource.memory)), "^(%d+%.?%d*)%s*([kmgt]?)")
    local suffix = { k = "Ki", m = "Mi", g = "Gi", t = "Ti" }
    if amount ~= nil then requirements.resourceRequest.memory = amount .. (suffix[unit] or "") end
  end
  return requirements
end
function GetComponents(desiredObj)
  local spec = desiredObj.spec
  local job, task = spec.jobManager or {}, spec.taskManager or {}
  local slots = tonumber((spec.flinkConfiguration or {})["taskmanager.numberOfTaskSlots"]) or 1
  local parallelism = tonumber((spec.job or {}).parallelism) or 1
  return {
    {
      name = "jobmanager",
      replicas = job.replicas or 1,
      replicaRequirements = requirementsOf(job, job.podTemplate or spec.podTemplate),
    },
    {
      name = "taskmanager",
      replicas = task.replicas or math.ceil(parallelism / slots),
      replicaRequirements = requirementsOf(task, task.podTemplate or spec.podTemplate),
    },
  }
end`,
  statusReflection: reflect([
    'clusterInfo',
    'error',
    'jobManagerDeploymentStatus',
    'jobStatus',
    'lifecycleState',
    'reconciliationStatus',
    'taskManager',
  ]),
  statusAggregation: addUp([], ['error', 'jobManagerDeploymentStatus', 'jobStatus', 'lifecycleState', 'taskManager']),
  healthInterpretation: `
function InterpretHealth(observedObj)
  local status = observedObj.status or {}
  local state = (status.jobStatus or {}).state
  if state == nil then return status.jobManagerDeploymentStatus == "READY" and status.lifecycleState == "STABLE" end
  return state ~= "CREATED" and state ~= "INITIALIZING" and state ~= "RECONCILING"
end`,
  dependencyInterpretation: `
local kube = require("kube")
function GetDependencies(desiredObj)
  local spec = desiredObj.spec
  local refs, known = {}, {}
  local function add(template)
    for _, ref in ipairs(kube.getPodDependencies(template, desiredObj.metadata.namespace) or {}) do
      if not known[ref.kind .. "/" .. ref.name] then table.insert(refs, ref) end
      known[ref.kind .. "/" .. ref.name] = true
    end
  end
  add({ spec = { serviceAccountName = spec.serviceAccount } })
  for _, part in ipairs({ spec, spec.jobManager or {}, spec.taskManager or {} }) do
    if part.podTemplate ~= nil then add(part.podTemplate) end
  end
  return refs
end`,
});

const volcanoCounters = ['pending', 'running', 'succeeded', 'failed', 'terminating', 'unknown'];

/** A Volcano Job has tasks, each with a pod template; those of `minAvailable` replicas that have to run at once count. */
const volcanoJob = scripts({
  componentResource: `
local kube = require("kube")
function GetComponents(desiredObj)
  local components = {}
  for index, task in ipairs(desiredObj.spec.tasks or {}) do
    table.insert(components, {
      name = task.name or ("task-" .. (index - 1)),
      replicas = task.minAvailable or task.replicas or 1,
      replicaRequirements = task.template and kube.accuratePodRequirements(task.template),
    })
  end
  return components
end`,
  statusReflection: reflect([...volcanoCounters, 'state', 'minAvailable', 'taskStatusCount', 'runningDuration']),
  statusAggregation: addUp(volcanoCounters, ['state']),
  healthInterpretation: `
function InterpretHealth(observedObj)
  local phase = ((observedObj.status or {}).state or {}).phase
  return phase ~= nil and phase ~= "Failed" and phase ~= "Aborted" and phase ~= "Terminated"
end`,
  dependencyInterpretation: roleDependencies('tasks'),
});

/** Kubeflow's jobs have a map of roles. */
const kubeflowJob = (field: string): Customizations =>
  scripts({
    componentResource: roleComponents(field),
    statusReflection: reflect(['conditions', 'replicaStatuses', 'startTime', 'completionTime', 'lastReconcileTime']),
    statusAggregation: joinConditions(['startTime', 'completionTime']),
    healthInterpretation: hasNotFailed(['Failed']),
    dependencyInterpretation: roleDependencies(field),
  });

const notebook = scripts({
  replicaResource: replicasOfTemplate(),
  statusReflection: reflect(['conditions', 'containerState', 'readyReplicas']),
  statusAggregation: addUp(['readyReplicas'], ['containerState']),
  healthInterpretation: `
function InterpretHealth(observedObj)
  return ((observedObj.status or {}).readyReplicas or 0) >= 1
end`,
  dependencyInterpretation: podDependencies,
});

type Paths = Parameters<typeof namedDependencies>[0];

/** Kinds of Flux say by the condition Ready that they are reconciled. */
const flux = (fields: readonly string[], paths: Paths, list?: string): Customizations =>
  scripts({
    retention: keepsSuspend,
    statusReflection: reflect(['conditions', ...fields]),
    statusAggregation: joinConditions(fields),
    healthInterpretation: hasCondition('Ready'),
    dependencyInterpretation: namedDependencies(paths, list),
  });

const kustomization = flux(
  ['lastAppliedRevision', 'lastAttemptedRevision'],
  [
    ['Secret', 'decryption', 'secretRef', 'name'],
    ['Secret', 'kubeConfig', 'secretRef', 'name'],
    ['ServiceAccount', 'serviceAccountName'],
  ],
  'postBuild.substituteFrom',
);

const helmRelease = flux(
  ['lastAppliedRevision', 'lastAttemptedRevision', 'failures', 'installFailures', 'upgradeFailures'],
  [
    ['Secret', 'kubeConfig', 'secretRef', 'name'],
    ['Secret', 'chart', 'spec', 'verify', 'secretRef', 'name'],
    ['ServiceAccount', 'serviceAccountName'],
  ],
  'valuesFrom',
);

const source = flux(
  ['artifact', 'url'],
  [
    ['Secret', 'secretRef', 'name'],
    ['Secret', 'certSecretRef', 'name'],
    ['Secret', 'verify', 'secretRef', 'name'],
    ['ServiceAccount', 'serviceAccountName'],
  ],
);

const kyvernoPolicy = scripts({
  statusReflection: reflect(['ready', 'conditions', 'autogen', 'rulecount']),
  statusAggregation: joinConditions(['ready', 'rulecount']),
  healthInterpretation: `
function InterpretHealth(observedObj)
  local status = observedObj.status or {}
  if status.ready ~= nil then return status.ready end
  for _, condition in ipairs(status.conditions or {}) do
    if condition.type == "Ready" then return condition.status == "True" end
  end
  return false
end`,
});

const ready = (fields: readonly string[]): Customizations =>
  scripts({
    statusReflection: reflect(['conditions', ...fields]),
    statusAggregation: joinConditions(fields),
    healthInterpretation: hasCondition('Ready'),
  });

const kruise = 'apps.kruise.io/v1alpha1';
const sources = ['GitRepository', 'OCIRepository', 'HelmRepository', 'Bucket', 'HelmChart'];
const sourceVersions = ['v1', 'v1beta2'];

/** Customizations that come with the program, by kind (`apiVersion|kind`). */
export const builtin: Readonly<Record<string, Customizations>> = {
  'argoproj.io/v1alpha1|Rollout': rollout,
  'argoproj.io/v1alpha1|Workflow': workflow,
  [`${kruise}|CloneSet`]: cloneSet,
  [`${kruise}|DaemonSet`]: daemonSet,
  [`${kruise}|SidecarSet`]: sidecarSet,
  [`${kruise}|BroadcastJob`]: broadcastJob,
  'apps.kruise.io/v1beta1|StatefulSet': statefulSet,
  'flink.apache.org/v1beta1|FlinkDeployment': flink,
  'batch.volcano.sh/v1alpha1|Job': volcanoJob,
  'kubeflow.org/v1|TFJob': kubeflowJob('tfReplicaSpecs'),
  'kubeflow.org/v1|PyTorchJob': kubeflowJob('pytorchReplicaSpecs'),
  'kubeflow.org/v2beta1|MPIJob': kubeflowJob('mpiReplicaSpecs'),
  'kubeflow.org/v1|Notebook': notebook,
  'kustomize.toolkit.fluxcd.io/v1|Kustomization': kustomization,
  ...Object.fromEntries(
    ['v2', 'v2beta2', 'v2beta1'].map((version) => [`helm.toolkit.fluxcd.io/${version}|HelmRelease`, helmRelease]),
  ),
  ...Object.fromEntries(
    sources.flatMap((kind) =>
      sourceVersions.map((version) => [`source.toolkit.fluxcd.io/${version}|${kind}`, source] as const),
    ),
  ),
  'kyverno.io/v1|ClusterPolicy': kyvernoPolicy,
  'kyverno.io/v1|Policy': kyvernoPolicy,
  'cert-manager.io/v1|Certificate': ready(['notAfter', 'notBefore', 'renewalTime', 'revision']),
  'cert-manager.io/v1|Issuer': ready([]),
  'cert-manager.io/v1|ClusterIssuer': ready([]),
};
