import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CustomResourceDefinition } from '../../api/index.ts';
import { memoryStore } from '../../store/index.ts';
import type { Store } from '../../store/index.ts';
import { createHub } from '../hub.ts';
import type { Hub } from '../hub.ts';

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const widgets: CustomResourceDefinition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Cluster',
    names: { plural: 'widgets', kind: 'Widget' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: { spec: { type: 'object', properties: { size: { type: 'integer', default: 1 } } } },
          },
        },
      },
      {
        name: 'v1beta1',
        served: true,
        storage: false,
        deprecated: true,
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
    ],
  },
};

interface Reply {
  readonly status: number;
  readonly warning: unknown;
  readonly body: Record<string, unknown>;
}

let store: Store;
let hub: Hub;

beforeEach(async () => {
  store = memoryStore();
  hub = await createHub({ store });
});

afterEach(async () => {
  await hub.close();
  await store.close();
});

async function send(method: string, path: string, body?: object): Promise<Reply> {
  const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
  const bytes = body && { body: Buffer.from(JSON.stringify(body)) };
  const {
    status,
    headers,
    body: answer,
  } = await hub.handle({
    method,
    path,
    query: '',
    headers: { 'content-type': type },
    ...bytes,
  });
  const text = answer?.toString() ?? '';
  const parsed = (text.startsWith('{') ? JSON.parse(text) : { text }) as Record<string, unknown>;
  return { status, warning: headers['warning'], body: parsed };
}

/** Asks until the answer is so; a definition comes and goes in its own time. */
async function until(path: string, isDone: (reply: Reply) => boolean): Promise<Reply> {
  for (;;) {
    const reply = await send('GET', path);
    if (isDone(reply)) return reply;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

const isEstablished = ({ body }: Reply): boolean =>
  JSON.stringify(body).includes('"type":"Established","status":"True"');

async function define(): Promise<void> {
  expect((await send('POST', definitions, widgets)).status).toBe(201);
  await until(`${definitions}/widgets.example.com`, isEstablished);
}

describe('a definition in a hub', () => {
  it('is served, discovered and published once it is established', async () => {
    await define();
    expect((await send('GET', '/apis/example.com/v1/widgets')).body).toMatchObject({ kind: 'WidgetList', items: [] });
    expect((await send('GET', '/apis/example.com')).body).toMatchObject({
      preferredVersion: { version: 'v1' },
      versions: [{ version: 'v1' }, { version: 'v1beta1' }],
    });
    expect((await send('GET', '/openapi/v3')).body['paths']).toHaveProperty(['apis/example.com/v1']);
    expect((await send('GET', '/openapi/v2')).body['definitions']).toHaveProperty(['com.example.v1.Widget']);
  });

  it('serves one object in all its versions, with a warning in the old one', async () => {
    await define();
    const widget = { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'a' }, spec: {} };
    expect(await send('POST', '/apis/example.com/v1/widgets', widget)).toMatchObject({
      status: 201,
      body: { spec: { size: 1 } },
    });
    expect((await send('GET', '/apis/example.com/v1/widgets/a')).warning).toBeUndefined();
    const old = await send('GET', '/apis/example.com/v1beta1/widgets/a');
    expect(old.body).toMatchObject({ apiVersion: 'example.com/v1beta1', spec: { size: 1 } });
    expect(String(old.warning)).toContain('example.com/v1beta1 Widget is deprecated');
  });

  it('changes what it allows at once', async () => {
    await define();
    const [v1, beta] = widgets.spec.versions;
    const closed = { ...v1, schema: { openAPIV3Schema: { type: 'object', properties: {} } } };
    const path = `${definitions}/widgets.example.com`;
    expect((await send('PATCH', path, { spec: { versions: [closed, beta] } })).status).toBe(200);
    await until('/openapi/v3/apis/example.com/v1', ({ body }) => !JSON.stringify(body).includes('"size"'));
    const widget = { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'a' }, spec: { size: 2 } };
    expect((await send('POST', '/apis/example.com/v1/widgets', widget)).body).not.toHaveProperty('spec');
  });

  it('takes its objects along when it goes', async () => {
    await define();
    const stored = {
      apiVersion: 'example.com/v1',
      kind: 'Widget',
      metadata: { name: 'stored', finalizers: ['example.com/x'] },
    };
    await send('POST', '/apis/example.com/v1/widgets', stored);
    await send('POST', '/apis/example.com/v1/widgets', { ...stored, metadata: { name: 'free' } });
    expect((await send('DELETE', `${definitions}/widgets.example.com`)).status).toBe(200);
    await until('/apis/example.com/v1/widgets/free', ({ status }) => status === 404);
    const { body } = await until('/apis/example.com/v1/widgets/stored', (reply) =>
      JSON.stringify(reply).includes('deletionTimestamp'),
    );
    expect(body).toMatchObject({ metadata: { finalizers: ['example.com/x'] } });
    const late = { ...stored, metadata: { name: 'late' } };
    expect((await send('POST', '/apis/example.com/v1/widgets', late)).status).toBe(405);

    await send('PATCH', '/apis/example.com/v1/widgets/stored', { metadata: { finalizers: null } });
    await until(`${definitions}/widgets.example.com`, ({ status }) => status === 404);
    await until('/apis/example.com/v1/widgets', ({ status }) => status === 404);
    expect((await send('GET', '/openapi/v3')).body['paths']).not.toHaveProperty(['apis/example.com/v1']);
  });
});
