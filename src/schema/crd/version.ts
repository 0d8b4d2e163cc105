import { ownMember } from '../../base/index.ts';
import { duplicateValue, invalidValue, required, tooMany } from '../../api/index.ts';
import type { CrdColumn, CrdVersion, FieldError, ScalePaths, Schema } from '../../api/index.ts';

/** The errors of the paths of a scale subresource. */
export function scaleErrors(scale: ScalePaths | undefined, path: string): FieldError[] {
  if (!scale) return [];
  const { specReplicasPath, statusReplicasPath, labelSelectorPath } = scale;
  return [
    ...under(specReplicasPath, `${path}.scale.specReplicasPath`, ['.spec.']),
    ...under(statusReplicasPath, `${path}.scale.statusReplicasPath`, ['.status.']),
    ...(labelSelectorPath ? under(labelSelectorPath, `${path}.scale.labelSelectorPath`, ['.spec.', '.status.']) : []),
  ];
}

function under(value: string, field: string, roots: readonly string[]): FieldError[] {
  if (!value) return [required(field)];
  if (!value.startsWith('.')) return [invalidValue(field, value, 'must be a simple json path starting with .')];
  if (roots.some((root) => value.startsWith(root))) return [];
  const where = roots.length === 1 ? roots[0]?.slice(0, -1) : 'either .spec or .status';
  return [invalidValue(field, value, `should be a json path under ${where}`)];
}

const columnTypes = ['boolean', 'date', 'integer', 'number', 'string'];
const columnFormats = ['byte', 'date', 'date-time', 'double', 'float', 'int32', 'int64', 'password'];

/** The errors of the columns of `kubectl get`. */
export function columnErrors(columns: readonly CrdColumn[], path: string): FieldError[] {
  return columns.flatMap((column, i) => oneColumnErrors(column, `${path}[${i}]`));
}

function oneColumnErrors({ name, type, format, jsonPath }: CrdColumn, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const types = `must be one of ${columnTypes.join(',')}`;
  if (!name) errors.push(required(`${path}.name`));
  if (!type) errors.push(required(`${path}.type`, types));
  else if (!columnTypes.includes(type)) errors.push(invalidValue(`${path}.type`, type, types));
  if (format && !columnFormats.includes(format)) {
    errors.push(invalidValue(`${path}.format`, format, `must be one of ${columnFormats.join(',')}`));
  }
  if (!jsonPath) errors.push(required(`${path}.jsonPath`));
  else if (!jsonPath.startsWith('.')) {
    errors.push(invalidValue(`${path}.jsonPath`, jsonPath, 'must be a simple json path starting with .'));
  }
  return errors;
}

const mostSelectable = 8;
const selectableTypes: ReadonlySet<string | undefined> = new Set(['string', 'boolean', 'integer']);

/** The errors of the fields by which objects may be selected. */
export function selectableErrors({ selectableFields = [], schema }: CrdVersion, path: string): FieldError[] {
  const errors = selectableFields.flatMap(({ jsonPath }, i) => {
    const field = `${path}[${i}].jsonPath`;
    if (!jsonPath) return [required(field)];
    if (selectableFields.findIndex((one) => one.jsonPath === jsonPath) < i) return [duplicateValue(field, jsonPath)];
    return oneSelectableError(jsonPath, field, schema?.openAPIV3Schema);
  });
  const count = new Set(selectableFields.map((one) => one.jsonPath)).size;
  return count > mostSelectable ? [...errors, tooMany(path, count, mostSelectable)] : errors;
}

function oneSelectableError(jsonPath: string, field: string, schema: Schema | undefined): FieldError[] {
  const steps = jsonPath.split('.').slice(1);
  if (steps[0] === 'metadata') return [invalidValue(field, jsonPath, 'must not point to fields in metadata')];
  let at = jsonPath.startsWith('.') ? schema : undefined;
  for (const step of steps) at = ownMember(at?.properties, step);
  if (!at) return [invalidValue(field, jsonPath, 'is an invalid path: does not refer to a valid field')];
  if (selectableTypes.has(at.type)) return [];
  const detail =
    'must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.';
  return [invalidValue(field, jsonPath, detail)];
}
