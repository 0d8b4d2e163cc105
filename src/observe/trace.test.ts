import { createServer } from 'node:http';
import type { IncomingHttpHeaders, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { createLogger } from './log.ts';
import { openTracer, traceTarget } from './trace.ts';

interface Sent {
  readonly path: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
}

const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await new Promise((resolve) => server.close(resolve));
});

/** Somebody who takes traces, and what was sent there. */
async function endpoint(status = 200): Promise<{ readonly url: string; readonly sent: Sent[] }> {
  const sent: Sent[] = [];
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.on('end', () => {
      sent.push({ path: request.url, headers: request.headers, body: JSON.parse(text) });
      response.writeHead(status, { connection: 'close' }).end('{}');
    });
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, sent };
}

function opened(url: string, lines: string[] = []): ReturnType<typeof openTracer> {
  const log = createLogger({ format: 'pretty', write: (line) => lines.push(line) });
  const variables = { OTEL_EXPORTER_OTLP_ENDPOINT: url, OTEL_EXPORTER_OTLP_HEADERS: 'key=a%20secret' };
  return openTracer({ variables, log });
}

test('spans are sent as OTLP says it, with what failed, and the last ones before the end', async () => {
  const { url, sent } = await endpoint();
  const tracer = await opened(url);
  expect(await tracer.span('binder Rendered', { object: 'web', count: 2, suspended: false }, async () => 7)).toBe(7);
  await expect(tracer.span('x', {}, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  await tracer.close();

  expect(sent).toHaveLength(1);
  expect(sent[0]).toMatchObject({
    path: '/v1/traces',
    headers: { key: 'a secret', 'content-type': 'application/json' },
  });
  const times = { startTimeUnixNano: expect.stringMatching(/^\d{19}$/) as string };
  expect(sent[0]?.body).toMatchObject({
    resourceSpans: [
      {
        resource: { attributes: [{ key: 'service.name', value: { stringValue: 'sluice' } }] },
        scopeSpans: [
          {
            spans: [
              {
                ...times,
                traceId: expect.stringMatching(/^[0-9a-f]{32}$/) as string,
                spanId: expect.stringMatching(/^[0-9a-f]{16}$/) as string,
                name: 'binder Rendered',
                attributes: [
                  { key: 'object', value: { stringValue: 'web' } },
                  { key: 'count', value: { intValue: 2 } },
                  { key: 'suspended', value: { boolValue: false } },
                ],
                status: {},
              },
              { ...times, name: 'x', status: { code: 2, message: 'no' } },
            ],
          },
        ],
      },
    ],
  });
});

interface SentSpan {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
}

const spansIn = (sent: readonly Sent[]): ReadonlyMap<string, SentSpan> =>
  new Map(
    sent
      .flatMap(({ body }) => (body as Batch).resourceSpans[0]?.scopeSpans[0]?.spans ?? [])
      .map((span) => [(span as SentSpan).name, span as SentSpan]),
  );

test('a span is a child of the one that runs it, of its caller, or of the last write of its object', async () => {
  const { url, sent } = await endpoint();
  const tracer = await opened(url);
  const caller = '00-0123456789abcdef0123456789abcdef-0123456789abcdef-01';
  let told: string | undefined;
  await tracer.follow(caller, () =>
    tracer.span('write', {}, async () => {
      tracer.wrote('web');
      told = tracer.traceparent();
      await tracer.span('inner', {}, async () => 1);
    }),
  );
  await tracer.span('work', { object: 'web' }, async () => 1);
  await tracer.span('other', { object: 'db' }, async () => 1);
  await tracer.follow('nonsense', () => tracer.span('alone', {}, async () => 1));
  expect(tracer.traceparent()).toBeUndefined();
  await tracer.close();

  const spans = spansIn(sent);
  const write = spans.get('write');
  expect(write).toMatchObject({ traceId: '0123456789abcdef0123456789abcdef', parentSpanId: '0123456789abcdef' });
  expect(told).toBe(`00-${write?.traceId}-${write?.spanId}-01`);
  const parents = ['inner', 'work', 'other', 'alone'].map((name) => spans.get(name)?.parentSpanId);
  expect(parents).toEqual([write?.spanId, write?.spanId, undefined, undefined]);
  expect(new Set([...spans.values()].map(({ traceId }) => traceId)).size).toBe(3);
});

test('many spans go in batches', async () => {
  const { url, sent } = await endpoint();
  const tracer = await opened(url);
  for (let i = 0; i < 1_500; i++) await tracer.span(`s${i}`, {}, async () => i);
  await tracer.close();
  const sizes = sent.map(({ body }) => (body as Batch).resourceSpans[0]?.scopeSpans[0]?.spans.length ?? 0);
  expect(Math.max(...sizes)).toBeLessThanOrEqual(512);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(1_500);
});

interface Batch {
  readonly resourceSpans: readonly { readonly scopeSpans: readonly { readonly spans: readonly unknown[] }[] }[];
}

test('an endpoint that refuses costs one warning and nothing else', async () => {
  const { url } = await endpoint(400);
  const lines: string[] = [];
  const tracer = await opened(url, lines);
  for (let i = 0; i < 1_500; i++) expect(await tracer.span('x', {}, async () => i)).toBe(i);
  await tracer.close();
  expect(lines).toEqual([expect.stringContaining('traces cannot be sent and are dropped')]);
  expect(lines[0]).toContain('Bad Request');
});

test('an endpoint that never answers does not keep a process from its end', async () => {
  const server = createServer(() => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const tracer = await opened(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  await tracer.span('x', {}, async () => 1);
  await tracer.close();
  server.closeAllConnections();
  server.close();
});

test.each([
  [{}, undefined],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://one:4318/' }, 'http://one:4318/v1/traces'],
  [{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://one/x', OTEL_EXPORTER_OTLP_ENDPOINT: 'http://two' }, 'http://one/x'],
])('%j sends traces to %s', (variables, url) => {
  expect(traceTarget(variables)?.url).toBe(url);
});
