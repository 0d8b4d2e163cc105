/**
 * Records how a real kube-apiserver judges objects and definitions: `node tools/record-schemas.ts URL TOKEN`.
 * It creates and deletes the objects of the cases in the namespace `default` of that server, and a CRD.
 * Start with `recordObject`.
 */
import { request as send } from 'node:https';
import { setTimeout as after } from 'node:timers/promises';
import { definitionCases, objectCases, trials } from '../test/schemas/cases.ts';
import { judge } from '../test/schemas/judge.ts';
import type { Call } from '../test/schemas/judge.ts';

const [url = '', token = ''] = process.argv.slice(2);

const call: Call = (method, path, body) => {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  return new Promise((resolve, reject) => {
    const request = send(new URL(path, url), { method, headers, rejectUnauthorized: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        const parsed = text.startsWith('{') ? (JSON.parse(text) as Record<string, unknown>) : { message: text };
        const warnings = response.headersDistinct['warning'] ?? [];
        resolve({ code: response.statusCode ?? 0, body: parsed, warnings });
      });
    });
    request.on('error', reject);
    request.end(body === undefined ? undefined : JSON.stringify(body));
  });
};

const created = await call('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', trials);
if (created.code >= 300 && created.code !== 409) throw new Error(JSON.stringify(created.body));
while ((await call('GET', '/apis/schemas.example.com/v1/namespaces/default/trials')).code !== 200) await after(200);
const { body: version } = await call('GET', '/version');
const verdicts = await judge(call, objectCases, definitionCases);
const lines = verdicts.map((one) => JSON.stringify(one));
process.stdout.write(`{"version":${JSON.stringify(version['gitVersion'])},"verdicts":[\n${lines.join(',\n')}\n]}\n`);
