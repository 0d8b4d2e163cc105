import { crdSchemaOf, fieldErrorText, isOwnApi, shapeErrors } from '../../api/index.ts';
import type { KubeObject, Schema } from '../../api/index.ts';
import { workFaults } from './binding.ts';
import { root } from './place.ts';

const text: Schema = { type: 'string' };
const texts: Schema = { type: 'object', additionalProperties: text };

/** The parts of metadata that the decisions read. A server checks them on every write, but nobody checks a restored file. */
const metadataSchema: Schema = {
  type: 'object',
  required: ['name'],
  properties: {
    name: text,
    namespace: text,
    uid: text,
    deletionTimestamp: text,
    labels: texts,
    annotations: texts,
    finalizers: { type: 'array', items: text },
    ownerReferences: {
      type: 'array',
      items: { type: 'object', properties: { apiVersion: text, kind: text, name: text, uid: text } },
    },
  },
};

/** Number of faults that are named; the rest is counted. */
const named = 3;

/**
 * The reason why an object of our own kinds cannot be read: it lacks the shape of its kind. Undefined when the
 * decisions can read it. However the object came into the store, one that passes has every field that they rely on.
 */
export function whyUnreadable(object: KubeObject): string | undefined {
  if (!isOwnApi(object.apiVersion)) return undefined;
  const schema = crdSchemaOf(object.apiVersion, object.kind);
  if (!schema) return undefined;
  const { metadata, ...body } = object;
  const faults = [...shapeErrors(metadata, metadataSchema, 'metadata'), ...shapeErrors(body, schema)];
  if (faults.length === 0 && object.kind === 'Work') faults.push(...workFaults(root(object)));
  if (faults.length === 0) return undefined;
  const words = faults.slice(0, named).map(fieldErrorText);
  return faults.length > named ? `${words.join('; ')}; and ${faults.length - named} more` : words.join('; ');
}
