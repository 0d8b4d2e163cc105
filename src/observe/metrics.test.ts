import { describe, expect, it } from 'vitest';
import { Metrics } from './metrics.ts';

describe('metrics', () => {
  it('writes counters and gauges with their labels', () => {
    const metrics = new Metrics();
    const writes = metrics.counter({ name: 'writes_total', help: 'Writes.', labels: ['kind', 'verb'] });
    writes('Work', 'create').add();
    writes('Work', 'create').add(2);
    writes('Work', 'delete').add();
    metrics.gauge({ name: 'depth', help: 'Depth.' })().set(7);
    expect(metrics.text()).toBe(
      [
        '# HELP writes_total Writes.',
        '# TYPE writes_total counter',
        'writes_total{kind="Work",verb="create"} 3',
        'writes_total{kind="Work",verb="delete"} 1',
        '# HELP depth Depth.',
        '# TYPE depth gauge',
        'depth 7',
        '',
      ].join('\n'),
    );
  });

  it('counts histogram values up to and including each bound', () => {
    const metrics = new Metrics();
    const seconds = metrics.histogram({ name: 's', help: 'S.', labels: ['q'], buckets: [1, 0.1] })('a');
    for (const value of [0.05, 0.1, 0.5, 3]) seconds.observe(value);
    expect(metrics.text()).toContain(
      's_bucket{q="a",le="0.1"} 2\ns_bucket{q="a",le="1"} 3\ns_bucket{q="a",le="+Inf"} 4\ns_sum{q="a"} 3.65\ns_count{q="a"} 4\n',
    );
  });

  it('escapes what would break the format', () => {
    const metrics = new Metrics();
    metrics
      .counter({ name: 'c', help: 'a\\b\nc', labels: ['l'] })('x"y\\z\n')
      .add();
    expect(metrics.text()).toBe('# HELP c a\\\\b\\nc\n# TYPE c counter\nc{l="x\\"y\\\\z\\n"} 1\n');
  });

  it('answers the same family for the same name, and refuses another shape', () => {
    const metrics = new Metrics();
    const options = { name: 'c', help: 'C.', labels: ['l'] };
    expect(metrics.counter(options)('x')).toBe(metrics.counter(options)('x'));
    expect(() => metrics.gauge(options)).toThrow('another type');
    expect(() => metrics.counter({ ...options, labels: [] })).toThrow('other labels');
    expect(() => metrics.counter(options)()).toThrow('has the labels [l]');
  });

  it('collects before each reading, until told to stop', () => {
    const metrics = new Metrics();
    const gauge = metrics.gauge({ name: 'g', help: 'G.' })();
    let size = 1;
    const stop = metrics.beforeReading(() => gauge.set(size++));
    expect(metrics.text()).toContain('g 1');
    expect(metrics.text()).toContain('g 2');
    stop();
    expect(metrics.text()).toContain('g 2');
  });
});
