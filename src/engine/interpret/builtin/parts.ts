/*
 * Parts of which the scripts of third-party kinds are made: each function returns the text of a script, so that kinds
 * with the same shape have the same rules.
 */

const table = (names: readonly string[]): string => `{ ${names.map((name) => `"${name}"`).join(', ')} }`;

/** `GetReplicas` of a kind with spec.replicas, or another field, and a pod template. */
export const replicasOfTemplate = (field = 'replicas'): string => `
local kube = require("kube")
function GetReplicas(obj)
  local replicas = obj.spec.${field}
  if replicas == nil then replicas = 1 end
  if obj.spec.template == nil then return replicas, nil end
  return replicas, kube.accuratePodRequirements(obj.spec.template)
end`;

/** `ReviseReplica` of a kind with spec.replicas. */
export const reviseSpec = (field = 'replicas'): string => `
function ReviseReplica(obj, desiredReplica)
  obj.spec.${field} = desiredReplica
  return obj
end`;

/** `ReflectStatus`: these fields, and the generations by which the hub sees how far a member is. */
export const reflect = (fields: readonly string[]): string => `
function ReflectStatus(observedObj)
  if observedObj.status == nil then return nil end
  local status = {}
  for _, name in ipairs(${table(fields)}) do
    status[name] = observedObj.status[name]
  end
  status.observedGeneration = observedObj.status.observedGeneration
  if next(status) == nil then return nil end
  status.generation = observedObj.metadata.generation
  local annotations = observedObj.metadata.annotations or {}
  status.resourceTemplateGeneration = tonumber(annotations["resourcetemplate.karmada.io/generation"])
  return status
end`;

/** The rules of every aggregation: a member counts when it has seen the newest template. */
const caughtUp = `
local function caughtUp(desiredObj, statusItems)
  for _, item in ipairs(statusItems) do
    local status = item.status
    if status == nil then return false end
    if (tonumber(status.observedGeneration) or 0) < (status.generation or 0) then return false end
    if (status.resourceTemplateGeneration or 0) < (desiredObj.metadata.generation or 0) then return false end
  end
  return #statusItems > 0
end
local function finish(desiredObj, statusItems)
  if caughtUp(desiredObj, statusItems) then
    local generation = desiredObj.metadata.generation
    -- Some kinds write the generation as text.
    if type(statusItems[1].status.observedGeneration) == "string" then generation = tostring(generation) end
    desiredObj.status.observedGeneration = generation
  end
  return desiredObj
end`;

/** `AggregateStatus`: counters are added up; of other fields the first member that has one is taken. */
export const addUp = (counters: readonly string[], first: readonly string[] = []): string => `${caughtUp}
function AggregateStatus(desiredObj, statusItems)
  local items = statusItems or {}
  if desiredObj.status == nil then desiredObj.status = {} end
  for _, name in ipairs(${table(counters)}) do
    local total = 0
    for _, item in ipairs(items) do total = total + ((item.status or {})[name] or 0) end
    desiredObj.status[name] = total
  end
  for _, name in ipairs(${table(first)}) do
    for _, item in ipairs(items) do
      local value = (item.status or {})[name]
      if value ~= nil then
        desiredObj.status[name] = value
        break
      end
    end
  end
  return finish(desiredObj, items)
end`;

/** `AggregateStatus`: conditions of members that agree become one, whose message names the members; and further fields. */
export const joinConditions = (first: readonly string[] = []): string => `${caughtUp}
function AggregateStatus(desiredObj, statusItems)
  local items = statusItems or {}
  if desiredObj.status == nil then desiredObj.status = {} end
  local conditions, known = {}, {}
  for _, item in ipairs(items) do
    for _, condition in ipairs((item.status or {}).conditions or {}) do
      local key = condition.type .. "|" .. tostring(condition.status) .. "|" .. tostring(condition.reason)
      local message = item.clusterName .. "=" .. (condition.message or "")
      if known[key] then
        known[key].message = known[key].message .. ", " .. message
      else
        condition.message = message
        known[key] = condition
        table.insert(conditions, condition)
      end
    end
    for _, name in ipairs(${table(first)}) do
      local value = (item.status or {})[name]
      if value ~= nil then desiredObj.status[name] = value end
    end
  end
  if #conditions > 0 then desiredObj.status.conditions = conditions end
  return finish(desiredObj, items)
end`;

/** `InterpretHealth`: a condition of this type is True, and is about the newest generation. */
export const hasCondition = (type: string): string => `
function InterpretHealth(observedObj)
  local status = observedObj.status or {}
  local seen = tonumber(status.observedGeneration)
  if seen ~= nil and seen < (observedObj.metadata.generation or 0) then return false end
  for _, condition in ipairs(status.conditions or {}) do
    if condition.type == "${type}" then return condition.status == "True" end
  end
  return false
end`;

/** `InterpretHealth` of a kind that runs to its end: it is healthy when it has begun and has not failed. */
export const hasNotFailed = (types: readonly string[]): string => `
function InterpretHealth(observedObj)
  local failed = {}
  for _, name in ipairs(${table(types)}) do failed[name] = true end
  local conditions = (observedObj.status or {}).conditions or {}
  for _, condition in ipairs(conditions) do
    if failed[condition.type] and condition.status == "True" then return false end
  end
  return #conditions > 0
end`;

/** `InterpretHealth` of a kind whose controller counts replicas. */
export const isRolledOut = (updated: string, available: string): string => `
function InterpretHealth(observedObj)
  local status = observedObj.status or {}
  if (tonumber(status.observedGeneration) or 0) < (observedObj.metadata.generation or 0) then return false end
  local wanted = observedObj.spec.replicas
  if wanted == nil then wanted = 1 end
  if (status.${updated} or 0) < wanted then return false end
  return (status.${available} or 0) >= (status.${updated} or 0)
end`;

/** `Retain`: a member may suspend what reconciles in it. */
export const keepsSuspend = `
function Retain(desiredObj, observedObj)
  if observedObj.spec.suspend ~= nil then desiredObj.spec.suspend = observedObj.spec.suspend end
  return desiredObj
end`;

/** `GetDependencies`: what the pods of the template need. */
export const podDependencies = `
local kube = require("kube")
function GetDependencies(desiredObj)
  if desiredObj.spec.template == nil then return {} end
  return kube.getPodDependencies(desiredObj.spec.template, desiredObj.metadata.namespace)
end`;

/**
 * `GetDependencies`: Secrets and other objects of the namespace that the spec names: `kind`, then the path to the name;
 * and those of a list of kinds and names.
 */
export const namedDependencies = (paths: readonly (readonly [string, ...string[]])[], list = ''): string => `
local function find(value, path, at)
  if value == nil then return nil end
  if at > #path then return value end
  if type(value) ~= "table" then return nil end
  return find(value[path[at]], path, at + 1)
end
function GetDependencies(desiredObj)
  local refs, known = {}, {}
  local function add(kind, name)
    local key = kind .. "/" .. tostring(name)
    if type(name) ~= "string" or name == "" or known[key] then return end
    known[key] = true
    table.insert(refs, { apiVersion = "v1", kind = kind, namespace = desiredObj.metadata.namespace, name = name })
  end
  for _, path in ipairs({ ${paths.map((path) => table(path)).join(', ')} }) do
    add(path[1], find(desiredObj.spec, path, 2))
  end
  for _, ref in ipairs(find(desiredObj.spec, ${table(list.split('.'))}, 1) or {}) do
    if ref.kind == "ConfigMap" or ref.kind == "Secret" then add(ref.kind, ref.name) end
  end
  return refs
end`;

/** `GetComponents` and `GetDependencies` of a job whose spec has a map of roles, each with replicas and a pod template. */
export const roleComponents = (field: string): string => `
local kube = require("kube")
function GetComponents(desiredObj)
  local components, names = {}, {}
  for name in pairs(desiredObj.spec.${field} or {}) do table.insert(names, name) end
  table.sort(names)
  for _, name in ipairs(names) do
    local role = desiredObj.spec.${field}[name]
    local replicas = tonumber(role.replicas)
    if replicas == nil then replicas = 1 end
    table.insert(components, {
      name = string.lower(name),
      replicas = replicas,
      replicaRequirements = role.template and kube.accuratePodRequirements(role.template),
    })
  end
  return components
end`;

/** `GetDependencies` of a job with roles. */
export const roleDependencies = (field: string): string => `
local kube = require("kube")
function GetDependencies(desiredObj)
  local refs, known = {}, {}
  for _, role in pairs(desiredObj.spec.${field} or {}) do
    for _, ref in ipairs(kube.getPodDependencies(role.template or {}, desiredObj.metadata.namespace) or {}) do
      local key = ref.kind .. "/" .. ref.name
      if not known[key] then table.insert(refs, ref) end
      known[key] = true
    end
  end
  return refs
end`;
