import { duplicateValue, invalidValue, nameFaults, notSupported, required } from '../api/index.ts';
import type { FieldError } from '../api/index.ts';
import { envErrors, portNameErrors, resourceErrors } from './containervalidate.ts';
import type { Part } from './draft.ts';
import { numberOf, partsOf, textOf } from './part.ts';

const pullPolicies = ['Always', 'IfNotPresent', 'Never'];
const protocols = ['SCTP', 'TCP', 'UDP'];
const restartPolicies = ['Always', 'Never', 'OnFailure'];
const dnsPolicies = ['ClusterFirst', 'ClusterFirstWithHostNet', 'Default', 'None'];

/** The errors of a pod spec; `path` is where it stands. */
export function podSpecErrors(spec: Part, path: string, claims: readonly Part[] = []): FieldError[] {
  const containers = partsOf(spec, 'containers');
  const volumes = partsOf(spec, 'volumes');
  const provided = { ...spec, volumes: [...volumes, ...claims] };
  return [
    ...(containers.length === 0 ? [required(`${path}.containers`)] : []),
    ...containerErrors(provided, `${path}.initContainers`, 'initContainers'),
    ...containerErrors(provided, `${path}.containers`, 'containers'),
    ...volumeErrors(volumes, `${path}.volumes`),
    ...choiceErrors(spec, { path, name: 'restartPolicy', choices: restartPolicies }),
    ...choiceErrors(spec, { path, name: 'dnsPolicy', choices: dnsPolicies }),
    ...atLeastZero(spec, 'terminationGracePeriodSeconds', path),
  ];
}

interface Choice {
  readonly path: string;
  readonly name: string;
  readonly choices: readonly string[];
}

/** A field with a closed set of values. */
export function choiceErrors(part: Part, { path, name, choices }: Choice): FieldError[] {
  const value = textOf(part, name);
  return value === '' || choices.includes(value) ? [] : [notSupported(`${path}.${name}`, value, choices)];
}

/** A number that must not be negative. */
export function atLeastZero(part: Part, name: string, path: string): FieldError[] {
  const value = numberOf(part, name);
  if (value === undefined || value >= 0) return [];
  return [invalidValue(`${path}.${name}`, value, 'must be greater than or equal to 0')];
}

function containerErrors(spec: Part, path: string, name: string): FieldError[] {
  const seen = new Set<string>();
  const volumes = new Set(partsOf(spec, 'volumes').map((volume) => textOf(volume, 'name')));
  return partsOf(spec, name).flatMap((container, i) => {
    const field = `${path}[${i}]`;
    const own = textOf(container, 'name');
    const twice = seen.has(own) ? [duplicateValue(`${field}.name`, own)] : [];
    if (own) seen.add(own);
    return [...twice, ...oneContainer(container, field), ...mountErrors(container, field, volumes)];
  });
}

function oneContainer(container: Part, path: string): FieldError[] {
  const name = textOf(container, 'name');
  const image = textOf(container, 'image');
  return [
    ...(name ? [] : [required(`${path}.name`)]),
    ...(name ? nameFaults('label', name, false).map((fault) => invalidValue(`${path}.name`, name, fault)) : []),
    ...(image ? [] : [required(`${path}.image`)]),
    ...choiceErrors(container, { path, name: 'imagePullPolicy', choices: pullPolicies }),
    ...partsOf(container, 'ports').flatMap((port, i) => portErrors(port, `${path}.ports[${i}]`)),
    ...partsOf(container, 'env').flatMap((variable, i) => envErrors(variable, `${path}.env[${i}]`)),
    ...resourceErrors(container, path),
  ];
}

function portErrors(port: Part, path: string): FieldError[] {
  return [
    ...portNameErrors(port, path),
    ...portNumberErrors(port, 'containerPort', path),
    ...(port['hostPort'] === undefined || port['hostPort'] === 0 ? [] : portNumberErrors(port, 'hostPort', path)),
    ...choiceErrors(port, { path, name: 'protocol', choices: protocols }),
  ];
}

/** A port must be a port; an absent one is required. */
export function portNumberErrors(part: Part, name: string, path: string): FieldError[] {
  const value = numberOf(part, name);
  if (value === undefined) return part[name] === undefined ? [required(`${path}.${name}`)] : [];
  if (value >= 1 && value <= 65_535) return [];
  return [invalidValue(`${path}.${name}`, value, 'must be between 1 and 65535, inclusive')];
}

function mountErrors(container: Part, path: string, volumes: ReadonlySet<string>): FieldError[] {
  return partsOf(container, 'volumeMounts').flatMap((mount, i): FieldError[] => {
    const field = `${path}.volumeMounts[${i}]`;
    const name = textOf(mount, 'name');
    const unknown: FieldError[] =
      name === '' || volumes.has(name) ? [] : [{ type: 'notFound', field: `${field}.name`, value: name }];
    return [...unknown, ...(textOf(mount, 'mountPath') ? [] : [required(`${field}.mountPath`)])];
  });
}

function volumeErrors(volumes: readonly Part[], path: string): FieldError[] {
  const seen = new Set<string>();
  return volumes.flatMap((volume, i) => {
    const field = `${path}[${i}].name`;
    const name = textOf(volume, 'name');
    if (!name) return [required(field)];
    const twice = seen.has(name) ? [duplicateValue(field, name)] : [];
    seen.add(name);
    return [...twice, ...nameFaults('label', name, false).map((fault) => invalidValue(field, name, fault))];
  });
}
