/**
 * Records how a real kube-apiserver answers the cases: `node tools/record-patches.ts URL TOKEN`.
 * It creates and deletes the objects of the cases in the namespace `default` of that server, and a CRD.
 * Start with `recordCase`.
 */
import { request as send } from 'node:https';
import { setTimeout as after } from 'node:timers/promises';
import { cases } from '../test/patch/cases.ts';
import { widgetDefinition } from '../test/patch/custom-cases.ts';
import { contentTypes } from '../test/patch/story.ts';
import type { Case, Step } from '../test/patch/story.ts';

const [url = '', token = ''] = process.argv.slice(2);

interface Answer {
  readonly code: number;
  readonly body: unknown;
}

function call(method: string, path: string, options: { body?: unknown; type?: string } = {}): Promise<Answer> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': options.type ?? 'application/json' };
  return new Promise((resolve, reject) => {
    const request = send(new URL(path, url), { method, headers, rejectUnauthorized: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        resolve({ code: response.statusCode ?? 0, body: text.startsWith('{') ? (JSON.parse(text) as unknown) : text });
      });
    });
    request.on('error', reject);
    request.end(options.body === undefined ? undefined : JSON.stringify(options.body));
  });
}

function sendStep(one: Case, step: Step): Promise<Answer> {
  const query = `fieldManager=${step.manager}${step.do === 'apply' ? `&force=${step.force ?? false}` : ''}`;
  if (step.do === 'create') return call('POST', `${one.resource}?${query}`, { body: step.body });
  const path = `${one.resource}/${one.object}${step.subresource ? `/${step.subresource}` : ''}?${query}`;
  const method = step.do === 'update' ? 'PUT' : 'PATCH';
  return call(method, path, { body: step.body, type: contentTypes[step.do] });
}

async function recordCase(one: Case): Promise<unknown> {
  const answers: unknown[] = [];
  for (const step of one.steps) {
    const { code, body } = await sendStep(one, step);
    const { body: stored } = await call('GET', `${one.resource}/${one.object}`);
    answers.push(code < 300 ? { code, object: stored } : { code, status: body });
    // Times of managedFields are whole seconds: steps must not share one.
    await after(1100);
  }
  await call('PATCH', `${one.resource}/${one.object}`, {
    body: { metadata: { finalizers: null } },
    type: contentTypes.merge,
  });
  await call('DELETE', `${one.resource}/${one.object}?gracePeriodSeconds=0&propagationPolicy=Background`);
  return { name: one.name, answers };
}

async function installWidgets(): Promise<void> {
  await call('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', { body: widgetDefinition });
  for (let tries = 0; tries < 50; tries++) {
    if ((await call('GET', '/apis/example.com/v1/namespaces/default/widgets')).code === 200) return;
    await after(200);
  }
}

await installWidgets();
const { body: version } = await call('GET', '/version');
const { gitVersion } = version as { gitVersion: string };
const answers = await Promise.all(
  [...Map.groupBy(cases, (one) => `${one.resource}/${one.object}`).values()].map(async (same) => {
    const recorded: unknown[] = [];
    for (const one of same) recorded.push(await recordCase(one));
    return recorded;
  }),
);
const lines = answers.flat().map((one) => JSON.stringify(one));
process.stdout.write(`{"version":${JSON.stringify(gitVersion)},"cases":[\n${lines.join(',\n')}\n]}\n`);
