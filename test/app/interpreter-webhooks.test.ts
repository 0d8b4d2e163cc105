/** Webhooks that interpret a kind, over HTTPS, on a whole system: Karmada's resourceinterpreter_test.go. */
import { createServer } from 'node:https';
import type { Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Binding, InterpreterRequest, KubeObject, Work } from '../../src/api/index.ts';
import { executionNamespace, refOf, workApi, workName } from '../../src/api/index.ts';
import { openAuthority } from '../../src/auth/index.ts';
import { at, withAt } from '../../src/base/index.ts';
import { bindingRefOf } from '../../src/engine/index.ts';
import { openSystem } from '../cli/kit.ts';
import type { System } from '../cli/kit.ts';
import { configMap, deployment, policy } from '../kit/objects.ts';

type Answers = Readonly<Partial<Record<string, (request: InterpreterRequest) => object>>>;

/** A webhook that answers as a test tells it to. */
class Webhook {
  readonly asked: InterpreterRequest[] = [];
  answers: Answers = {};
  /** The status of all answers, or no answer at all. */
  status: number | 'silent' = 200;
  readonly caBundle: string;
  readonly #server: Server;

  private constructor(server: Server, caBundle: string) {
    this.#server = server;
    this.caBundle = caBundle;
    server.on('request', (incoming, outgoing) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => void chunks.push(chunk));
      incoming.on('end', () => {
        const { request } = JSON.parse(Buffer.concat(chunks).toString('utf8')) as {
          request: InterpreterRequest & { uid: string };
        };
        this.asked.push(request);
        if (this.status === 'silent') return;
        const answer = this.answers[request.operation]?.(request) ?? {};
        const response = { uid: request.uid, successful: true, ...answer };
        // As Go's servers send what they do not know the type of.
        outgoing.writeHead(this.status, { 'content-type': 'text/plain; charset=utf-8' });
        outgoing.end(
          JSON.stringify({ apiVersion: 'config.karmada.io/v1alpha1', kind: 'ResourceInterpreterContext', response }),
        );
      });
    });
  }

  static async open(): Promise<Webhook> {
    const { serving, certificate } = await openAuthority({ hosts: ['127.0.0.1'] });
    const server = createServer({ cert: serving.certificate, key: serving.key });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new Webhook(server, certificate);
  }

  configuration(name: string, operations: readonly string[], words: object = {}): KubeObject {
    const url = `https://127.0.0.1:${(this.#server.address() as AddressInfo).port}/interpreter`;
    const caBundle = Buffer.from(this.caBundle).toString('base64');
    const rule = { operations, apiGroups: ['apps'], apiVersions: ['v1'], kinds: ['Deployment'] };
    const webhook = { name: `${name}.example.com`, clientConfig: { url, caBundle }, rules: [rule], ...words };
    return {
      apiVersion: 'config.karmada.io/v1alpha1',
      kind: 'ResourceInterpreterWebhookConfiguration',
      metadata: { name },
      webhooks: [{ ...webhook, interpreterContextVersions: ['v1alpha1'] }],
    } as KubeObject;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

const patch = (...operations: readonly object[]): object => ({
  patchType: 'JSONPatch',
  patch: Buffer.from(JSON.stringify(operations)).toString('base64'),
});

let system: System;
let webhook: Webhook;
beforeAll(async () => {
  system = await openSystem({ members: ['member1', 'member2'] });
  webhook = await Webhook.open();
  await system.apply(policy('pp', { to: ['member1', 'member2'], propagateDeps: true }));
}, 60_000);
afterAll(async () => {
  await webhook.close();
  await system.close();
});

let name = '';
beforeEach(async ({ task }) => {
  name = `web-${task.id.replaceAll(/[^a-z0-9]+/g, '-')}`;
  webhook.status = 200;
  webhook.answers = {};
  for (const { metadata } of (await system.user.listAll(configurations)).items)
    await system.delete({ ...configurations, name: metadata.name });
});
const configurations = { apiVersion: 'config.karmada.io/v1alpha1', kind: 'ResourceInterpreterWebhookConfiguration' };

const web = (replicas = 2): KubeObject => deployment(name, { replicas });
const bindingOf = (): Promise<Binding> => system.user.get<Binding>(bindingRefOf(web()));
const inMember = (member = 'member1'): Promise<KubeObject> => system.member(member).get(refOf(web()));
const workOf = (): Promise<Work> =>
  system.user.get<Work>({
    apiVersion: workApi,
    kind: 'Work',
    namespace: executionNamespace('member1'),
    name: workName({ kind: 'Deployment', name, namespace: 'default' }),
  });

describe('the answer of a webhook', () => {
  test('to InterpretReplica is the number of replicas, and what each needs', async () => {
    webhook.answers = {
      InterpretReplica: () => ({ replicas: 5, replicaRequirements: { resourceRequest: { cpu: '100m' } } }),
    };
    await system.apply(webhook.configuration('hook', ['InterpretReplica']), web());
    expect((await bindingOf()).spec).toMatchObject({
      replicas: 5,
      replicaRequirements: { resourceRequest: { cpu: '100m' } },
    });
  });

  test('to ReviseReplica is the manifest', async () => {
    webhook.answers = {
      ReviseReplica: ({ replicas = 0 }) => patch({ op: 'replace', path: '/spec/replicas', value: replicas + 1 }),
    };
    await system.apply(webhook.configuration('hook', ['ReviseReplica']), web());
    expect(at(await inMember(), ['spec', 'replicas'])).toBe(3);
  });

  test('to Retain is what the member keeps', async () => {
    webhook.answers = {
      Retain: ({ observedObject }) =>
        patch({ op: 'replace', path: '/spec/replicas', value: at(observedObject, ['spec', 'replicas']) }),
    };
    await system.apply(webhook.configuration('hook', ['Retain']), web());
    await system.member('member1').update(withAt(await inMember(), ['spec', 'replicas'], 9));
    await system.settle();
    await system.apply(withAt(web(), ['spec', 'minReadySeconds'], 4));
    expect(((await inMember()) as KubeObject & { spec: object }).spec).toMatchObject({
      replicas: 9,
      minReadySeconds: 4,
    });
  });

  test('to InterpretStatus and InterpretHealth is in the Work, and that to AggregateStatus in the template', async () => {
    webhook.answers = {
      InterpretStatus: () => ({ rawStatus: { readyReplicas: 7 } }),
      InterpretHealth: () => ({ healthy: false }),
      AggregateStatus: ({ aggregatedStatus = [] }) =>
        patch({ op: 'add', path: '/status', value: { readyReplicas: 100 + aggregatedStatus.length } }),
    };
    await system.apply(webhook.configuration('hook', ['InterpretStatus', 'InterpretHealth', 'AggregateStatus']), web());
    expect((await workOf()).status?.manifestStatuses).toMatchObject([
      { status: { readyReplicas: 7 }, health: 'Unhealthy' },
    ]);
    expect(at(await system.user.get(refOf(web())), ['status', 'readyReplicas'])).toBe(102);
  });

  test('to InterpretDependency goes to the members with the workload', async () => {
    const settings = configMap(`${name}-settings`);
    const { apiVersion, kind, metadata } = settings;
    webhook.answers = {
      InterpretDependency: () => ({
        dependencies: [{ apiVersion, kind, namespace: metadata.namespace, name: metadata.name }],
      }),
    };
    await system.apply(settings, webhook.configuration('hook', ['*']), web());
    expect(await system.member('member2').find(refOf(settings))).toBeDefined();
  });

  test('is asked for once for the same content, and after a restart nothing changes in members', async () => {
    webhook.answers = { ReviseReplica: () => patch({ op: 'replace', path: '/spec/replicas', value: 4 }) };
    await system.apply(webhook.configuration('hook', ['ReviseReplica']), web());
    const before = (await inMember()).metadata.resourceVersion;
    const asked = webhook.asked.filter((request) => request.name === name).length;
    await system.user.update(withAt(await system.user.get(refOf(web())), ['metadata', 'annotations', 'a'], 'b'));
    await system.settle();
    const again = webhook.asked.filter((request) => request.name === name);
    expect(new Set(again.map((request) => JSON.stringify({ ...request, uid: '' }))).size).toBe(again.length);
    expect(asked).toBeGreaterThan(0);
    const changed = (await inMember()).metadata.resourceVersion;
    expect(changed).not.toBe(before);
    await system.unseen(async () => {});
    await system.settle();
    expect((await inMember()).metadata.resourceVersion).toBe(changed);
  });
});

describe('a webhook that fails', () => {
  test.each<[string, () => object, RegExp]>([
    ['answers with a status', () => ((webhook.status = 500), {}), /the webhook answered with status 500/],
    [
      'refuses',
      () => (
        (webhook.answers = { ReviseReplica: () => ({ successful: false, status: { code: 400, message: 'no' } }) }),
        {}
      ),
      /the webhook refused with code 400: no/,
    ],
    [
      'answers another request',
      () => ((webhook.answers = { ReviseReplica: () => ({ uid: 'x' }) }), {}),
      /its uid differs/,
    ],
    [
      'sends a patch that does not fit',
      () => ((webhook.answers = { ReviseReplica: () => patch({ op: 'remove', path: '/nope' }) }), {}),
      /must return a patch that fits/,
    ],
    ['is silent', () => ((webhook.status = 'silent'), { timeoutSeconds: 1 }), /does not answer|timeout/i],
    [
      'is not the one that is trusted',
      () => ({ clientConfig: { url: 'https://127.0.0.1:1', caBundle: 'bm90aGluZw==' } }),
      /127\.0\.0\.1|certificate|PEM/i,
    ],
  ])('and %s changes nothing in members, and the binding says so', async (_, prepare, said) => {
    await system.apply(web());
    const words = prepare();
    await system.user.create(webhook.configuration('hook', ['ReviseReplica'], words));
    await system.user.update(withAt(await system.user.get(refOf(web())), ['spec', 'replicas'], 6));
    await system.until('the binding says it', async () => {
      const conditions = (await bindingOf()).status?.conditions ?? [];
      return conditions.some(({ type, message }) => type === 'Interpreted' && said.test(message));
    });
    expect(at(await inMember(), ['spec', 'replicas'])).toBe(2);
  });

  test('is asked again, and what waited goes on', async () => {
    await system.apply(web());
    webhook.status = 503;
    await system.user.create(webhook.configuration('hook', ['ReviseReplica']));
    await system.user.update(withAt(await system.user.get(refOf(web())), ['spec', 'replicas'], 6));
    await system.until('the failure is known', async () => {
      const conditions = (await bindingOf()).status?.conditions ?? [];
      return conditions.some(({ type, message }) => type === 'Interpreted' && message.includes('503'));
    });
    webhook.status = 200;
    webhook.answers = { ReviseReplica: () => patch({ op: 'replace', path: '/spec/replicas', value: 8 }) };
    await system.until('the member has it', async () => at(await inMember(), ['spec', 'replicas']) === 8);
  });
});
