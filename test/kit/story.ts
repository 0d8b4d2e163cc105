/**
 * Stories: one script that kubectl of every version goes through, each in a namespace of its own.
 * A file has one hub; a story that leaves a fault on it fails, whatever its commands printed.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startHub } from './hub.ts';
import type { RunningHub } from './hub.ts';
import { Kubectl, kubectlVersions } from './kubectl.ts';
import type { KubectlVersion } from './kubectl.ts';

/** The parts with which a story is played. */
export interface Stage {
  readonly k: Kubectl;
  readonly hub: RunningHub;
  readonly version: KubectlVersion;
}

/** The hub of this file: call it once, outside of any case. */
export function hubForAll(): () => RunningHub {
  let hub: RunningHub | undefined;
  beforeAll(async () => {
    hub = await startHub();
  });
  afterAll(async () => {
    const faults = hub?.faults();
    await hub?.stop();
    expect(faults).toBe('');
  });
  return () => {
    if (!hub) throw new Error('the hub is not running');
    return hub;
  };
}

/** One script for all versions, several at a time; `name` becomes part of names on the hub. */
export function story(name: string, hub: () => RunningHub, script: (stage: Stage) => Promise<void>): void {
  describe(name, () => {
    test.concurrent.each(kubectlVersions)('kubectl %s', async (version) => {
      await script({ k: await Kubectl.open(hub(), version, name), hub: hub(), version });
    });
  });
}
