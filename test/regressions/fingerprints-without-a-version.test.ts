// Changing how a fingerprint is computed would make every template look changed: https://github.com/karmada-io/karmada/issues/5348
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { inEffectAnnotation, keyOf, refOf } from '../../src/api/index.ts';
import type { Gates, KubeObject } from '../../src/api/index.ts';
import { run, worldOf } from '../../src/engine/index.ts';
import type { World } from '../../src/engine/index.ts';
import { ModelStage } from '../kit/model.ts';
import { configMap, configMaps, deployment, deployments, policy } from '../kit/objects.ts';
import type { PolicyWords } from '../kit/objects.ts';

interface Saved {
  readonly gates: Partial<Gates>;
  readonly now: string;
  readonly objects: readonly KubeObject[];
  readonly members: readonly { readonly member: string; readonly object: KubeObject }[];
}

/** States of a hub and its members as the release wrote them whose fingerprints had no version. */
const file = join(import.meta.dirname, '../golden/upgrade/unversioned-fingerprints.json');
const saved = JSON.parse(readFileSync(file, 'utf8')) as Readonly<Record<'lazy' | 'static', Saved>>;

const stageOf = (name: keyof typeof saved): ModelStage => new ModelStage(worldOf(saved[name]), ['member1', 'member2']);

const templates = (state: string, version: 'old' | 'new' | 'newest' = 'old'): readonly KubeObject[] => {
  const [image, value] = { old: ['nginx:1.25', 'one'], new: ['nginx:1.26', 'two'], newest: ['nginx:1.27', 'three'] }[
    version
  ];
  const labels = { state };
  return [
    deployment(state, { labels, ...(image && { image }) }),
    configMap(state, { labels, ...(value && { value }) }),
  ];
};

function rule(state: string, words: PolicyWords): KubeObject {
  const labelSelector = { matchLabels: { state } };
  return policy(state, { select: [deployments({ labelSelector }), configMaps({ labelSelector })], ...words });
}

async function apply(stage: ModelStage, ...objects: readonly KubeObject[]): Promise<void> {
  for (const object of objects) await stage.apply(object);
  await stage.settle();
}

/** Where the templates of a state are, by member, with what they say. */
function contents({ world }: ModelStage, state: string): Readonly<Record<string, readonly unknown[]>> {
  const found: Record<string, unknown[]> = {};
  for (const member of ['member1', 'member2']) {
    for (const template of templates(state)) {
      const object = world.inMember(member, keyOf(refOf(template)));
      if (object) (found[member] ??= []).push(versionOf(object));
    }
  }
  return found;
}

function versionOf(object: KubeObject): unknown {
  const { data, spec } = object as KubeObject & {
    readonly data?: { readonly value: string };
    readonly spec?: { readonly template: { readonly spec: { readonly containers: readonly { image: string }[] } } };
  };
  return data?.value ?? spec?.template.spec.containers[0]?.image;
}

const records = (world: World): readonly string[] =>
  [...world.entries()].flatMap(([key, { metadata }]) => {
    const record = metadata.annotations?.[inEffectAnnotation];
    return record === undefined || key.startsWith('@')
      ? []
      : [`${metadata.name} ${/"template":"(v\d+:)?/.exec(record)?.[1] ?? 'none'}`];
  });

describe('the first start on a store whose fingerprints have no version', () => {
  test.each(['lazy', 'static'] as const)('decides nothing and writes nothing (%s)', (name) => {
    const { world } = stageOf(name);
    const before = new Map(world.entries());
    run(world, {
      restart: true,
      trace: {
        hear: (question, key, { because, actions }) => {
          if (actions.length > 0) throw new Error(`${question} of ${key} decides ${because}`);
        },
      },
    });
    expect(new Map(world.entries())).toEqual(before);
    expect(new Set(records(world).map((record) => record.split(' ')[1]))).toEqual(new Set(['none']));
  });

  test('leaves pending what was pending, and a change of the template activates it', async () => {
    const stage = stageOf('lazy');
    expect(contents(stage, 'pending')).toEqual({ member1: ['nginx:1.25', 'one'] });
    expect(contents(stage, 'waiting')).toEqual({});
    await apply(stage, ...templates('pending', 'new'), ...templates('waiting', 'new'));
    expect(contents(stage, 'pending')).toEqual({ member2: ['nginx:1.26', 'two'] });
    expect(contents(stage, 'waiting')).toEqual({ member1: ['nginx:1.26', 'two'] });
    expect(records(stage.world)).toEqual(
      expect.arrayContaining(['pending-deployment v1:', 'immediate-deployment none']),
    );
  });

  test('leaves a template unhandled that was: an immediate policy takes it at once, a lazy one waits', async () => {
    const stage = stageOf('lazy');
    expect(contents(stage, 'unhandled')).toEqual({ member1: ['nginx:1.25', 'one'] });
    await apply(stage, rule('unhandled', { to: 'member1', lazy: true }));
    expect(contents(stage, 'unhandled')).toEqual({ member1: ['nginx:1.25', 'one'] });
    await apply(stage, rule('unhandled', { to: 'member1' }));
    expect(contents(stage, 'unhandled')).toEqual({ member1: ['nginx:1.26', 'two'] });
  });

  test('leaves suspended what was suspended, and sends it when the suspension ends', async () => {
    const stage = stageOf('lazy');
    expect(contents(stage, 'suspended')).toEqual({ member1: ['nginx:1.25', 'one'] });
    await apply(stage, rule('suspended', { to: 'member1' }));
    expect(contents(stage, 'suspended')).toEqual({ member1: ['nginx:1.26', 'two'] });
  });

  test('under static policies waits where it waited, and takes at once what was unhandled', async () => {
    const stage = stageOf('static');
    await apply(stage, rule('released', { to: 'member2' }), rule('unhandled', { to: 'member2' }));
    expect(contents(stage, 'pending')).toEqual({ member1: ['nginx:1.25', 'one'] });
    expect(contents(stage, 'released')).toEqual({ member1: ['nginx:1.25', 'one'] });
    expect(contents(stage, 'unhandled')).toEqual({ member2: ['nginx:1.26', 'two'] });
    await apply(stage, ...templates('pending', 'new'), ...templates('released', 'newest'));
    expect(contents(stage, 'pending')).toEqual({ member2: ['nginx:1.26', 'two'] });
    expect(contents(stage, 'released')).toEqual({ member2: ['nginx:1.27', 'three'] });
  });
});
