import { describe, expect, it } from 'vitest';
import { alreadyExists, conflict, forbidden, invalid, methodNotSupported, notFound, tooLarge } from './errors.ts';
import { duplicateValue, immutable, invalidValue, notSupported, required, tooLong } from './field.ts';

const deployments = { group: 'apps', plural: 'deployments' };
const pods = { group: '', plural: 'pods' };
const deployment = { group: 'apps', kind: 'Deployment' };

describe('the words that kubectl prints', () => {
  it.each([
    [notFound(deployments, 'web'), 404, 'deployments.apps "web" not found'],
    [notFound(pods, 'web'), 404, 'pods "web" not found'],
    [alreadyExists(deployments, 'web'), 409, 'deployments.apps "web" already exists'],
    [
      conflict(deployments, 'web'),
      409,
      'Operation cannot be fulfilled on deployments.apps "web": the object has been modified; please apply your changes to the latest version and try again',
    ],
    [forbidden(pods, '', 'no'), 403, 'pods is forbidden: no'],
    [forbidden(pods, 'a', 'no'), 403, 'pods "a" is forbidden: no'],
    [methodNotSupported(pods, 'create'), 405, 'create is not supported on resources of kind "pods"'],
    [tooLarge(3), 413, 'Request entity too large: limit is 3'],
    [
      invalid(deployment, 'web', [required('spec.selector')]),
      422,
      'Deployment.apps "web" is invalid: spec.selector: Required value',
    ],
  ])('%s', (error, code, message) => {
    expect(error.message).toBe(message);
    expect(error.code).toBe(code);
    expect(error.status.code).toBe(code);
  });

  it('lists several field errors in brackets, and each once as a cause', () => {
    const error = invalid(deployment, 'web', [
      notSupported('a', 'x', ['y', 'z']),
      tooLong('b', 63),
      duplicateValue('c', 'k'),
      immutable('d', { m: 1 }),
      invalidValue('e', -1, 'must be greater than or equal to 0'),
    ]);
    expect(error.message).toBe(
      'Deployment.apps "web" is invalid: [a: Unsupported value: "x": supported values: "y", "z", b: Too long: may not be more than 63 bytes, ' +
        'c: Duplicate value: "k", d: Invalid value: {"m":1}: field is immutable, e: Invalid value: -1: must be greater than or equal to 0]',
    );
    expect(error.status.details?.causes?.[1]).toEqual({
      reason: 'FieldValueTooLong',
      message: 'Too long: may not be more than 63 bytes',
      field: 'b',
    });
  });
});
