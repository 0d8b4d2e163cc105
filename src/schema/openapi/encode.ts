import { anything, double, encoded, flag, message, named, nested, nestedList, text, texts, whole } from './message.ts';
import type { FieldWriter, Message } from './message.ts';
import type { DocumentV2 } from './v2.ts';

/*
 * The messages of gnostic's OpenAPIv2, in which clients fetch /openapi/v2. Numbers are those of its protocol
 * definition; what our documents never say is left out.
 */

/** A schema or a plain true or false. */
const schemaOrFlag: FieldWriter = (writer, value) =>
  typeof value === 'boolean' ? flag(2)(writer, value) : nested(1, schema)(writer, value);

const typeItem: FieldWriter = (writer, value) => texts(1)(writer, [value]);
const itemsItem: FieldWriter = (writer, value) => nestedList(1, schema)(writer, [value]);

const schemaFields = (): Message => ({
  $ref: text(1),
  format: text(2),
  title: text(3),
  description: text(4),
  default: nested(5, anything),
  multipleOf: double(6),
  maximum: double(7),
  exclusiveMaximum: flag(8),
  minimum: double(9),
  exclusiveMinimum: flag(10),
  maxLength: whole(11),
  minLength: whole(12),
  pattern: text(13),
  maxItems: whole(14),
  minItems: whole(15),
  uniqueItems: flag(16),
  maxProperties: whole(17),
  minProperties: whole(18),
  required: texts(19),
  enum: nestedList(20, anything),
  additionalProperties: nested(21, schemaOrFlag),
  type: nested(22, typeItem),
  items: nested(23, itemsItem),
  allOf: nestedList(24, schema),
  properties: nested(25, named(1, schema)),
});

let knownSchemaFields: Message | undefined;

/** Schemas contain schemas, so their fields are put together on first use. */
const schema: FieldWriter = message(() => (knownSchemaFields ??= schemaFields()), 31);

const bodyParameter = message(
  { description: text(1), name: text(2), in: text(3), required: flag(4), schema: nested(5, schema) },
  6,
);
const queryParameter = message(
  { required: flag(1), in: text(2), description: text(3), name: text(4), type: text(6) },
  23,
);
const pathParameter = message(
  { required: flag(1), in: text(2), description: text(3), name: text(4), type: text(5) },
  22,
);

/** ParametersItem → Parameter → one of body, or of query and path below NonBodyParameter. */
const parameter: FieldWriter = nested(1, (writer, value) => {
  const { in: place } = value as { readonly in: string };
  if (place === 'body') nested(1, bodyParameter)(writer, value);
  else nested(2, place === 'query' ? nested(3, queryParameter) : nested(4, pathParameter))(writer, value);
});

const response = message({ description: text(1), schema: nested(2, nested(1, schema)) }, 5);

const operation = message(
  {
    tags: texts(1),
    summary: text(2),
    description: text(3),
    operationId: text(5),
    produces: texts(6),
    consumes: texts(7),
    parameters: nestedList(8, parameter),
    responses: nested(9, named(1, nested(1, response))),
    schemes: texts(10),
  },
  13,
);

const pathItem = message({
  get: nested(2, operation),
  put: nested(3, operation),
  post: nested(4, operation),
  delete: nested(5, operation),
  patch: nested(8, operation),
  parameters: nestedList(9, parameter),
});

const document = message({
  swagger: text(1),
  info: nested(2, message({ title: text(1), version: text(2) })),
  paths: nested(8, named(2, pathItem)),
  definitions: nested(9, named(1, schema)),
});

/** The document as kubectl fetches it. */
export function encodeV2(value: DocumentV2): Buffer {
  return encoded(document, value);
}
