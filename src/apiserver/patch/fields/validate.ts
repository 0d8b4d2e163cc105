import { isObject } from '../../../base/index.ts';
import { goText, goType } from '../go-text.ts';
import { formOf } from './field-type.ts';
import type { FieldType, ListType, MapType, Scalar } from './field-type.ts';
import { elementText, fieldElement, itemElement } from './path-element.ts';

/** What is wrong with an applied object, in Kubernetes' words, each with its path in front. */
export function shapeErrors(value: unknown, type: FieldType): readonly string[] {
  return errorsAt(value, type, '');
}

function errorsAt(value: unknown, type: FieldType, path: string): readonly string[] {
  const form = formOf(value, type);
  if (value === null || value === undefined) return [];
  if (form === 'map' && type.map) return mapErrors(value, type.map, path);
  if (form === 'list' && type.list) return listErrors(value, type.list, path);
  const wrong = type.scalar && scalarError(value, type.scalar);
  return wrong ? [at(path, wrong)] : [];
}

function at(path: string, message: string): string {
  return path ? `${path}: ${message}` : message;
}

function scalarError(value: unknown, scalar: Scalar): string | undefined {
  const kind = typeof value;
  switch (scalar) {
    case 'numeric':
      return kind === 'number' ? undefined : `expected numeric (int or float), got ${goType(value)}`;
    case 'string':
      return kind === 'string' ? undefined : `expected string, got &value.valueUnstructured{Value:${goText(value)}}`;
    case 'boolean':
      return kind === 'boolean' ? undefined : `expected boolean, got &{${goText(value)}}`;
    case 'untyped':
      return kind === 'object' ? `expected any scalar, got &{${goText(value)}}` : undefined;
    default:
      return scalar satisfies never;
  }
}

function mapErrors(value: unknown, type: MapType, path: string): readonly string[] {
  if (!isObject(value)) return [at(path, `expected map, got &{${goText(value)}}`)];
  const errors: string[] = [];
  for (const key of Object.keys(value)) {
    const below = `${path}${elementText(fieldElement(key))}`;
    const member = type.fieldOf(key)?.type ?? type.element();
    if (member) errors.push(...errorsAt(value[key], member, below));
    else errors.push(at(below, 'field not declared in schema'));
  }
  return errors;
}

function listErrors(value: unknown, type: ListType, path: string): readonly string[] {
  if (!Array.isArray(value)) return [at(path, `expected list, got &{${goText(value)}}`)];
  const errors: string[] = [];
  const seen = new Set<string>();
  for (const [index, item] of value.entries()) {
    const element = type.relation === 'atomic' ? `i:${index}` : itemElement(item, type);
    // Without its element an item has no path, so nothing below it can be reported.
    if (element === undefined) return [...errors, at(path, `element ${index}: ${whyNoElement(item, type)}`)];
    if (seen.has(element)) errors.push(at(path, `duplicate entries for key ${elementText(element)}`));
    seen.add(element);
    errors.push(...errorsAt(item, type.element(), `${path}${elementText(element)}`));
  }
  return errors;
}

function whyNoElement(item: unknown, { relation, keys }: ListType): string {
  if (relation === 'map') {
    if (item === null) return 'associative list with keys may not have a null element';
    if (!isObject(item)) return 'associative list with keys may not have non-map elements';
    const quoted = keys.map((key) => JSON.stringify(key)).join(' ');
    return `associative list with keys has an element that omits all key fields [${quoted}] (and doesn't have default values for any key fields)`;
  }
  if (isObject(item)) return "associative list without keys has an element that's a map type";
  if (Array.isArray(item)) return 'not supported: associative list with lists as elements';
  return "associative list without keys has an element that's an explicit null";
}
