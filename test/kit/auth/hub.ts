import { expect } from 'vitest';
import type { KubeObject } from '../../../src/api/index.ts';
import type { HubLike } from '../../../src/apiserver/access/hub-writer.ts';
import { createHub } from '../../../src/apiserver/hub.ts';
import type { HubOptions } from '../../../src/apiserver/hub.ts';
import { openAuthority } from '../../../src/auth/authority.ts';
import type { Authority } from '../../../src/auth/authority.ts';
import { memoryStore } from '../../../src/store/index.ts';
import type { Store } from '../../../src/store/index.ts';
import { binding } from './objects.ts';

/** A user as `jane/dev/ops`, the groups after the name; or the bearer of a token; '' for nobody. */
export type Caller = string | { readonly token: string };

/** The answer of the hub. */
export interface Answer {
  readonly status: number;
  readonly object: KubeObject & Readonly<Record<string, unknown>>;
  /** `403 pods is forbidden: …` */
  readonly text: string;
  /** The `Warning:` headers. */
  readonly warnings: string;
}

/** A call in words: `POST /path?query`. */
export interface Call {
  readonly object?: object;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A whole hub with its guard. */
export interface TestHub {
  readonly store: Store;
  readonly authority: Authority;
  send(caller: Caller, line: string, call?: Call): Promise<Answer>;
  /** Makes a binding as the administrator. */
  bind(at: string, to: string, ...subjects: readonly string[]): Promise<void>;
  close(): Promise<void>;
}

/** The administrator. */
export const root = 'root/system:masters';

/** Where RBAC is served. */
export const rbacPath = '/apis/rbac.authorization.k8s.io/v1';

/** Starts a hub in memory with everything that guards it; closing it fails if anything went wrong behind the scenes. */
export async function testHub(options: Pick<HubOptions, 'postWebhook'> = {}): Promise<TestHub> {
  const faults: unknown[] = [];
  const onFault = (error: unknown): void => void faults.push(error);
  const store = memoryStore();
  const authority = await openAuthority();
  const hub = await createHub({ ...options, store, authority, onFault });
  const send = senderOf(hub);
  return {
    store,
    authority,
    send,
    async bind(at, to, ...subjects) {
      const [, namespace] = at.split('/').reverse();
      const path = namespace ? `${rbacPath}/namespaces/${namespace}/rolebindings` : `${rbacPath}/clusterrolebindings`;
      expect((await send(root, `POST ${path}`, { object: binding(at, to, ...subjects) })).status).toBe(201);
    },
    async close() {
      await hub.close();
      await store.close();
      expect(faults).toEqual([]);
    },
  };
}

function senderOf(hub: HubLike): TestHub['send'] {
  return async (caller, line, { object, headers = {} } = {}) => {
    const [method = '', url = ''] = line.split(' ');
    const [path = '', query = ''] = url.split('?');
    const credential = credentialOf(caller);
    const response = await hub.handle({
      method,
      path,
      query,
      wantsObjects: true,
      headers: { 'content-type': 'application/json', ...credential.headers, ...headers },
      ...credential.peer,
      ...(object && { object }),
    });
    return answerOf(response.status, response.object, response.headers['warning']);
  };
}

function credentialOf(caller: Caller): { readonly headers: object; readonly peer: object } {
  if (typeof caller !== 'string') return { headers: { authorization: `Bearer ${caller.token}` }, peer: {} };
  const [commonName = '', ...organizations] = caller.split('/');
  return { headers: {}, peer: commonName ? { peer: { commonName, organizations } } : {} };
}

function answerOf(status: number, object: unknown, warnings: string | readonly string[] = []): Answer {
  const shown = (object ?? {}) as Answer['object'];
  const message = typeof shown['message'] === 'string' ? shown['message'] : '';
  return { status, object: shown, warnings: [warnings].flat().join('\n'), text: `${status} ${message}` };
}
