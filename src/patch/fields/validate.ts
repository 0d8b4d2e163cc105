import { isObject } from '../../base/index.ts';
import { goText, goType } from '../go-text.ts';
import { formOf } from './field-type.ts';
import type { FieldType, ListType, MapType, Scalar } from './field-type.ts';
import { elementText, fieldElement, itemElement, pathText } from './path-element.ts';

/** The way to a value; its text is made only where there is something to say. */
interface ValuePath {
  readonly above: ValuePath | undefined;
  readonly element: string;
}

/** The errors of an applied object, in Kubernetes' words, each with its path in front. */
export function shapeErrors(value: unknown, type: FieldType): readonly string[] {
  const errors: string[] = [];
  collect({ value, place: undefined }, type, errors);
  return errors;
}

interface Placed {
  readonly value: unknown;
  readonly place: ValuePath | undefined;
}

function collect({ value, place }: Placed, type: FieldType, errors: string[]): void {
  if (value === null || value === undefined) return;
  const form = formOf(value, type);
  if (form === 'map' && type.map) collectMap({ value, place }, type.map, errors);
  else if (form === 'list' && type.list) collectList({ value, place }, type.list, errors);
  else {
    const wrong = type.scalar && scalarError(value, type.scalar);
    if (wrong) errors.push(at(place, wrong));
  }
}

function at(place: ValuePath | undefined, message: string): string {
  const elements: string[] = [];
  for (let one = place; one; one = one.above) elements.unshift(one.element);
  return elements.length > 0 ? `${pathText(elements)}: ${message}` : message;
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

function collectMap({ value, place }: Placed, type: MapType, errors: string[]): void {
  if (!isObject(value)) {
    errors.push(at(place, `expected map, got &{${goText(value)}}`));
    return;
  }
  for (const key of Object.keys(value)) {
    const field = type.fieldOf(key);
    const member = field?.type ?? type.element();
    const below = { above: place, element: field?.element ?? fieldElement(key) };
    if (member) collect({ value: value[key], place: below }, member, errors);
    else errors.push(at(below, 'field not declared in schema'));
  }
}

function collectList({ value, place }: Placed, type: ListType, errors: string[]): void {
  if (!Array.isArray(value)) {
    errors.push(at(place, `expected list, got &{${goText(value)}}`));
    return;
  }
  const seen = new Set<string>();
  for (const [index, item] of value.entries()) {
    const element = type.relation === 'atomic' ? `i:${index}` : itemElement(item, type);
    if (element === undefined) {
      // Without its element an item has no path, so nothing below it can be reported.
      errors.push(at(place, `element ${index}: ${whyNoElement(item, type)}`));
      return;
    }
    if (seen.has(element)) errors.push(at(place, `duplicate entries for key ${elementText(element)}`));
    seen.add(element);
    collect({ value: item, place: { above: place, element } }, type.element(), errors);
  }
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
