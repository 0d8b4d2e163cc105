import { hash } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import type { KubeObject, WebhookAnswer, WebhookQuestion } from '../api/index.ts';
import { useSha256 } from '../base/index.ts';
import { ManualClock } from './clock.ts';
import { WebhookAnswers } from './webhook-answers.ts';

beforeAll(() => useSha256((text) => hash('sha256', text, 'hex')));

const webhook = { name: 'a.example.com', clientConfig: { url: 'https://a' }, interpreterContextVersions: ['v1alpha1'] };

function about(replicas: number): WebhookQuestion {
  const object = { apiVersion: 'v1', kind: 'A', metadata: { name: 'a' }, spec: { replicas } } as KubeObject;
  const kind = { group: '', version: 'v1', kind: 'A' };
  return { webhook, request: { kind, name: 'a', operation: 'InterpretReplica', object } };
}

/** Answers, each when the test gives it. */
function asking(most?: number) {
  const given: ((answer: WebhookAnswer) => void)[] = [];
  const clock = new ManualClock();
  const call = (): Promise<WebhookAnswer> => new Promise((resolve) => given.push(resolve));
  const answers = new WebhookAnswers({ call, clock, ...(most !== undefined && { most }) });
  const again: string[] = [];
  const decide = (name: string, question: WebhookQuestion): WebhookAnswer | undefined =>
    answers.decide({ name, again: () => void again.push(name) }, () => answers.ask(question));
  return { answers, given, clock, again, decide };
}

const good = { response: { replicas: 2 } };
const bad = { error: 'down' };
const turn = (): Promise<void> => Promise.resolve();

test('equal questions are asked once, and all who decided without the answer are asked again', async () => {
  const { given, again, decide, answers } = asking();
  expect([decide('one', about(2)), decide('two', about(2)), answers.idle]).toEqual([undefined, undefined, false]);
  given[0]?.(good);
  await turn();
  expect([again, given.length, answers.idle]).toEqual([['one', 'two'], 1, true]);
  expect(decide('one', about(2))).toBe(good);
  expect(again).toEqual(['one', 'two']);
});

test('other content is another question', async () => {
  const { given, decide } = asking();
  decide('one', about(2));
  given[0]?.(good);
  await turn();
  expect(decide('one', about(3))).toBeUndefined();
  expect(given).toHaveLength(2);
});

test('a failure stands until the webhook answers, which is asked ever more slowly', async () => {
  const { given, clock, again, decide } = asking();
  decide('one', about(2));
  given[0]?.(bad);
  await turn();
  expect(decide('two', about(2))).toBe(bad);
  clock.advance(999);
  expect(given).toHaveLength(1);
  clock.advance(1);
  given[1]?.(bad);
  await turn();
  clock.advance(1_999);
  expect(given).toHaveLength(2);
  clock.advance(1);
  given[2]?.(good);
  await turn();
  expect(again).toEqual(['one', 'one', 'two']);
  expect(decide('one', about(2))).toBe(good);
});

test('outside of a decision nothing is asked, and a missing answer is a failure', () => {
  const { answers, given } = asking();
  expect(answers.ask(about(2))).toEqual({ error: 'has not answered yet' });
  expect(given).toEqual([]);
});

test('the oldest answers are forgotten, and asked for again', async () => {
  const { given, decide } = asking(2);
  for (const replicas of [1, 2, 3]) {
    decide('one', about(replicas));
    given.at(-1)?.(good);
    await turn();
  }
  expect(decide('one', about(3))).toBe(good);
  expect(decide('one', about(1))).toBeUndefined();
});
