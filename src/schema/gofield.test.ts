import { expect, test } from 'vitest';
import { builtinCatalog } from '../api/index.ts';
import { goFieldOf } from './gofield.ts';

const { definitions } = builtinCatalog();

/** As kube-apiserver 1.34 says it. */
test.each([
  ['apps.v1.Deployment', 'spec', 'Deployment.spec', 'v1.DeploymentSpec'],
  ['apps.v1.Deployment', 'spec.replicas', 'DeploymentSpec.spec.replicas', 'int32'],
  ['apps.v1.Deployment', 'spec.paused', 'DeploymentSpec.spec.paused', 'bool'],
  [
    'apps.v1.Deployment',
    'spec.strategy.rollingUpdate.maxSurge',
    'RollingUpdateDeployment.spec.strategy.rollingUpdate.maxSurge',
    'int32',
  ],
  ['apps.v1.Deployment', 'spec.template.spec.containers', 'PodSpec.spec.template.spec.containers', '[]v1.Container'],
  ['apps.v1.Deployment', 'spec.template.spec.containers[0]', 'PodSpec.spec.template.spec.containers', 'v1.Container'],
  [
    'apps.v1.Deployment',
    'spec.template.spec.containers[1].name',
    'Container.spec.template.spec.containers.name',
    'string',
  ],
  [
    'apps.v1.Deployment',
    'spec.template.spec.containers[0].args',
    'Container.spec.template.spec.containers.args',
    '[]string',
  ],
  [
    'apps.v1.Deployment',
    'spec.template.spec.containers[0].args[2]',
    'Container.spec.template.spec.containers.args',
    'string',
  ],
  [
    'apps.v1.Deployment',
    'spec.template.spec.containers[0].ports[0].containerPort',
    'ContainerPort.spec.template.spec.containers.ports.containerPort',
    'int32',
  ],
  [
    'apps.v1.Deployment',
    'spec.template.spec.terminationGracePeriodSeconds',
    'PodSpec.spec.template.spec.terminationGracePeriodSeconds',
    'int64',
  ],
  [
    'apps.v1.Deployment',
    'spec.template.metadata.labels',
    'ObjectMeta.spec.template.metadata.labels',
    'map[string]string',
  ],
  [
    'apps.v1.Deployment',
    'spec.template.metadata.labels.example.com/a',
    'ObjectMeta.spec.template.metadata.labels',
    'string',
  ],
  ['core.v1.ConfigMap', 'data', 'ConfigMap.data', 'map[string]string'],
  ['core.v1.ConfigMap', 'data.a', 'ConfigMap.data', 'string'],
])('%s: %s', (kind, field, name, type) => {
  expect(goFieldOf(field, `io.k8s.api.${kind}`, definitions)).toEqual({ name, type });
});
