import { duplicateValue, invalid, invalidValue, notSupported, required } from '../api/index.ts';
import type { FieldError, KubeObject } from '../api/index.ts';
import { equal } from '../base/index.ts';
import { allocationOf, firstNodePort, lastNodePort } from './allocation.ts';
import type { Allocation } from './allocation.ts';
import type { Draft, Part } from './draft.ts';
import { labelErrors } from './metadata.ts';
import { fill, isUnset, numberOf, ownPart, partOf, partsOf, specOf, textOf } from './part.ts';
import { choiceErrors, portNumberErrors } from './podvalidate.ts';
import type { Strategy, StrategyCall } from './strategy.ts';

const serviceTypes = ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort'];
const affinitySeconds = 10_800;

function hasAddress(spec: Part): boolean {
  return spec['type'] !== 'ExternalName';
}

function hasNodePorts(spec: Part): boolean {
  if (spec['type'] === 'NodePort') return true;
  return spec['type'] === 'LoadBalancer' && spec['allocateLoadBalancerNodePorts'] !== false;
}

function isExposed(spec: Part): boolean {
  return spec['type'] === 'NodePort' || spec['type'] === 'LoadBalancer';
}

function defaults(draft: Draft): void {
  const spec = ownPart(draft, 'spec');
  fill(spec, { sessionAffinity: 'None', type: 'ClusterIP' });
  if (spec['sessionAffinity'] === 'ClientIP') {
    fill(ownPart(ownPart(spec, 'sessionAffinityConfig'), 'clientIP'), { timeoutSeconds: affinitySeconds });
  }
  for (const port of partsOf(spec, 'ports')) {
    fill(port, { protocol: 'TCP' });
    if (isUnset(port, 'targetPort') || port['targetPort'] === 0) port['targetPort'] = port['port'];
  }
  if (isExposed(spec)) fill(spec, { externalTrafficPolicy: 'Cluster' });
  if (hasAddress(spec)) fill(spec, { internalTrafficPolicy: 'Cluster' });
  if (spec['type'] === 'LoadBalancer') fill(spec, { allocateLoadBalancerNodePorts: true });
}

/** Gives the Service the address and the node ports that it asks for, or free ones. */
function allocate(draft: Draft, call: StrategyCall): void {
  const spec = ownPart(draft, 'spec');
  const owner = draft.metadata.uid ?? '';
  const allocation = allocationOf(call.parts.objects);
  if (hasAddress(spec)) allocateAddress(spec, { owner, allocation, call, draft });
  if (hasNodePorts(spec)) {
    for (const [i, port] of partsOf(spec, 'ports').entries()) allocatePort(port, i, { owner, allocation, call, draft });
  }
}

interface Taking {
  readonly owner: string;
  readonly allocation: Allocation;
  readonly call: StrategyCall;
  readonly draft: Draft;
}

function refused({ call, draft }: Taking, error: FieldError): Error {
  return invalid(call.kind, draft.metadata.name, [error]);
}

function allocateAddress(spec: Part, taking: Taking): void {
  const wanted = textOf(spec, 'clusterIP') || ((spec['clusterIPs'] ?? []) as readonly string[])[0];
  const address = wanted === 'None' ? 'None' : taking.allocation.takeAddress(taking.owner, wanted || undefined);
  if (address === false) {
    const detail = `failed to allocate IP ${wanted ?? ''}: provided IP is already allocated`;
    throw refused(taking, invalidValue('spec.clusterIPs', [wanted], detail));
  }
  spec['clusterIP'] = address;
  spec['clusterIPs'] = [address];
  fill(spec, { ipFamilies: () => ['IPv4'], ipFamilyPolicy: 'SingleStack' });
}

function allocatePort(port: Part, i: number, taking: Taking): void {
  const wanted = numberOf(port, 'nodePort') || undefined;
  const field = `spec.ports[${i}].nodePort`;
  if (wanted !== undefined && (wanted < firstNodePort || wanted > lastNodePort)) {
    const range = `${firstNodePort}-${lastNodePort}`;
    const detail = `provided port is not in the valid range. The range of valid ports is ${range}`;
    throw refused(taking, invalidValue(field, wanted, detail));
  }
  const taken = taking.allocation.takePort(taking.owner, wanted);
  if (taken === false) throw refused(taking, invalidValue(field, wanted, 'provided port is already allocated'));
  port['nodePort'] = taken;
}

/** An update that leaves out what was allocated keeps it. */
function carryOver(draft: Draft, old: KubeObject, call: StrategyCall): void {
  const [spec, before] = [ownPart(draft, 'spec'), specOf(old)];
  if (hasAddress(spec) && hasAddress(before)) {
    fill(spec, { clusterIP: before['clusterIP'] });
    if (spec['clusterIP'] === before['clusterIP']) fill(spec, { clusterIPs: before['clusterIPs'] });
    fill(spec, { ipFamilies: before['ipFamilies'], ipFamilyPolicy: before['ipFamilyPolicy'] });
  }
  if (!hasAddress(spec))
    for (const name of ['clusterIP', 'clusterIPs', 'ipFamilies', 'ipFamilyPolicy', 'internalTrafficPolicy']) {
      delete spec[name];
    }
  keepNodePorts(spec, before);
  allocate(draft, call);
}

function keepNodePorts(spec: Part, before: Part): void {
  const known = new Map(partsOf(before, 'ports').map((port) => [portKey(port), port['nodePort']]));
  for (const port of partsOf(spec, 'ports')) {
    if (!hasNodePorts(spec)) {
      if (hasNodePorts(before)) delete port['nodePort'];
    } else if (isUnset(port, 'nodePort') && known.get(portKey(port)) !== undefined) {
      port['nodePort'] = known.get(portKey(port));
    }
  }
}

function portKey(port: Part): string {
  return `${textOf(port, 'protocol')}/${numberOf(port, 'port') ?? ''}`;
}

function errorsOf(draft: Draft): FieldError[] {
  const spec = specOf(draft);
  const ports = partsOf(spec, 'ports');
  const headless = spec['clusterIP'] === 'None';
  const missing = ports.length === 0 && hasAddress(spec) && !headless;
  return [
    ...(missing ? [required('spec.ports')] : []),
    ...choiceErrors(spec, { path: 'spec', name: 'type', choices: serviceTypes }),
    ...choiceErrors(spec, { path: 'spec', name: 'sessionAffinity', choices: ['ClientIP', 'None'] }),
    ...(hasAddress(spec) || textOf(spec, 'externalName') ? [] : [required('spec.externalName')]),
    ...labelErrors(partOf(spec, 'selector') as Readonly<Record<string, string>>, 'spec.selector'),
    ...ports.flatMap((port, i) => portErrors(port, `spec.ports[${i}]`, ports.length > 1)),
    ...duplicatePorts(ports),
  ];
}

function portErrors(port: Part, path: string, named: boolean): FieldError[] {
  return [
    ...(named && !textOf(port, 'name') ? [required(`${path}.name`)] : []),
    ...portNumberErrors(port, 'port', path),
    ...choiceErrors(port, { path, name: 'protocol', choices: ['SCTP', 'TCP', 'UDP'] }),
    ...(typeof port['targetPort'] === 'number' ? portNumberErrors(port, 'targetPort', path) : []),
  ];
}

function duplicatePorts(ports: readonly Part[]): FieldError[] {
  const [names, numbers] = [new Set<string>(), new Set<string>()];
  return ports.flatMap((port, i) => {
    const [name, key] = [textOf(port, 'name'), portKey(port)];
    const errors: FieldError[] = [];
    if (name && names.has(name)) errors.push(duplicateValue(`spec.ports[${i}].name`, name));
    if (numbers.has(key)) {
      const { nodePort: _n, targetPort: _t, name: _m, ...same } = port;
      errors.push(duplicateValue(`spec.ports[${i}]`, same));
    }
    names.add(name);
    numbers.add(key);
    return errors;
  });
}

function changeErrors(draft: Draft, old: KubeObject): FieldError[] {
  const [spec, before] = [specOf(draft), specOf(old)];
  if (!hasAddress(spec) || !hasAddress(before) || !before['clusterIP']) return [];
  if (equal(spec['clusterIP'], before['clusterIP'])) return [];
  return [invalidValue('spec.clusterIPs[0]', spec['clusterIPs'], 'may not change once set')];
}

/** Defaults and rules of Services. */
export const services: Strategy = {
  names: 'dns1035',
  createOnUpdate: true,
  defaults,
  prepareCreate(draft, call) {
    draft['status'] = { loadBalancer: {} };
    const type = textOf(specOf(draft), 'type');
    if (!serviceTypes.includes(type))
      throw invalid(call.kind, draft.metadata.name, [notSupported('spec.type', type, serviceTypes)]);
    allocate(draft, call);
  },
  prepareUpdate: carryOver,
  giveBack(draft, { parts: { objects }, kind }) {
    const { namespace = '', name } = draft.metadata;
    allocationOf(objects).giveBack(draft, objects.get(kind, namespace, name));
  },
  validate: errorsOf,
  validateUpdate: changeErrors,
};
