import { isQuantity } from '../../api/index.ts';
import type { Schema } from '../../api/index.ts';
import { equal, lookup } from '../../base/index.ts';
import { duplicateChecks } from './duplicates.ts';
import { formatOf, isBase64, isDateTime } from './formats.ts';
import { goRegExp } from './regexp.ts';
import type { Run } from './run.ts';

/** Looks at a value that is not null and tells the run what is wrong with it. */
export type Check = (value: unknown, run: Run) => void;

/** Everything that a schema demands of a value itself, beside its type and what is below it. */
export function checksOf(schema: Schema, custom: boolean): readonly Check[] {
  return [
    ...stringChecks(schema),
    ...(custom ? customFormat(schema) : builtinFormat(schema)),
    ...numberChecks(schema),
    ...sizeChecks(schema),
    ...duplicateChecks(schema),
    ...enumCheck(schema),
  ];
}

const onStrings =
  (check: (text: string, run: Run) => void): Check =>
  (value, run) => {
    if (typeof value === 'string') check(value, run);
  };

/** Characters, not UTF-16 units. */
function length(text: string): number {
  let count = 0;
  for (let i = 0; i < text.length; i += (text.codePointAt(i) ?? 0) > 0xffff ? 2 : 1) count++;
  return count;
}

function stringChecks({ maxLength, minLength, pattern }: Schema): Check[] {
  if (maxLength === undefined && minLength === undefined && !pattern) return [];
  const matches = pattern ? patternCheck(pattern) : undefined;
  return [
    onStrings((text, run) => {
      if (maxLength !== undefined && text.length > maxLength && length(text) > maxLength) {
        const unit = maxLength === 1 ? 'byte' : 'bytes';
        run.fail({ type: 'tooLong', detail: `may not be more than ${maxLength} ${unit}` });
      } else if (minLength !== undefined && length(text) < minLength) {
        run.invalid(text, `should be at least ${minLength} chars long`);
      } else matches?.(text, run);
    }),
  ];
}

function patternCheck(pattern: string): (text: string, run: Run) => void {
  const expression = goRegExp(pattern);
  return (text, run) => {
    if (!expression.test(text)) run.invalid(text, `should match '${pattern}'`);
  };
}

const wrongFormat = (text: string, format: string, run: Run): void =>
  run.fail({
    type: 'typeInvalid',
    value: text,
    detail: `${run.field()} in body must be of type ${format}: ${JSON.stringify(text)}`,
  });

function customFormat({ format = '', type }: Schema): Check[] {
  const accepts = type === 'string' || type === undefined ? formatOf(format) : undefined;
  if (!accepts) return [];
  return [
    onStrings((text, run) => {
      if (!accepts(text)) wrongFormat(text, format, run);
    }),
  ];
}

const builtinFormats: Readonly<Record<string, (text: string) => boolean>> = lookup({
  byte: isBase64,
  'date-time': isDateTime,
});
const int32 = 0x7fffffff;

function builtinFormat({ format = '', oneOf }: Schema): Check[] {
  if (format === 'int32') {
    return [
      (value, run) => {
        if (typeof value === 'number' && (value > int32 || value < -int32 - 1)) outOfRange(value, format, run);
      },
    ];
  }
  const accepts = builtinFormats[format];
  if (accepts) {
    return [
      onStrings((text, run) => {
        if (!accepts(text)) wrongFormat(text, format, run);
      }),
    ];
  }
  // Among the built-in schemas only Quantity is a string or a number.
  return oneOf?.some((one) => one.type === 'number') ? [quantityCheck] : [];
}

const outOfRange = (value: number, format: string, run: Run): void =>
  run.fail({
    type: 'typeInvalid',
    value,
    detail: `${run.field()} in body must be of type ${format}: ${JSON.stringify(String(value))}`,
  });

const quantityCheck: Check = (value, run) => {
  if (typeof value !== 'string' || isQuantity(value)) return;
  const detail = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
  run.fail({ type: 'typeInvalid', value, detail });
};

function numberChecks({ minimum, maximum, multipleOf, exclusiveMinimum, exclusiveMaximum }: Schema): Check[] {
  const checks: ((value: number, run: Run) => void)[] = [];
  if (multipleOf !== undefined) {
    checks.push((value, run) => {
      if (!isMultiple(value, multipleOf)) run.invalid(value, `should be a multiple of ${multipleOf}`);
    });
  }
  if (minimum !== undefined) {
    const words = `should be greater than ${exclusiveMinimum ? '' : 'or equal to '}${minimum}`;
    checks.push((value, run) => {
      if (value < minimum || (exclusiveMinimum && value === minimum)) run.invalid(value, words);
    });
  }
  if (maximum !== undefined) {
    const words = `should be less than ${exclusiveMaximum ? '' : 'or equal to '}${maximum}`;
    checks.push((value, run) => {
      if (value > maximum || (exclusiveMaximum && value === maximum)) run.invalid(value, words);
    });
  }
  return checks.map((check) => (value, run) => {
    if (typeof value === 'number') check(value, run);
  });
}

function isMultiple(value: number, factor: number): boolean {
  const times = factor < 1 ? (1 / factor) * value : value / factor;
  return Math.abs(times - Math.round(times)) < 1e-9;
}

function sizeChecks(schema: Schema): Check[] {
  const { minItems, maxItems, uniqueItems, minProperties, maxProperties } = schema;
  const checks: Check[] = [];
  if (minItems !== undefined || maxItems !== undefined || uniqueItems) {
    checks.push((value, run) => {
      if (Array.isArray(value)) checkItems(value, schema, run);
    });
  }
  if (minProperties !== undefined || maxProperties !== undefined) {
    checks.push((value, run) => {
      if (typeof value === 'object' && !Array.isArray(value)) checkProperties(value ?? {}, schema, run);
    });
  }
  return checks;
}

function checkItems(items: readonly unknown[], { minItems, maxItems, uniqueItems }: Schema, run: Run): void {
  if (minItems !== undefined && items.length < minItems) {
    run.invalid(items.length, `should have at least ${minItems} items`);
  }
  if (maxItems !== undefined && items.length > maxItems) tooManyOf(items.length, maxItems, run);
  if (uniqueItems && items.some((item, i) => items.findIndex((other) => equal(item, other)) < i)) {
    run.invalid('', "shouldn't contain duplicates");
  }
}

function checkProperties(value: object, { minProperties, maxProperties }: Schema, run: Run): void {
  const count = Object.keys(value).length;
  if (minProperties !== undefined && count < minProperties) {
    run.invalid(count, `should have at least ${minProperties} properties`);
  }
  if (maxProperties !== undefined && count > maxProperties) tooManyOf(count, maxProperties, run);
}

const tooManyOf = (actual: number, most: number, run: Run): void =>
  run.fail({ type: 'tooMany', value: actual, detail: `must have at most ${most} ${most === 1 ? 'item' : 'items'}` });

function enumCheck({ enum: allowed }: Schema): Check[] {
  if (!allowed?.length) return [];
  const scalars = new Set<unknown>(allowed.filter((one) => typeof one !== 'object'));
  const texts = allowed.map((one) => JSON.stringify(typeof one === 'string' ? one : JSON.stringify(one)));
  const detail = `supported values: ${texts.join(', ')}`;
  return [
    (value, run) => {
      if (scalars.has(value) || (typeof value === 'object' && allowed.some((one) => equal(one, value)))) return;
      run.fail({ type: 'notSupported', value, detail });
    },
  ];
}
