import type { Clock } from '../../observe/index.ts';
import { wallClock } from '../../observe/index.ts';
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { connect } from 'node:tls';
import { afterEach, expect, test, vi } from 'vitest';
import { openApiServer } from './api-server.ts';
import type { ApiServer } from './api-server.ts';

const day = 24 * 60 * 60 * 1000;

/** A clock that is as late as it is told to be, and has only timers of days. */
class Later implements Clock {
  #days = 0;
  #daily: (() => void) | undefined;

  now(): number {
    return Date.now() + this.#days * day;
  }

  after(milliseconds: number, callback: () => void): () => void {
    if (milliseconds < day) return wallClock.after(milliseconds, callback);
    this.#daily = callback;
    return () => {
      if (this.#daily === callback) this.#daily = undefined;
    };
  }

  get isAwaited(): boolean {
    return this.#daily !== undefined;
  }

  goOn(days: number): void {
    this.#days += days;
    this.#daily?.();
  }
}

let folder: string | undefined;
let site: ApiServer | undefined;
afterEach(async () => {
  await site?.close();
  site = undefined;
  if (folder) await rm(folder, { recursive: true, force: true });
});

/** The certificate that a client sees when it connects now: nobody would trust one from the future today. */
async function shown({ url }: ApiServer): Promise<X509Certificate> {
  const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1', rejectUnauthorized: false });
  await once(socket, 'secureConnect');
  const { raw } = socket.getPeerCertificate();
  socket.destroy();
  return new X509Certificate(raw);
}

test('a hub that is never restarted has good certificates all the same', async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'sluice-renewal-'));
  const clock = new Later();
  const onRenewed = vi.fn();
  site = await openApiServer({ dataDir: folder, host: '127.0.0.1', port: 0, clock, onRenewed });
  const [first, context] = [await shown(site), site.context('x')];
  clock.goOn(300);
  clock.goOn(40);
  await vi.waitFor(() => expect(onRenewed).toHaveBeenCalled(), 30_000);
  expect(onRenewed).toHaveBeenCalledOnce();
  const second = await shown(site);
  expect(second.validToDate.getTime() - first.validToDate.getTime()).toBeGreaterThan(300 * day);
  expect(second.verify(new X509Certificate(site.authority.certificate).publicKey)).toBe(true);
  expect(site.context('x').certificateAuthority).toBe(context.certificateAuthority);
  expect(site.context('x').user).not.toEqual(context.user);
  await site.close();
  expect(clock.isAwaited).toBe(false);
});

test('one that is kept in memory stays the authority that it is', async () => {
  const clock = new Later();
  const onRenewed = vi.fn();
  site = await openApiServer({ dataDir: ':memory:', host: '127.0.0.1', port: 0, clock, onRenewed });
  clock.goOn(340);
  await shown(site);
  expect(onRenewed).not.toHaveBeenCalled();
});
