import { describe, expect, test } from 'vitest';
import { annotationBytes, fitAnnotations, refOf } from '../../src/api/index.ts';
import { bindingRefOf, explain, fleetOf } from '../../src/engine/index.ts';
import { atRest, decided, rightAfter, told } from '../kit/worlds.ts';
import { deployment, policy } from '../kit/objects.ts';

/** nginx with annotations that leave so many bytes. */
const withSpace = (bytes: number) =>
  deployment('nginx', { annotations: { note: 'x'.repeat(annotationBytes - 'note'.length - bytes) } });

describe('a template whose annotations leave no space for ours', () => {
  test('is not claimed, says why, and is failing in the status', () => {
    const template = withSpace(20);
    const world = atRest({}, policy('pp', { to: 'member1' }), template);
    expect(told(decided(world, 'claim', template))).toBe('AnnotationsFull');
    expect(explain(world, refOf(template))?.candidates).toMatchObject([{ because: 'AnnotationsFull' }]);
    const [report] = fleetOf(world, {}).templates;
    expect(report).toMatchObject({ state: 'failing', message: expect.stringMatching(/^AnnotationsFull: .*256 KiB/) });
  });

  test('a template whose annotations have space for the claim but not for the manifest is failing because of its Work', () => {
    const template = withSpace(300);
    const world = atRest({}, policy('pp', { to: 'member1' }), template);
    const decision = decided(world, 'render', bindingRefOf(template));
    expect(decision).toMatchObject({
      because: 'AnnotationsFull',
      actions: [],
      detail: expect.stringMatching(/^member1: /),
    });
    const [report] = fleetOf(world, {}).templates;
    expect(report).toMatchObject({ state: 'failing', message: expect.stringContaining('member1') });
  });

  test('goes once there is room', () => {
    const world = atRest({}, policy('pp', { to: 'member1' }), withSpace(20));
    const template = deployment('nginx');
    rightAfter(world, template);
    expect(told(decided(world, 'claim', template))).toBe('Elected claim');
  });
});

test('annotations are counted in bytes', () => {
  expect(fitAnnotations({ a: 'x'.repeat(annotationBytes - 1) })).toBe(true);
  expect(fitAnnotations({ a: 'x'.repeat(annotationBytes) })).toBe(false);
  expect(fitAnnotations({ a: 'é'.repeat(annotationBytes / 2) })).toBe(false);
  expect(fitAnnotations({ a: '😀'.repeat(annotationBytes / 4 - 1) })).toBe(true);
});
