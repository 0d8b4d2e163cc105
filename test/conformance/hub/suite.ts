import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import type { Driver, OpenTarget, Reply, Watching } from './driver.ts';
import { targets } from './targets.ts';

/** The parts that a case uses: one server, and a namespace of its own. */
export class Bench {
  readonly #driver: () => Driver;

  constructor(driver: () => Driver) {
    this.#driver = driver;
  }

  get(path: string, headers?: Readonly<Record<string, string>>): Promise<Reply> {
    return this.#driver().send({ method: 'GET', path, ...(headers && { headers }) });
  }

  post(path: string, body: unknown, headers?: Readonly<Record<string, string>>): Promise<Reply> {
    return this.#driver().send({ method: 'POST', path, body, ...(headers && { headers }) });
  }

  put(path: string, body: unknown): Promise<Reply> {
    return this.#driver().send({ method: 'PUT', path, body });
  }

  delete(path: string, body?: unknown): Promise<Reply> {
    return this.#driver().send({ method: 'DELETE', path, ...(body !== undefined && { body }) });
  }

  patch(path: string, body: unknown, type: 'json' | 'merge' | 'strategic' | 'apply' = 'merge'): Promise<Reply> {
    return this.#driver().send({ method: 'PATCH', path, body, headers: { 'content-type': patchTypes[type] } });
  }

  send(method: string, path: string, body?: unknown): Promise<Reply> {
    return this.#driver().send({ method, path, ...(body !== undefined && { body }) });
  }

  watch(path: string, headers?: Readonly<Record<string, string>>): Promise<Watching> {
    return this.#driver().watch(path, headers);
  }

  /** A fresh namespace. */
  async namespace(): Promise<string> {
    const name = `case-${randomUUID().slice(0, 8)}`;
    const reply = await this.post('/api/v1/namespaces', { metadata: { name } });
    expect(reply.status).toBe(201);
    return name;
  }

  /** Asks again until the answer has this status; every server finishes deletions in its own time. */
  async until(path: string, status: number): Promise<Reply> {
    for (;;) {
      const reply = await this.get(path);
      if (reply.status === status) return reply;
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
}

const patchTypes = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  apply: 'application/apply-patch+yaml',
} as const;

/** Runs the cases against every target. */
export function conformance(area: string, cases: (bench: Bench) => void): void {
  describe.each(targets.map((target) => [target.name, target] as const))(`${area}: %s`, (_name, target) => {
    let open: OpenTarget | undefined;
    beforeAll(async () => {
      open = await target.open();
    });
    afterAll(() => open?.close());
    cases(
      new Bench(() => {
        if (!open) throw new Error('the target is not open');
        return open.driver;
      }),
    );
  });
}

/** A ConfigMap. */
export function configMap(name: string, data: Readonly<Record<string, string>> = {}, metadata: object = {}): object {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, ...metadata }, data };
}

/** A Deployment with one container. */
export function deployment(name: string, spec: object = {}, metadata: object = {}): object {
  const labels = { app: name };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, ...metadata },
    spec: {
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: 'main', image: 'nginx' }] } },
      ...spec,
    },
  };
}
