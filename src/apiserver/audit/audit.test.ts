import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openAuthority } from '../../auth/index.ts';
import { memoryStore } from '../../store/index.ts';
import type { Store } from '../../store/index.ts';
import { openAuditLog } from './audit-log.ts';
import type { HubRequest, HubResponse } from '../http.ts';
import { createHub } from '../hub.ts';
import type { Hub } from '../hub.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'sluice-audit-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

type Event = Readonly<Record<string, unknown>>;
const linesOf = async (file: string): Promise<Event[]> =>
  (await readFile(file, 'utf8'))
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Event);

describe('the audit log', () => {
  const events: Event[] = [];
  const auditLog = {
    record: (event: object) => void events.push(event as Event),
    flushed: () => Promise.resolve(),
    close: () => Promise.resolve(),
  };
  let hub: Hub;
  let store: Store;
  beforeEach(async () => {
    events.length = 0;
    store = memoryStore();
    hub = await createHub({ store, authority: await openAuthority(), auditLog });
  });
  afterEach(async () => {
    await hub.close();
    await store.close();
  });

  const send = (line: string, more: Partial<HubRequest> = {}): Promise<HubResponse> => {
    const [method = '', url = ''] = line.split(' ');
    const [bare = '', query = ''] = url.split('?');
    const peer = { commonName: 'root', organizations: ['system:masters'] };
    return hub.handle({
      method,
      path: bare,
      query,
      headers: { 'user-agent': 'test/1' },
      from: '10.0.0.9',
      peer,
      ...more,
    });
  };

  it('records user, verb, object and result of a request', async () => {
    const object = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's' }, stringData: { password: 'hunter2' } };
    await send('POST /api/v1/namespaces/default/secrets?fieldManager=x', { object });
    expect(events).toEqual([
      {
        kind: 'Event',
        apiVersion: 'audit.k8s.io/v1',
        level: 'Metadata',
        auditID: expect.stringMatching(/^[-0-9a-f]{36}$/) as string,
        stage: 'ResponseComplete',
        requestURI: '/api/v1/namespaces/default/secrets?fieldManager=x',
        verb: 'create',
        user: { username: 'root', groups: ['system:masters', 'system:authenticated'] },
        sourceIPs: ['10.0.0.9'],
        userAgent: 'test/1',
        objectRef: { resource: 'secrets', namespace: 'default', apiVersion: 'v1' },
        responseStatus: { metadata: {}, code: 201 },
        requestReceivedTimestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/) as string,
        stageTimestamp: expect.stringMatching(/Z$/) as string,
      },
    ]);
    expect(JSON.stringify(events)).not.toContain('hunter2');
  });

  it('records a refused request with its message', async () => {
    await send('DELETE /apis/apps/v1/namespaces/x/deployments/web', {
      peer: { commonName: 'jane', organizations: [] },
    });
    const headers = { authorization: 'Bearer secret.token.here' };
    await hub.handle({ method: 'GET', path: '/api', query: '', headers, from: '10.0.0.9' });
    expect(events[0]).toMatchObject({
      verb: 'delete',
      user: { username: 'jane' },
      objectRef: { resource: 'deployments', namespace: 'x', name: 'web', apiGroup: 'apps', apiVersion: 'v1' },
      responseStatus: {
        status: 'Failure',
        reason: 'Forbidden',
        code: 403,
        message: expect.stringContaining('cannot delete') as string,
      },
    });
    expect(events[1]).toMatchObject({ user: {}, verb: 'get', responseStatus: { code: 401, reason: 'Unauthorized' } });
    expect(JSON.stringify(events)).not.toContain('secret.token.here');
  });

  it('records the user who impersonates another', async () => {
    await send('GET /api/v1/pods', { headers: { 'impersonate-user': 'jane' } });
    expect(events[0]).toMatchObject({
      user: { username: 'root' },
      impersonatedUser: { username: 'jane' },
      responseStatus: { code: 403 },
    });
  });

  it('records the start and the end of a watch', async () => {
    const { stream } = await send('GET /api/v1/pods?watch=true');
    expect(events.map(({ stage, verb }) => [stage, verb])).toEqual([['ResponseStarted', 'watch']]);
    const stop = stream?.open({ write: () => undefined, pending: () => 0, end: () => undefined });
    stop?.();
    stop?.();
    expect(events.map(({ stage }) => stage)).toEqual(['ResponseStarted', 'ResponseComplete']);
    expect(events[0]?.['auditID']).toBe(events[1]?.['auditID']);
  });

  it('requests that make no sense, but neither probes nor the hub itself', async () => {
    expect((await send('GET /api/v1/pods?limit=%zz')).status).toBe(400);
    expect(events).toHaveLength(1);
    for (const probe of ['/livez', '/readyz', '/healthz', '/metrics', '/version']) await send(`GET ${probe}`);
    await hub.handle({ method: 'GET', path: '/api/v1/pods', query: '', headers: {}, user: { name: 'x', groups: [] } });
    expect(events).toHaveLength(1);
  });
});

describe('the file', () => {
  it('is appended to, a line an event, for its owner alone', async () => {
    const file = path.join(folder, 'audit.log');
    const first = await openAuditLog({ file });
    first.record({ n: 1 });
    await first.close();
    const second = await openAuditLog({ file });
    second.record({ n: 2, text: 'a\nb' });
    second.record({ n: 3 });
    await second.flushed();
    expect((await linesOf(file)).map((event) => event['n'])).toEqual([1, 2, 3]);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    await second.close();
    await second.close();
  });

  it('is put aside when it is full, and only so many are kept; nothing else is touched', async () => {
    const file = path.join(folder, 'audit.log');
    await writeFile(path.join(folder, 'audit-notes.log'), 'mine');
    let second = 0;
    const now = (): Date => new Date(Date.UTC(2026, 0, 1, 0, 0, second++));
    const log = await openAuditLog({ file, maxBytes: 100, keep: 2, now });
    for (let n = 0; n < 20; n++) {
      log.record({ n, padding: 'x'.repeat(30) });
      await log.flushed();
    }
    await log.close();
    const files = (await readdir(folder)).sort();
    expect(files).toHaveLength(4);
    expect(files).toContain('audit-notes.log');
    const aside = files.filter((name) => name.startsWith('audit-2026'));
    const kept = (await Promise.all([...aside, 'audit.log'].map((name) => linesOf(path.join(folder, name))))).flat();
    const numbers = kept.map((event) => Number(event['n']));
    expect(numbers.at(-1)).toBe(19);
    expect(numbers).toEqual(numbers.map((_, i) => 20 - numbers.length + i));
    for (const name of aside) expect((await stat(path.join(folder, name))).size).toBeLessThanOrEqual(100);
  });

  it('says so when it cannot be opened, and when events are lost', async () => {
    await expect(openAuditLog({ file: path.join(folder, 'no', 'audit.log') })).rejects.toThrow(/ENOENT/);
    const errors: unknown[] = [];
    const log = await openAuditLog({ file: path.join(folder, 'audit.log'), onError: (error) => errors.push(error) });
    await log.close();
    log.record({ late: true });
    expect(String(errors[0])).toMatch(/1 audit events are lost/);
  });
});
