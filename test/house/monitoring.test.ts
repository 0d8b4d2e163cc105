/** Alert rules and the dashboard of deploy/monitoring name metrics that exist. */
import { readFileSync } from 'node:fs';
import { load } from 'js-yaml';
import { expect, test } from 'vitest';

const read = (file: string): string => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
const listed = new Set([...read('docs/metrics.md').matchAll(/^\| `(\w+)`/gm)].map(([, name]) => name ?? ''));

interface Rules {
  readonly groups: readonly { readonly rules: readonly { readonly expr: string }[] }[];
}
interface Dashboard {
  readonly panels: readonly { readonly targets: readonly { readonly expr: string }[] }[];
}

/** The metrics of an expression; histograms are read by their buckets. */
const metricsIn = (expr: string): readonly string[] =>
  [...expr.matchAll(/\b([a-z]+(?:_[a-z0-9]+)+)\b(?!\s*\()(?![^{]*\}|[^(]*\)\s*\()/g)]
    .map(([, name = '']) => name.replace(/_bucket$/, ''))
    .filter((name) => !['member_cluster', 'priority_level', 'histogram_quantile'].includes(name));

const alerts = (load(read('deploy/monitoring/alerts.yaml')) as Rules).groups.flatMap(({ rules }) =>
  rules.map(({ expr }) => expr),
);
const panels = (JSON.parse(read('deploy/monitoring/grafana-dashboard.json')) as Dashboard).panels.flatMap(
  ({ targets }) => targets.map(({ expr }) => expr),
);

test.each([...alerts, ...panels])('%s', (expr) => {
  const metrics = metricsIn(expr);
  expect(metrics.length).toBeGreaterThan(0);
  for (const metric of metrics) expect(listed).toContain(metric);
});
