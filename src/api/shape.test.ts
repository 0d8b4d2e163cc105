import { describe, expect, test } from 'vitest';
import type { Schema } from './index.ts';
import { fieldErrorText, shapeErrors } from './index.ts';

const schema: Schema = {
  type: 'object',
  required: ['name'],
  properties: {
    name: { type: 'string', minLength: 2, maxLength: 4, pattern: '^[a-z]+$' },
    mode: { type: 'string', enum: ['On', 'Off'] },
    count: { type: 'integer', format: 'int32', minimum: 1, maximum: 9 },
    share: { type: 'number' },
    any: { 'x-kubernetes-preserve-unknown-fields': true },
    port: { 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'integer' }, { type: 'string' }] },
    list: { type: 'array', minItems: 1, maxItems: 2, items: { type: 'object', minProperties: 1 } },
    gone: { type: 'string', nullable: true },
  },
};

describe('the shape of a value', () => {
  test.each<[unknown, ...string[]]>([
    [{ name: 'abc', mode: 'On', count: 1, share: 2, any: [{}], port: 80, list: [{ a: 1 }], gone: null, more: 1 }],
    [{ name: 'abc', port: 'http', share: 0.5 }],
    [{}, 'name: Required value'],
    ['x', 'Invalid value: "string":  in body must be of type object: "string"'],
    [{ name: 5 }, 'name: Invalid value: "integer": name in body must be of type string: "integer"'],
    [{ name: null }, 'name: Invalid value: "null": name in body must be of type string: "null"'],
    [{ name: 'a' }, 'name: Invalid value: "a": name in body should be at least 2 chars long'],
    [{ name: 'abcde' }, 'name: Too long: may not be more than 4 bytes'],
    [{ name: 'A1' }, `name: Invalid value: "A1": name in body should match '^[a-z]+$'`],
    [{ name: 'ab', mode: 'on' }, 'mode: Unsupported value: "on": supported values: "On", "Off"'],
    [{ name: 'ab', count: 0 }, 'count: Invalid value: 0: count in body should be greater than or equal to 1'],
    [{ name: 'ab', count: 10 }, 'count: Invalid value: 10: count in body should be less than or equal to 9'],
    [{ name: 'ab', count: 1.5 }, 'count: Invalid value: "number": count in body must be of type integer: "number"'],
    [
      { name: 'ab', port: true },
      'port: Invalid value: "boolean": port in body must be of type integer,string: "boolean"',
    ],
    [{ name: 'ab', list: [] }, 'list: Invalid value: 0: list in body should have at least 1 items'],
    [
      { name: 'ab', list: [{}, 1, { a: 1 }] },
      'list: Too many: 3: must have at most 2 items',
      'list[0]: Invalid value: {}: list[0] in body should have at least 1 properties',
      'list[1]: Invalid value: "integer": list[1] in body must be of type object: "integer"',
    ],
  ])('%j', (value, ...errors) => {
    expect(shapeErrors(value, schema).map(fieldErrorText)).toEqual(errors);
  });
});
