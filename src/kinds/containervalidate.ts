import { invalidValue, quantity, required } from '../api/index.ts';
import type { FieldError } from '../api/index.ts';
import type { Part } from './draft.ts';
import { partOf, textOf } from './part.ts';
import { canonicalQuantity } from './quantity.ts';

const longestPortName = 15;

/** The errors of a name for a port, which Services and probes use instead of its number. */
export function portNameErrors(port: Part, path: string): FieldError[] {
  const name = textOf(port, 'name');
  if (!name) return [];
  const faults: readonly (readonly [boolean, string])[] = [
    [name.length > longestPortName, `must be no more than ${longestPortName} characters`],
    [!/^[-a-z0-9]+$/.test(name), 'must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)'],
    [!/[a-z]/.test(name), 'must contain at least one letter (a-z)'],
    [name.includes('--'), 'must not contain consecutive hyphens'],
    [/^-|-$/.test(name), 'must not begin or end with a hyphen'],
  ];
  return faults.flatMap(([wrong, detail]) => (wrong ? [invalidValue(`${path}.name`, name, detail)] : []));
}

/** The errors of a variable of the environment. */
export function envErrors(variable: Part, path: string): FieldError[] {
  const name = textOf(variable, 'name');
  const errors = name ? envNameErrors(name, path) : [required(`${path}.name`)];
  if (textOf(variable, 'value') && Object.keys(partOf(variable, 'valueFrom')).length > 0) {
    errors.push(invalidValue(`${path}.valueFrom`, '', 'may not be specified when `value` is not empty'));
  }
  return errors;
}

function envNameErrors(name: string, path: string): FieldError[] {
  if (/^[ -<>-~]+$/.test(name)) return [];
  const detail = "a valid environment variable name must consist only of printable ASCII characters other than '='";
  return [invalidValue(`${path}.name`, name, detail)];
}

/** Nobody may ask for more than they are allowed to use. */
export function resourceErrors(container: Part, path: string): FieldError[] {
  const resources = partOf(container, 'resources');
  const limits = partOf(resources, 'limits');
  return Object.entries(partOf(resources, 'requests')).flatMap(([name, asked]) => {
    const [least, most] = [quantity(asked), quantity(limits[name])];
    if (least === undefined || most === undefined || least <= most) return [];
    const detail = `must be less than or equal to ${name} limit of ${String(canonicalQuantity(limits[name]))}`;
    return [invalidValue(`${path}.resources.requests`, canonicalQuantity(asked), detail)];
  });
}
