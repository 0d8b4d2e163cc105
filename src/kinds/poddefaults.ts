import { isObject } from '../base/index.ts';
import type { Part } from './draft.ts';
import { fill, isUnset, ownPart, partOf, partsOf, textOf } from './part.ts';
import { canonicalQuantities } from './quantity.ts';

const podDefaults = {
  dnsPolicy: 'ClusterFirst',
  restartPolicy: 'Always',
  schedulerName: 'default-scheduler',
  securityContext: () => ({}),
  terminationGracePeriodSeconds: 30,
};

const containerDefaults = {
  resources: () => ({}),
  terminationMessagePath: '/dev/termination-log',
  terminationMessagePolicy: 'File',
};

const probeDefaults = { timeoutSeconds: 1, periodSeconds: 10, successThreshold: 1, failureThreshold: 3 };
const readableByAll = 0o644;

/** Fills in the defaults of a pod spec, of pods and of templates. */
export function defaultPodSpec(spec: Part): void {
  fill(spec, podDefaults);
  mirrorServiceAccount(spec);
  for (const name of ['initContainers', 'containers', 'ephemeralContainers']) {
    for (const container of partsOf(spec, name)) defaultContainer(container, spec);
  }
  for (const volume of partsOf(spec, 'volumes')) defaultVolume(volume);
}

/** The old name of the field still shows what the new one says. */
function mirrorServiceAccount(spec: Part): void {
  if (isUnset(spec, 'serviceAccountName') && !isUnset(spec, 'serviceAccount')) {
    spec['serviceAccountName'] = spec['serviceAccount'];
  }
  if (!isUnset(spec, 'serviceAccountName')) spec['serviceAccount'] = spec['serviceAccountName'];
}

function defaultContainer(container: Part, spec: Part): void {
  for (const name of ['limits', 'requests']) canonicalQuantities(partOf(container, 'resources')[name]);
  fill(container, { ...containerDefaults, imagePullPolicy: pullPolicyOf(textOf(container, 'image')) });
  for (const port of partsOf(container, 'ports')) {
    fill(port, { protocol: 'TCP' });
    if (spec['hostNetwork'] === true) fill(port, { hostPort: port['containerPort'] });
  }
  for (const name of ['livenessProbe', 'readinessProbe', 'startupProbe']) {
    const probe = container[name];
    if (!isObject(probe)) continue;
    fill(probe, probeDefaults);
    defaultHttp(probe);
  }
  for (const hook of ['postStart', 'preStop']) defaultHttp(partOf(partOf(container, 'lifecycle'), hook));
  for (const variable of partsOf(container, 'env')) {
    defaultFieldRef(partOf(variable, 'valueFrom'));
  }
}

function defaultHttp(probe: Part): void {
  const http = probe['httpGet'];
  if (isObject(http)) fill(http, { path: '/', scheme: 'HTTP' });
}

/** An image without a tag, or with the tag latest, may change under its name. */
function pullPolicyOf(image: string): string {
  if (image.includes('@')) return 'IfNotPresent';
  const name = image.slice(image.lastIndexOf('/') + 1);
  const colon = name.indexOf(':');
  return colon < 0 || name.slice(colon + 1) === 'latest' ? 'Always' : 'IfNotPresent';
}

const modes = ['secret', 'configMap', 'downwardAPI', 'projected'];

function defaultVolume(volume: Part): void {
  const sources = Object.keys(volume).filter((name) => name !== 'name' && isObject(volume[name]));
  if (sources.length === 0) volume['emptyDir'] = {};
  for (const name of modes) if (isObject(volume[name])) fill(ownPart(volume, name), { defaultMode: readableByAll });
  if (isObject(volume['hostPath'])) volume['hostPath']['type'] ??= '';
  for (const source of partsOf(partOf(volume, 'projected'), 'sources')) defaultProjection(source);
  for (const item of partsOf(partOf(volume, 'downwardAPI'), 'items')) defaultFieldRef(item);
  const claim = partOf(partOf(volume, 'ephemeral'), 'volumeClaimTemplate')['spec'];
  if (isObject(claim)) fill(claim, { volumeMode: 'Filesystem' });
}

function defaultProjection(source: Part): void {
  const token = source['serviceAccountToken'];
  if (isObject(token)) fill(token, { expirationSeconds: 3600 });
  for (const item of partsOf(partOf(source, 'downwardAPI'), 'items')) defaultFieldRef(item);
}

function defaultFieldRef(item: Part): void {
  const reference = item['fieldRef'];
  if (isObject(reference)) fill(reference, { apiVersion: 'v1' });
  const amount = item['resourceFieldRef'];
  if (isObject(amount)) fill(amount, { divisor: '0' });
}

/** The pod template of a workload; its metadata are always there. */
export function defaultTemplate(probe: Part): void {
  const template = probe['template'];
  if (!isObject(template)) return;
  ownPart(template, 'metadata');
  if (isObject(template['spec'])) defaultPodSpec(template['spec']);
}

/** Fills in the defaults of a pod alone: limits are also requests, and services show as variables. */
export function defaultPod(spec: Part): void {
  fill(spec, { enableServiceLinks: true });
  for (const container of [...partsOf(spec, 'initContainers'), ...partsOf(spec, 'containers')]) {
    const resources = partOf(container, 'resources');
    const limits = partOf(resources, 'limits');
    if (Object.keys(limits).length > 0) fill(ownPart(resources, 'requests'), limits);
  }
}
