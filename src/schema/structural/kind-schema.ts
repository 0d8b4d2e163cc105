/**
 * The effects of a schema on an object: prune it, name its unknown fields, fill in its defaults, check it.
 * Nothing here knows of requests or of storage; objects are frozen and copied only where they change.
 * Start with node.ts, into which a schema is compiled once, then prune.ts and validate.ts.
 */
import { applyDefaults } from '../../api/index.ts';
import type { Definitions, FieldError, KindInfo } from '../../api/index.ts';
import { isObject } from '../../base/index.ts';
import { askRules, hasRules } from '../cel/index.ts';
import { isWellFormed } from './well-formed.ts';
import { compileRoot } from './node.ts';
import type { Node } from './node.ts';
import { prune, unknownFields } from './prune.ts';
import { ratcheted } from './ratchet.ts';
import { Run } from './run.ts';
import type { Finding } from './run.ts';
import { preserveUnknown } from './preserve-unknown.ts';
import { findingsOf } from './validate.ts';

export { unknownFieldWords } from './prune.ts';

/** A kind's schema, made ready. */
export interface KindSchema {
  /**
   * Tells whether there is nothing to prune, to report or to refuse. For an object of a built-in kind the answer costs
   * a third of all that.
   */
  isWellFormed(object: unknown): boolean;
  /** The object without what the schema does not name; the same object when there is nothing to drop. */
  prune<T>(object: T): T;
  /** The object with what an older state of it has and the schema does not name. */
  preserveUnknown<T>(object: T, old: unknown): T;
  /** The object with the defaults of a custom resource filled in; the same object when nothing is missing. */
  defaults<T>(object: T): T;
  /** The paths of the fields that `prune` drops, for strict decoding. */
  unknownFields(object: unknown): readonly string[];
  /** The errors that make the metadata of a custom resource unreadable: values of the wrong type. */
  metadataErrors(object: unknown): readonly FieldError[];
  /** The errors of an object, or with the change of one. */
  validate(object: unknown, before?: unknown): readonly FieldError[];
}

const known = new WeakMap<KindInfo, KindSchema>();

/** The schema of a kind, compiled on first use and kept as long as the kind is. */
export function schemaOf(kind: KindInfo, definitions: Definitions): KindSchema {
  const found = known.get(kind);
  if (found) return found;
  const { custom, definition } = kind;
  const schema = definition && !custom ? { $ref: definition } : kind.schema;
  const made = kindSchema(compileRoot(schema, { definitions, custom }));
  known.set(kind, made);
  return made;
}

/** The schema of a built-in definition that is not a resource: the body of a subresource, for example TokenRequest. */
export function schemaOfDefinition(name: string, definitions: Definitions): KindSchema {
  return kindSchema(compileRoot({ $ref: name }, { definitions, custom: false }));
}

function kindSchema(node: Node): KindSchema {
  return {
    isWellFormed: (object) => isWellFormed(node, object),
    prune: (object) => prune(node, object),
    preserveUnknown: (object, old) => preserveUnknown(node, object, old),
    defaults: (object) => (node.custom ? applyDefaults(object, node.schema) : object),
    unknownFields: (object) => unknownFields(node, object),
    metadataErrors: (object) => metadataErrors(node, object),
    validate: (object, before) => validate(node, object, before),
  };
}

function metadataErrors({ objectMeta }: Node, object: unknown): readonly FieldError[] {
  const metadata = isObject(object) ? object['metadata'] : undefined;
  if (!objectMeta || metadata === undefined) return [];
  return findingsOf(objectMeta, metadata).map(({ error }) => error);
}

function validate(node: Node, after: unknown, before: unknown): readonly FieldError[] {
  const findings = findingsOf(node, after);
  const all = node.custom ? [...findings, ...refusals(node, { after, before }, findings)] : findings;
  if (all.length === 0) return [];
  const found = node.custom && before !== undefined ? ratcheted(all, { node, before, after }) : all;
  return found.map(({ error }) => error);
}

/** Errors after which the rules would look at values that are not what their types say. */
const blocking: ReadonlySet<string> = new Set(['notSupported', 'required', 'tooLong', 'tooMany', 'typeInvalid']);

function refusals(
  node: Node,
  change: { readonly after: unknown; readonly before: unknown },
  sofar: readonly Finding[],
): readonly Finding[] {
  if (!hasRules(node)) return [];
  if (sofar.some(({ error }) => blocking.has(error.type))) return [{ error: unchecked, steps: [] }];
  const run = new Run();
  askRules(node, change, run);
  return run.findings;
}

const unchecked: FieldError = {
  type: 'invalid',
  field: '<nil>',
  value: null,
  detail:
    'some validation rules were not checked because the object was invalid; correct the existing errors to complete validation',
};
