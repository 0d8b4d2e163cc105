/**
 * For each kind that has rules: the answers of every hook. `x.input.yaml` has the template (`desired`), the object of a
 * member (`observed`), reports of members (`items`) and replicas (`count`); `x.output.yaml` has the answers by operation.
 * After a change of a rule, `UPDATE_GOLDEN=1` writes the outputs anew; read the difference.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dump, load } from 'js-yaml';
import { expect, test } from 'vitest';
import { interpreterOf, operations } from '../../src/engine/index.ts';
import type { HookQuestion } from '../../src/engine/index.ts';

const folder = new URL('interpreters/', import.meta.url);
const names = readdirSync(folder)
  .filter((name) => name.endsWith('.input.yaml'))
  .map((name) => name.replace('.input.yaml', ''));
const nothing = { has: () => false, each: () => {} };

function answersTo(question: HookQuestion): Readonly<Record<string, unknown>> {
  const interpreter = interpreterOf(nothing, question.desired ?? { apiVersion: '', kind: '' });
  const answers: Record<string, unknown> = {};
  for (const [name, ask] of Object.entries(operations)) {
    const answer = ask(interpreter, question);
    expect(answer?.error).toBeUndefined();
    if (answer?.value !== undefined) answers[name] = answer.value;
  }
  return answers;
}

test.each(names)('%s', (name) => {
  const question = load(readFileSync(new URL(`${name}.input.yaml`, folder), 'utf8')) as HookQuestion;
  const before = structuredClone(question);
  const answers = answersTo(question);
  const output = new URL(`${name}.output.yaml`, folder);
  if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(output, dump(answers, { noRefs: true, lineWidth: 120 }));
  expect(answers).toEqual(load(readFileSync(output, 'utf8')));
  expect(question).toEqual(before);
});

test.each(names)('%s: what is retained once is retained twice', (name) => {
  const { desired, observed } = load(readFileSync(new URL(`${name}.input.yaml`, folder), 'utf8')) as HookQuestion;
  if (!desired || !observed) return;
  const interpreter = interpreterOf(nothing, desired);
  const once = interpreter.retain(desired, observed).value;
  expect(interpreter.retain(once, observed).value).toEqual(once);
});
