/** Tells the recorded stories to the embedded hub: what clients see of ownership must be what a real API server shows. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { KubeObject, Status } from '../../src/api/index.ts';
import { createHub } from '../../src/apiserver/index.ts';
import type { Hub } from '../../src/apiserver/index.ts';
import { memoryStore } from '../../src/store/index.ts';
import { cases } from './cases.ts';
import { widgetDefinition } from './custom-cases.ts';
import { contentTypes } from './story.ts';
import type { Case, Step } from './story.ts';

interface Answer {
  readonly code: number;
  readonly object?: KubeObject;
  readonly status?: Partial<Status>;
}

const recording = JSON.parse(readFileSync(new URL('../golden/patch/kube-1.34.json', import.meta.url), 'utf8')) as {
  readonly version: string;
  readonly cases: readonly { readonly name: string; readonly answers: readonly Answer[] }[];
};

/** Where the hub is not to do the same, and why. */
const apart: Readonly<Record<string, string>> = {
  'labels, annotations, finalizers, owners':
    'the hub collects what its owners have left behind; that server ran without',
  'env with two of one name': 'the hub refuses what a real server only warns of',
  'the status is owned apart': 'typed conditions always carry their times',
  'ownership of a new Service': 'the hub allocates addresses before ownership is decided',
  'ports of a service, two of one number': 'the hub allocates addresses before ownership is decided',
  'ownership of a new DaemonSet': 'an annotation that was deprecated long ago',
};

const store = memoryStore();
let now = Date.parse('2026-01-01T00:00:00Z');
let hub: Hub;

async function call(method: string, url: string, sent?: { readonly body: unknown; readonly type: string }) {
  const [path = '', query = ''] = url.split('?');
  const headers = { 'content-type': sent?.type, accept: 'application/json' };
  const body = sent && Buffer.from(JSON.stringify(sent.body));
  const response = await hub.handle({ method, path, query, headers, ...(body && { body }) });
  const text = response.body === undefined ? '{}' : String(response.body);
  return { code: response.status, body: JSON.parse(text) as KubeObject & Status };
}

beforeAll(async () => {
  const clock = { now: () => now, after: () => () => undefined };
  hub = await createHub({ store, clock, definitions: [widgetDefinition as never] });
});

afterAll(async () => {
  await hub.close();
  await store.close();
});

function tell(one: Case, step: Step) {
  const query = `fieldManager=${step.manager}${step.do === 'apply' ? `&force=${step.force ?? false}` : ''}`;
  const sent = { body: step.body, type: contentTypes[step.do] };
  if (step.do === 'create') return call('POST', `${one.resource}?${query}`, sent);
  const subresource = step.subresource ? `/${step.subresource}` : '';
  return call('PATCH', `${one.resource}/${one.object}${subresource}?${query}`, sent);
}

/** Times and causes aside; the hub names the namespace that the URL gives. */
function shown({ code, object, status }: Answer): unknown {
  const entries = (object?.metadata.managedFields ?? []) as readonly Readonly<Record<string, unknown>>[];
  const message = status?.message?.replace('(default/', '(/');
  return { code, managedFields: entries.map((entry) => ({ ...entry, time: undefined })), message };
}

async function answerOf(one: Case, step: Step): Promise<Answer> {
  now += 1000;
  const { code, body } = await tell(one, step);
  if (code >= 300) return { code, status: body };
  const { body: object } = await call('GET', `${one.resource}/${one.object}`);
  return { code, object };
}

/** The real server leaves null where an applier took all, and then finds it invalid: from there the stories part. */
function partsHere(ours: Answer, theirs: Answer): boolean {
  return theirs.code === 422 && ours.code === 200 && (theirs.status?.message ?? '').includes('"null"');
}

describe(`the hub as kube-apiserver ${recording.version}`, () => {
  test.each(cases.filter(({ name }) => !(name in apart)).map((one) => [one.name, one] as const))(
    '%s',
    async (name, one) => {
      const recorded = recording.cases.find((other) => other.name === name)?.answers ?? [];
      for (const [i, step] of one.steps.entries()) {
        const ours = await answerOf(one, step);
        const theirs = recorded[i];
        if (!theirs || partsHere(ours, theirs)) break;
        expect(shown(ours)).toEqual(shown(theirs));
      }
      const forget = { body: { metadata: { finalizers: null } }, type: contentTypes.merge };
      await call('PATCH', `${one.resource}/${one.object}`, forget);
      await call('DELETE', `${one.resource}/${one.object}?gracePeriodSeconds=0&propagationPolicy=Background`);
    },
  );
});
