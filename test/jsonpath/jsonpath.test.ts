import { expect, test } from 'vitest';
import { evaluate, parseTemplate, TemplateError } from '../../src/base/index.ts';
import { cases, object } from './cases.ts';

test.each(cases)('$template', ({ template, prints, fails }) => {
  const printed = (): string => evaluate(parseTemplate(template), object);
  if (fails) expect(printed).toThrow(TemplateError);
  else expect(printed()).toBe(prints);
});
