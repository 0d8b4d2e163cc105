import { setImmediate } from 'node:timers/promises';
import { admission } from '../../src/admission/index.ts';
import { crds } from '../../src/api/index.ts';
import { createHub } from '../../src/apiserver/index.ts';
import type { Hub, HubOptions, HubRequest } from '../../src/apiserver/index.ts';
import { memoryStore } from '../../src/store/index.ts';
import type { Store } from '../../src/store/index.ts';

/** The answer of an attacked hub, with its body as a value where it is JSON. */
export interface AttackAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly text: string;
  readonly json: Record<string, unknown>;
}

/** One request of an attacker: `POST /path?query` and what goes with it. */
export interface Attack {
  /** Sent as it is when it is text, as JSON when it is a value. */
  readonly body?: unknown;
  readonly type?: string;
  readonly user?: string;
  readonly groups?: readonly string[];
  readonly headers?: Readonly<Record<string, string>>;
}

/** A hub in this process that is asked with bytes, as a listener would. */
export interface AttackedHub {
  readonly hub: Hub;
  readonly store: Store;
  send(line: string, attack?: Attack): Promise<AttackAnswer>;
  /** Failures that no answer explains. */
  readonly faults: unknown[];
  close(): Promise<void>;
}

/** Starts a hub in memory with the product's kinds and its admission. */
export async function attackedHub(options: Partial<HubOptions> = {}): Promise<AttackedHub> {
  const store = memoryStore();
  const faults: unknown[] = [];
  const hub = await createHub({
    store,
    definitions: crds(),
    admit: [admission({ controllers: new Set(['system:sluice']), now: () => new Date() })],
    onFault: (error) => void faults.push(error),
    ...options,
  });
  return {
    hub,
    store,
    faults,
    send: (line, attack) => send(hub, line, attack),
    async close() {
      await hub.close();
      await store.close();
    },
  };
}

async function send(hub: Hub, line: string, attack: Attack = {}): Promise<AttackAnswer> {
  const response = await hub.handle(requestOf(line, attack));
  const bytes = response.parts ? Buffer.concat(response.parts) : (response.body ?? Buffer.alloc(0));
  const text = bytes.toString('utf8');
  return { status: response.status, headers: response.headers, text, json: parsed(text) };
}

/** The request of an attack, as a listener would hand it to the hub. */
export function requestOf(line: string, attack: Attack = {}): HubRequest {
  const [method = '', url = ''] = line.split(' ');
  const [path = '', query = ''] = url.split('?');
  const { body, type = 'application/json', user = 'mallory', groups = ['system:masters'], headers } = attack;
  return {
    method,
    path,
    query,
    headers: { 'content-type': type, ...headers },
    user: { name: user, groups: [...groups, 'system:authenticated'] },
    ...(body !== undefined && { body: bytesOf(body) }),
  };
}

function bytesOf(body: unknown): Buffer {
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
}

function parsed(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return {};
  }
}

/** Creates a definition and waits until its kind is served. */
export async function define(attacked: AttackedHub, definition: object): Promise<void> {
  const { spec } = definition as { spec: { group: string; names: { plural: string }; versions: { name: string }[] } };
  await attacked.send('POST /apis/apiextensions.k8s.io/v1/customresourcedefinitions', { body: definition });
  const path = `/apis/${spec.group}/${spec.versions[0]?.name}/${spec.names.plural}`;
  while ((await attacked.send(`GET ${path}`)).status !== 200) await setImmediate();
}
