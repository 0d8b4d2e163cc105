import { forbiddenField, invalidValue, labelKeyFaults, labelValueFaults, required } from '../api/index.ts';
import type { FieldError } from '../api/index.ts';
import type { Part } from './draft.ts';
import { labelErrors } from './metadata.ts';
import { partOf, partsOf, textOf } from './part.ts';

/** The errors of the label selector of an object; `path` is where it stands. */
export function labelSelectorErrors(selector: Part, path: string): FieldError[] {
  const labels = partOf(selector, 'matchLabels') as Readonly<Record<string, string>>;
  return [
    ...labelErrors(labels, `${path}.matchLabels`),
    ...partsOf(selector, 'matchExpressions').flatMap((one, i) =>
      expressionErrors(one, `${path}.matchExpressions[${i}]`),
    ),
  ];
}

function expressionErrors(expression: Part, path: string): FieldError[] {
  const key = textOf(expression, 'key');
  return [
    ...operatorErrors(expression, path),
    ...labelKeyFaults(key).map((fault) => invalidValue(`${path}.key`, key, fault)),
    ...valuesIn(expression).flatMap((value, i) =>
      labelValueFaults(value).map((fault) => invalidValue(`${path}.values[${i}]`, value, fault)),
    ),
  ];
}

function operatorErrors(expression: Part, path: string): FieldError[] {
  const count = valuesIn(expression).length;
  const operator = textOf(expression, 'operator');
  switch (operator) {
    case 'In':
    case 'NotIn':
      return count > 0 ? [] : [required(`${path}.values`, "must be specified when `operator` is 'In' or 'NotIn'")];
    case 'Exists':
    case 'DoesNotExist': {
      const detail = "may not be specified when `operator` is 'Exists' or 'DoesNotExist'";
      return count > 0 ? [forbiddenField(`${path}.values`, detail)] : [];
    }
    default:
      return [invalidValue(`${path}.operator`, operator, 'not a valid selector operator')];
  }
}

function valuesIn(expression: Part): readonly string[] {
  const { values } = expression;
  return Array.isArray(values) ? values.filter((value) => typeof value === 'string') : [];
}
