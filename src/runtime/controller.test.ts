import { describe, expect, it } from 'vitest';
import type { Action, Decision, KubeObject, View } from '../api/index.ts';
import { createLogger, Metrics } from '../observe/index.ts';
import { HubCache } from './cache.ts';
import { ManualClock } from './clock.ts';
import { Controller } from './controller.ts';
import type { ControllerOptions } from './controller.ts';
import { Stale } from './writer.ts';

const object = (name: string): KubeObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: 'ns' },
});
const update = (name: string, verb: 'update' | 'updateStatus' = 'update'): Action => ({
  do: `do-${name}`,
  write: { verb, object: object(name) },
});
const acts = (...actions: readonly Action[]): Decision => ({ actions, because: 'Elected' });
const idle: Decision = { actions: [], because: 'UpToDate' };

/** Lets everything run that waits for idle but its turn. */
const turn = async (): Promise<void> => {
  for (let i = 0; i < 5; i++) await new Promise((resolve) => setImmediate(resolve));
};

function run(options: Partial<ControllerOptions> & Pick<ControllerOptions, 'answer'>): {
  controller: Controller;
  clock: ManualClock;
  /** The log lines of warnings and above, and of keys that succeed again. */
  lines: string[];
  /** The actions that were performed. */
  performed: string[];
  metrics: Metrics;
  done: string[];
} {
  const clock = new ManualClock();
  const lines: string[] = [];
  const metrics = new Metrics();
  const done: string[] = [];
  const performed: string[] = [];
  const write = (line: string): void => {
    const text = line.slice(13).trimEnd();
    (text.startsWith('INFO  do-') ? performed : lines).push(text);
  };
  const log = createLogger({ format: 'pretty', level: 'info', write });
  const controller = new Controller({
    name: 'test',
    view: new HubCache({ indexKeysOf: () => [], clock }),
    perform: (action) => Promise.resolve(void done.push(action.do)),
    clock,
    random: () => 1,
    log,
    metrics,
    ...options,
  });
  controller.start();
  return { controller, clock, lines, performed, metrics, done };
}

describe('a controller', () => {
  it('asks about every key and does what the answer says, in order', async () => {
    const { controller, done, performed, metrics } = run({
      answer: (_view: View, key) =>
        key === 'gone' ? undefined : key === 'idle' ? idle : acts(update('a'), update('b')),
    });
    for (const key of ['busy', 'idle', 'gone']) controller.ask(key);
    await turn();
    expect(done).toEqual(['do-a', 'do-b']);
    expect(performed).toEqual(['INFO  do-a,do-b controller=test object=busy because=Elected']);
    const text = metrics.text();
    for (const result of ['acted', 'rested', 'gone']) {
      expect(text).toContain(`sluice_controller_attempts_total{controller="test",result="${result}"} 1`);
    }
    expect(text).toContain('sluice_controller_writes_total{controller="test",kind="ConfigMap",verb="update"} 2');
    await controller.stop();
  });

  it('answers from the view as it is when its turn comes', async () => {
    const clock = new ManualClock();
    const cache = new HubCache({ indexKeysOf: () => [], clock });
    const seen: string[] = [];
    const { controller } = run({
      view: cache,
      answer(view, key) {
        seen.push(view.get(key)?.metadata.resourceVersion ?? 'none');
        return idle;
      },
    });
    const at = (rv: string): KubeObject => ({
      ...object('a'),
      metadata: { ...object('a').metadata, resourceVersion: rv },
    });
    cache.put(at('1'));
    controller.ask('v1|ConfigMap|ns|a');
    cache.put(at('2'));
    await turn();
    expect(seen).toEqual(['2']);
    await controller.stop();
  });

  it('ends the pass at the first action that fails, and tries again later and later', async () => {
    const tried: string[] = [];
    let broken = true;
    const { controller, clock, lines } = run({
      answer: () => acts(update('a'), update('b')),
      perform(action) {
        tried.push(action.do);
        return broken ? Promise.reject(new Error('no way')) : Promise.resolve();
      },
    });
    controller.ask('key');
    await turn();
    expect(tried).toEqual(['do-a']);
    clock.advance(4);
    await turn();
    expect(tried.length).toBe(1);
    clock.advance(1);
    await turn();
    clock.advance(10);
    await turn();
    expect(tried.length).toBe(3);
    broken = false;
    clock.advance(20);
    await turn();
    expect(tried.slice(3)).toEqual(['do-a', 'do-b']);
    expect(lines).toEqual([
      'WARN  reconcile failed controller=test object=key because=Elected error="no way" failures=1 wait=5',
      'INFO  reconcile succeeded again controller=test object=key',
    ]);
    await controller.stop();
  });

  it('does together what needs no order, and what comes after it only when all of it is done', async () => {
    const log: string[] = [];
    const failing = new Set<string>();
    const { controller, clock } = run({
      answer: () => acts(...['x', 'y', 'z'].map((name) => ({ ...update(name), do: 'spread' })), update('end')),
      together: new Set(['spread']),
      async perform({ write }) {
        const name = write.verb === 'delete' ? '' : write.object.metadata.name;
        log.push(`begin ${name}`);
        await new Promise((resolve) => setImmediate(resolve));
        if (failing.has(name)) throw new Error('no way');
        log.push(`done ${name}`);
      },
    });
    failing.add('y');
    controller.ask('key');
    await turn();
    expect(log).toEqual(['begin x', 'begin y', 'begin z', 'done x', 'done z']);
    failing.clear();
    log.length = 0;
    clock.advance(10);
    await turn();
    expect(log.slice(-4)).toEqual(['done y', 'done z', 'begin end', 'done end']);
    await controller.stop();
  });

  it('says again what fails when it fails otherwise', async () => {
    const errors = ['one', 'one', 'two'];
    const { controller, clock, lines } = run({
      answer: () => acts(update('a')),
      perform: () => Promise.reject(new Error(errors.shift() ?? 'two')),
    });
    controller.ask('key');
    for (let i = 0; i < 5; i++) {
      await turn();
      clock.advance(100);
    }
    expect(lines.map((line) => /error=(\w+)/.exec(line)?.[1])).toEqual(['one', 'two']);
    await controller.stop();
  });

  it('tries again soon and quietly when an object was not what the answer saw', async () => {
    let tries = 0;
    const { controller, clock, lines, metrics } = run({
      answer: () => acts(update('a')),
      perform: () =>
        tries++ === 0 ? Promise.reject(new Stale({ ...object('a'), name: 'a' }, 'x')) : Promise.resolve(),
    });
    controller.ask('key');
    await turn();
    clock.advance(5);
    await turn();
    expect([tries, lines]).toEqual([2, []]);
    expect(metrics.text()).toContain('sluice_controller_attempts_total{controller="test",result="stale"} 1');
    await controller.stop();
  });

  it('asks again when the answer says so, and never without pause', async () => {
    const asked: number[] = [];
    const again = ['2026-01-01T00:00:10Z', '2020-01-01T00:00:00Z'];
    const { controller, clock } = run({
      answer() {
        asked.push(clock.now());
        const next = again.shift();
        return next === undefined ? idle : { ...idle, again: next };
      },
    });
    const start = clock.now();
    controller.ask('key');
    await turn();
    clock.advance(9_999);
    await turn();
    expect(asked.length).toBe(1);
    clock.advance(1);
    await turn();
    clock.advance(99);
    await turn();
    expect(asked.length).toBe(2);
    clock.advance(1);
    await turn();
    expect(asked.map((at) => at - start)).toEqual([0, 10_000, 10_100]);
    await controller.stop();
  });

  it('survives answers that throw', async () => {
    const { controller, lines, done } = run({
      answer(_view, key) {
        if (key === 'bad') throw new TypeError('a bug');
        return acts(update('a'));
      },
    });
    controller.ask('bad');
    controller.ask('good');
    await turn();
    expect(done).toEqual(['do-a']);
    expect(lines[0]).toContain('TypeError: a bug');
    await controller.stop();
  });

  it('replaces a worker that crashes', async () => {
    let calls = 0;
    const { controller, clock, lines, done, metrics } = run({
      workers: 1,
      answer: () => acts(update('a')),
    });
    const attempted = controller.queue.forget.bind(controller.queue);
    controller.queue.forget = (key) => {
      if (calls++ === 0) throw new Error('broken beyond the pass');
      attempted(key);
    };
    const limited = controller.queue.addLimited.bind(controller.queue);
    controller.queue.addLimited = (key) => {
      if (calls === 1) throw new Error('broken beyond repair');
      return limited(key);
    };
    controller.ask('one');
    controller.ask('two');
    await turn();
    expect(lines[0]).toContain('a worker crashed');
    clock.advance(1_000);
    await turn();
    expect(done).toEqual(['do-a', 'do-a']);
    expect(metrics.text()).toContain('sluice_controller_crashes_total{controller="test"} 1');
    await controller.stop();
  });

  it('refuses to write spec and status of an object in one pass', async () => {
    const { controller, done, lines } = run({
      answer: (_view, key) =>
        key === 'mixed'
          ? acts(update('a'), update('a', 'updateStatus'))
          : acts(update('a'), update('b', 'updateStatus')),
    });
    controller.ask('mixed');
    controller.ask('apart');
    await turn();
    expect(done).toEqual(['do-a', 'do-b']);
    expect(lines[0]).toContain('spec and status');
    await controller.stop();
  });

  it('works on as many keys at once as it has workers, and never on one key twice', async () => {
    const under = new Map<string, number>();
    let most = 0;
    const waiting: (() => void)[] = [];
    const { controller } = run({
      workers: 3,
      answer: (_view, key) => acts(update(key)),
      async perform(_action, { key }) {
        under.set(key, (under.get(key) ?? 0) + 1);
        expect(under.get(key)).toBe(1);
        most = Math.max(most, under.size);
        await new Promise<void>((resolve) => waiting.push(resolve));
        under.delete(key);
      },
    });
    for (let i = 0; i < 10; i++) controller.ask(`key${i % 5}`);
    for (let i = 0; i < 10; i++) {
      await turn();
      controller.ask(`key${i % 5}`);
      for (const release of waiting.splice(0)) release();
    }
    expect(most).toBe(3);
    const stopped = controller.stop();
    for (let i = 0; i < 3; i++) {
      await turn();
      for (const release of waiting.splice(0)) release();
    }
    await stopped;
  });

  it('aborts what takes too long when it stops', async () => {
    let aborted = '';
    const { controller, clock, lines } = run({
      answer: () => acts(update('a')),
      perform: (_action, { signal }) =>
        new Promise((_resolve, reject) =>
          signal.addEventListener('abort', () => {
            aborted = String(signal.reason);
            reject(signal.reason as Error);
          }),
        ),
    });
    controller.ask('key');
    await turn();
    const stopped = controller.stop(1_000);
    await turn();
    expect(aborted).toBe('');
    clock.advance(1_000);
    await stopped;
    expect(aborted).toContain('test stops');
    // Nobody has to be warned of what the next start does.
    expect(lines).toEqual([]);
  });

  it('lets others run while it has much to do', async () => {
    const { controller } = run({
      answer() {
        const start = performance.now();
        while (performance.now() - start < 1);
        return idle;
      },
    });
    for (let i = 0; i < 100; i++) controller.ask(`key${i}`);
    await new Promise((resolve) => setImmediate(resolve));
    expect(controller.queue.size).toBeGreaterThan(0);
    await controller.stop();
  });
});
