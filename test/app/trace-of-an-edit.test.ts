/** One edit can be followed from the PUT of a user to the write in the member: all spans on the way are one chain of parents. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { defaultGates } from '../../src/api/index.ts';
import { up } from '../../src/app/index.ts';
import type { Running } from '../../src/app/index.ts';
import { HttpsTransport } from '../../src/client/index.ts';
import { configMap, configMaps, policy } from '../kit/objects.ts';
import { until } from '../kit/until.ts';

interface Span {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
}

interface Batch {
  readonly resourceSpans: readonly { readonly scopeSpans: readonly { readonly spans: readonly Span[] }[] }[];
}

const spans: Span[] = [];
const receiver = createServer((request, response) => {
  let text = '';
  request.on('data', (chunk: Buffer) => (text += chunk.toString()));
  request.on('end', () => {
    for (const { scopeSpans } of (JSON.parse(text) as Batch).resourceSpans)
      for (const scope of scopeSpans) spans.push(...scope.spans);
    response.end('{}');
  });
});

const variable = 'OTEL_EXPORTER_OTLP_ENDPOINT';
let folder: string;
let system: Running;
let transport: HttpsTransport;
let member: HttpsTransport;
beforeAll(async () => {
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  process.env[variable] = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
  folder = await mkdtemp(path.join(tmpdir(), 'sluice-trace-'));
  system = await up({
    dataDir: ':memory:',
    listen: { host: '127.0.0.1', port: 0 },
    members: ['member1'],
    kubeconfig: path.join(folder, 'kubeconfig'),
    gates: defaultGates,
    version: '0.0.0',
    logLevel: 'silent',
  });
  delete process.env[variable];
  const { server, certificateAuthority: caBundle, user } = system.site.context('sluice');
  if (!('certificate' in user)) throw new Error('the administrator has a certificate');
  transport = new HttpsTransport({ server, caBundle, certificate: user });
  const [first] = system.members;
  if (first) member = new HttpsTransport({ server: first.url, caBundle: first.caBundle, token: first.token });
}, 60_000);
afterAll(async () => {
  await Promise.all([transport.close(), member.close()]);
  await system.stop();
  receiver.close();
  await rm(folder, { recursive: true, force: true });
});

/** The names of a span and of those above it, the span first. */
function chainOf(span: Span | undefined): readonly string[] {
  return span ? [span.name, ...chainOf(spans.find(({ spanId }) => spanId === span.parentSpanId))] : [];
}

const pathOfSettings = '/api/v1/namespaces/default/configmaps/settings';

/** The value that the member has. */
async function arrived(value: string): Promise<void> {
  await until(`the member has ${value}`, async () => {
    const { body } = await member.send({ method: 'GET', path: pathOfSettings, query: '', headers: {} });
    return (body as { data?: { value: string } }).data?.value === value;
  });
}

async function write(method: string, to: string, body: object, traceparent?: string): Promise<void> {
  const headers = { 'content-type': 'application/json', ...(traceparent && { traceparent }) };
  const { status } = await transport.send({ method, path: to, query: '', headers, body });
  expect(status).toBeLessThan(300);
}

test('an edit is one trace from the caller to the member', async () => {
  const policies = '/apis/policy.karmada.io/v1alpha1/namespaces/default/propagationpolicies';
  await write('POST', policies, policy('pp', { to: 'member1', select: [configMaps({ name: 'settings' })] }));
  await write('POST', '/api/v1/namespaces/default/configmaps', configMap('settings'));
  await arrived('one');

  const caller = { traceId: '0123456789abcdef0123456789abcdef', spanId: '0123456789abcdef' };
  const edited = configMap('settings', { value: 'two' });
  await write('PUT', pathOfSettings, edited, `00-${caller.traceId}-${caller.spanId}-01`);
  await arrived('two');
  await system.stop();

  const own = spans.filter(({ traceId }) => traceId === caller.traceId);
  const sent = own.find(({ name }) => name.startsWith('member '));
  expect(chainOf(sent)).toEqual([
    'member PUT',
    expect.stringMatching(/^dispatcher member1 Updated$/),
    'hub PUT',
    'binder Rendered',
    'hub PUT',
    expect.stringMatching(/^detector /),
    'hub PUT',
  ]);
  expect(own.find(({ parentSpanId }) => parentSpanId === caller.spanId)?.name).toBe('hub PUT');
});
