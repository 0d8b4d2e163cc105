import type { Metrics } from '../observe/index.ts';

/** Says who runs, in Karmada's words and in ours. */
export function observeVersion(metrics: Metrics, version: string): void {
  const platform = `${process.platform}/${process.arch}`;
  const built = metrics.gauge({
    name: 'karmada_build_info',
    help: 'Always 1; its labels say what runs.',
    labels: ['git_version', 'compiler', 'platform'],
  });
  built(`sluice-${version}`, 'node', platform).set(1);
  const own = metrics.gauge({
    name: 'sluice_build_info',
    help: 'Always 1; its labels say what runs.',
    labels: ['version', 'node', 'platform'],
  });
  own(version, process.version, platform).set(1);
}
