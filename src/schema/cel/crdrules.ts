import { ownMember } from '../../base/index.ts';
import { invalidValue, notSupported, required } from '../../api/index.ts';
import type { FieldError, Schema, ValidationRule } from '../../api/index.ts';
import { CostBudget } from './budget.ts';
import { mostBytes, repetitionsIn, smallest } from './cardinality.ts';
import { costOf } from './cost.ts';
import { compileRules } from './rule.ts';
import type { CompiledRule } from './rule.ts';

const reasons = ['FieldValueDuplicate', 'FieldValueForbidden', 'FieldValueInvalid', 'FieldValueRequired'];

/** Where a schema stands while its rules are looked at. */
interface RuleContext {
  readonly path: string;
  readonly root: boolean;
  /** The list inside which old and new items cannot be matched, so that nothing there has an oldSelf. */
  readonly uncorrelated?: string;
  /** How often a value of the schema can stand in an object; undefined when nothing bounds it. */
  readonly cardinality: number | undefined;
  readonly budget: CostBudget;
}

/** The errors of the rules of a schema and of those inside it, found when the definition is written. */
export function ruleErrors(schema: Schema, path: string): FieldError[] {
  const budget = new CostBudget();
  const errors = errorsAt(schema, { path, root: true, cardinality: 1, budget });
  return [...errors, ...budget.errors(path)];
}

function errorsAt(schema: Schema, place: RuleContext): FieldError[] {
  const { path } = place;
  const { properties, additionalProperties, items } = schema;
  const cardinality = timesIn(schema, place.cardinality);
  const below = (one: Schema, to: string, more: Partial<RuleContext> = {}): FieldError[] =>
    errorsAt(one, { ...place, ...more, cardinality, root: false, path: `${path}.${to}` });
  const isMap = schema['x-kubernetes-list-type'] === 'map';
  return [
    ...ownErrors(schema, place),
    ...Object.entries(properties ?? {}).flatMap(([name, one]) => below(one, `properties[${name}]`)),
    ...(typeof additionalProperties === 'object' ? below(additionalProperties, 'additionalProperties') : []),
    ...(items ? below(items, 'items', isMap || place.uncorrelated ? {} : { uncorrelated: path }) : []),
  ];
}

function ownErrors(schema: Schema, place: RuleContext): FieldError[] {
  const rules = schema['x-kubernetes-validations'] ?? [];
  if (rules.length === 0) return [];
  const field = (i: number): string => `${place.path}.x-kubernetes-validations[${i}]`;
  const shape = rules.flatMap((rule, i) => shapeErrors(rule, schema, field(i)));
  if (shape.length > 0) return shape;
  return compileRules(schema, place.root).rules.flatMap((rule, i) => [
    ...costErrors(rule, schema, { ...place, path: field(i) }),
    ...compileErrors(rule, field(i), place),
  ]);
}

function timesIn(schema: Schema, times: number | undefined): number | undefined {
  const more = repetitionsIn(schema);
  return times === undefined || more === undefined ? undefined : times * more;
}

/** The same estimates as kube-apiserver's, made when the definition is written: no object can then make a rule run for long. */
function costErrors({ program, message }: CompiledRule, schema: Schema, place: RuleContext): FieldError[] {
  const { path, cardinality, budget } = place;
  if (!program) return [];
  const times = cardinality ?? Math.floor(mostBytes / (smallest(schema) + 1));
  const errors = budget.add(path, 'rule', costOf(program.ast, schema) * times);
  return message ? [...errors, ...budget.add(path, 'messageExpression', costOf(message.ast, schema))] : errors;
}

function shapeErrors(rule: ValidationRule, schema: Schema, field: string): FieldError[] {
  const errors: FieldError[] = [];
  const { message = '', reason, fieldPath } = rule;
  if (!rule.rule.trim()) errors.push(required(`${field}.rule`, 'rule is not specified'));
  else if (message.trim().includes('\n')) {
    errors.push(invalidValue(`${field}.message`, message, 'must not contain line breaks'));
  } else if (rule.rule.trim().includes('\n') && !message.trim()) {
    errors.push(required(`${field}.message`, 'message must be specified if rule contains line breaks'));
  }
  if (reason !== undefined && !reasons.includes(reason)) errors.push(notSupported(`${field}.reason`, reason, reasons));
  if (fieldPath !== undefined && !leadsSomewhere(schema, fieldPath)) {
    errors.push(invalidValue(`${field}.fieldPath`, fieldPath, 'must be a valid path'));
  }
  return errors;
}

/** Tells whether a path such as `.spec.map['key']` leads to a field of the schema. */
function leadsSomewhere(schema: Schema, path: string): boolean {
  const steps = Array.from(path.matchAll(/\.([^.[\]]+)|\['((?:[^'\\]|\\.)*)'\]/g));
  if (steps.length === 0 || steps.map(([whole]) => whole).join('') !== path) return false;
  let at: Schema | undefined = schema;
  for (const [, name, key] of steps) {
    at = at && memberOf(at, name ?? key ?? '');
  }
  return at !== undefined;
}

function memberOf({ properties, additionalProperties }: Schema, name: string): Schema | undefined {
  if (properties) return ownMember(properties, name);
  return typeof additionalProperties === 'object' ? additionalProperties : undefined;
}

function compileErrors(compiled: CompiledRule, field: string, { uncorrelated }: RuleContext): FieldError[] {
  const { rule, error, messageError, usesOldSelf } = compiled;
  const errors: FieldError[] = [];
  if (error !== undefined) errors.push(invalidValue(`${field}.rule`, rule, error));
  if (messageError !== undefined) errors.push(invalidValue(`${field}.messageExpression`, rule, messageError));
  if (usesOldSelf && uncorrelated !== undefined) {
    const detail = `oldSelf cannot be used on the uncorrelatable portion of the schema within ${uncorrelated}`;
    errors.push(invalidValue(`${field}.rule`, rule.rule, detail));
  }
  if (!usesOldSelf && error === undefined && rule.optionalOldSelf !== undefined) {
    const detail = 'may not be set if oldSelf is not used in rule';
    errors.push(invalidValue(`${field}.optionalOldSelf`, rule.optionalOldSelf, detail));
  }
  return errors;
}
