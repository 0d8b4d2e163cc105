import { hash } from 'node:crypto';
import type { KubeObject } from '../src/api/index.ts';
import { useSha256 } from '../src/base/index.ts';
import { interpreterOf } from '../src/engine/index.ts';
import type { Interpreter } from '../src/engine/index.ts';
import { customization } from '../test/kit/objects.ts';
import { processorMicroseconds } from './kit/measure.ts';
import type { Figure } from './kit/measure.ts';

const container = (name: string): object => ({
  name,
  image: `registry.example.com/team/${name}:1.2.3`,
  env: [
    { name: 'MODE', value: 'production' },
    { name: 'KEY', valueFrom: { secretKeyRef: { name: 'key', key: 'key' } } },
  ],
  resources: { requests: { cpu: '100m', memory: '128Mi' }, limits: { cpu: '500m', memory: '256Mi' } },
  ports: [{ containerPort: 8080, protocol: 'TCP' }],
  livenessProbe: { httpGet: { path: '/healthz', port: 8080 }, periodSeconds: 10 },
  readinessProbe: { httpGet: { path: '/ready', port: 8080 }, periodSeconds: 5 },
});

const counts = { replicas: 3, updatedReplicas: 3, readyReplicas: 3, availableReplicas: 3 };

/** A Deployment of about 2 KB, another object each time, since answers are remembered for each object. */
const web = (): KubeObject =>
  ({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web', namespace: 'shop', generation: 4, labels: { app: 'web' } },
    spec: {
      replicas: 3,
      selector: { matchLabels: { app: 'web' } },
      template: {
        metadata: { labels: { app: 'web' } },
        spec: {
          containers: [container('web'), container('proxy')],
          volumes: [{ name: 'settings', configMap: { name: 'settings' } }],
        },
      },
    },
    status: {
      observedGeneration: 4,
      ...counts,
      conditions: ['Available', 'Progressing'].map((type) => ({
        type,
        status: 'True',
        reason: `${type}Reason`,
        message: `the condition ${type} of this Deployment is as it should be`,
        lastTransitionTime: '2026-01-01T00:00:00Z',
      })),
    },
  }) as KubeObject;

const scripts = customization('web', {
  replicaResource: `
local kube = require("kube")
function GetReplicas(obj)
  return obj.spec.replicas, kube.accuratePodRequirements(obj.spec.template)
end`,
  replicaRevision: `
function ReviseReplica(obj, desiredReplica)
  obj.spec.replicas = desiredReplica
  return obj
end`,
  retention: `
function Retain(desiredObj, observedObj)
  desiredObj.spec.replicas = observedObj.spec.replicas
  return desiredObj
end`,
  healthInterpretation: `
function InterpretHealth(obj)
  for i = 1, #obj.status.conditions do
    local condition = obj.status.conditions[i]
    if condition.type == "Progressing" and condition.status == "False" then return false end
  end
  return obj.status.updatedReplicas == obj.spec.replicas and obj.status.availableReplicas == obj.spec.replicas
end`,
  dependencyInterpretation: `
local kube = require("kube")
function GetDependencies(obj)
  return kube.getPodDependencies(obj.spec.template, obj.metadata.namespace)
end`,
});

type Hook = (interpreter: Interpreter, object: KubeObject) => unknown;

const hooks: Readonly<Record<string, Hook>> = {
  GetReplicas: (interpreter, object) => interpreter.replicas(object),
  ReviseReplica: (interpreter, object) => interpreter.reviseReplicas(object, 5),
  Retain: (interpreter, object) => interpreter.retain(object, object),
  InterpretHealth: (interpreter, object) => interpreter.health(object),
  GetDependencies: (interpreter, object) => interpreter.dependencies(object),
};

function cost(interpreter: Interpreter, hook: Hook): number {
  const objects = Array.from({ length: 2_000 }, web);
  return processorMicroseconds(objects.length, () => {
    for (const object of objects) hook(interpreter, another(object));
  });
}

/** A copy of the surface is another object to what remembers answers. */
const another = (object: KubeObject): KubeObject => ({ ...object });

/** Measures a hook for an object of 2 KB, after warm-up. */
export function run(): readonly Figure[] {
  useSha256((text) => hash('sha256', text, 'hex'));
  const native = interpreterOf({ has: () => false, each: () => {} }, web());
  const scripted = interpreterOf({ has: () => true, each: (_, visit) => visit(scripts, '') }, web());
  return Object.entries(hooks).flatMap(([name, hook]) => [
    { what: `${name} in Lua, 2 KB`, value: cost(scripted, hook), unit: 'µs', budget: 150 },
    { what: `${name}, native, 2 KB`, value: cost(native, hook), unit: 'µs', budget: 10 },
  ]);
}
