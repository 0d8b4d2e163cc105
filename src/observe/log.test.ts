import { describe, expect, it } from 'vitest';
import { createLogger } from './log.ts';
import type { LogOptions } from './log.ts';
import { noTracer, openTracer } from './trace.ts';

function written(options: LogOptions): { lines: string[]; log: ReturnType<typeof createLogger> } {
  const lines: string[] = [];
  return { lines, log: createLogger({ ...options, write: (line) => lines.push(line) }) };
}

describe('logs', () => {
  it('writes one JSON object a line, with what the line is about and why', () => {
    const { lines, log } = written({ format: 'json' });
    log.with({ controller: 'detector' }).info('claimed', { object: 'v1|ConfigMap|a|b', because: 'Elected' });
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      level: 'info',
      message: 'claimed',
      controller: 'detector',
      object: 'v1|ConfigMap|a|b',
      because: 'Elected',
    });
  });

  it('writes nothing below its level', () => {
    const { lines, log } = written({ format: 'json', level: 'warn' });
    log.info('no');
    expect(log.writes('info')).toBe(false);
    expect(lines).toEqual([]);
  });

  it('shows errors with their causes, and no stack for expected ones', () => {
    const { lines, log } = written({ format: 'json' });
    log.error('failed', { error: new Error('outer', { cause: new Error('inner') }) });
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ error: 'outer: inner' });
    log.error('failed', { error: new Error('outer: inner', { cause: new Error('inner') }) });
    expect(JSON.parse(lines[1] ?? '')).toMatchObject({ error: 'outer: inner' });
  });

  it('prints pretty lines for people', () => {
    const { lines, log } = written({ format: 'pretty' });
    log.warn('it is slow', { object: 'v1|Pod|a|b', detail: 'two words', count: 3 });
    expect(lines[0]).toMatch(
      /^\d\d:\d\d:\d\d\.\d{3} WARN  it is slow object=v1\|Pod\|a\|b detail="two words" count=3\n$/,
    );
  });

  it('paints only when asked to', () => {
    const { lines, log } = written({ format: 'pretty', colour: true });
    log.info('x');
    expect(lines[0]).toContain('\u001b[36mINFO ');
  });
});

describe('traces', () => {
  const { lines, log } = written({ format: 'json' });

  it('does nothing and loads nothing without an endpoint', async () => {
    const tracer = await openTracer({
      log,
      loadSdk: () => {
        throw new Error('loaded');
      },
    });
    expect(tracer).toBe(noTracer);
    expect(await tracer.span('x', {}, () => Promise.resolve(7))).toBe(7);
  });

  it('says so when what is configured is no URL', async () => {
    const tracer = await openTracer({ variables: { OTEL_EXPORTER_OTLP_ENDPOINT: 'nowhere' }, log });
    expect(tracer).toBe(noTracer);
    expect(lines.join()).toContain('traces are off');
  });
});
