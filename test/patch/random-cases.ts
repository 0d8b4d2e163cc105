/** Stories by lot, but always the same ones: what nobody would think of. */
import type { Body, Case, Step } from './story.ts';

type Lot = (below: number) => number;

/** A generator of Lehmer: good enough to draw stories, and the same everywhere. */
function lotOf(seed: number): Lot {
  let state = seed;
  return (below) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
}

class Dice {
  readonly #lot: Lot;
  constructor(seed: number) {
    this.#lot = lotOf(seed);
  }

  number(below: number): number {
    return this.#lot(below);
  }

  chance(percent: number): boolean {
    return this.#lot(100) < percent;
  }

  pick<T>(first: T, ...others: readonly T[]): T {
    return [first, ...others][this.#lot(others.length + 1)] ?? first;
  }

  /** Some of four names, in any order. */
  some<T>(make: (name: string) => T): readonly T[] {
    const names = this.pick(['a', 'b', 'c', 'd'], ['d', 'b', 'a', 'c'], ['c', 'd', 'b', 'a'], ['b', 'a', 'd', 'c']);
    return names.filter(() => this.chance(45)).map(make);
  }

  /** Members that are there now and then. */
  members(percent: number, parts: Readonly<Record<string, () => unknown>>): Body {
    return Object.fromEntries(
      Object.entries(parts)
        .filter(() => this.chance(percent))
        .map(([key, make]) => [key, make()]),
    );
  }

  map(): Body {
    return Object.fromEntries(this.some((name) => [name, this.value()]));
  }

  value(): string {
    return this.pick('1', '2', '3');
  }
}

function metadata(dice: Dice, name: string): Body {
  const parts = { labels: () => dice.map(), finalizers: () => dice.some((one) => `example.com/${one}`) };
  return { name, ...dice.members(25, parts) };
}

function widgetSpec(dice: Dice): Body {
  return dice.members(50, {
    size: () => dice.number(3),
    tags: () => dice.some((name) => name),
    parts: () =>
      dice.some((name) => ({
        name,
        zone: dice.pick('any', 'x'),
        ...dice.members(50, { count: () => dice.number(3) }),
      })),
    plain: () => dice.some(() => ({ a: dice.number(2) })),
    color: () => dice.members(50, { r: () => dice.number(3), g: () => dice.number(3) }),
    free: () => Object.fromEntries(dice.some((name) => [name, dice.pick<unknown>(1, 'x', { y: 1 }, [1], {})])),
    port: () => dice.pick<unknown>(80, 'http'),
    nested: () => dice.members(60, { deep: () => dice.members(50, { a: () => dice.value(), b: () => dice.value() }) }),
  });
}

function container(dice: Dice, name: string): Body {
  return {
    name,
    image: dice.pick('i1', 'i2'),
    ...dice.members(35, {
      env: () => dice.some((variable) => ({ name: variable, value: dice.value() })),
      ports: () => [{ containerPort: 80, ...dice.members(50, { protocol: () => dice.pick('TCP', 'UDP') }) }],
      args: () => dice.some((arg) => arg),
      resources: () =>
        dice.pick<Body>({}, { limits: { cpu: '1' } }, { limits: { memory: '1Gi' }, requests: { cpu: '1' } }),
      securityContext: () =>
        dice.pick<Body>({}, { runAsUser: 1 }, { readOnlyRootFilesystem: true, capabilities: { add: ['X'] } }),
    }),
  };
}

function deploymentSpec(dice: Dice): Body {
  const app = { app: 'web' };
  const pod = {
    containers: [container(dice, 'z'), ...dice.some((name) => container(dice, name))],
    ...dice.members(30, {
      nodeSelector: () => dice.map(),
      volumes: () =>
        dice.some((name) => ({ name, ...dice.pick<Body>({ emptyDir: {} }, { hostPath: { path: '/x' } }) })),
      tolerations: () => dice.some((key) => ({ key, operator: 'Exists' })),
      imagePullSecrets: () => dice.some((name) => ({ name })),
    }),
  };
  const extra = dice.members(30, { annotations: () => dice.map() });
  const whole = { selector: { matchLabels: app }, template: { metadata: { labels: app, ...extra }, spec: pod } };
  const sizes = dice.members(50, { replicas: () => dice.number(4), minReadySeconds: () => 1 + dice.number(3) });
  return { ...whole, ...sizes };
}

function step(dice: Dice, body: Body): Step {
  const manager = dice.pick('m1', 'm2', 'm3');
  const force = dice.chance(55);
  if (dice.chance(65)) return { do: 'apply', manager, body, force };
  return { do: 'merge', manager, body: { metadata: body['metadata'], spec: body['spec'] } };
}

function widgetStory(seed: number): Case {
  const dice = new Dice(seed);
  const object = `random-${seed}`;
  const body = () => ({
    apiVersion: 'example.com/v1',
    kind: 'Widget',
    metadata: metadata(dice, object),
    spec: widgetSpec(dice),
  });
  const first: Step = { do: 'apply', manager: 'm1', body: body() };
  const steps = [first, ...Array.from({ length: 7 }, () => step(dice, body()))];
  return {
    name: `a widget by lot ${seed}`,
    resource: '/apis/example.com/v1/namespaces/default/widgets',
    object,
    steps,
  };
}

function deploymentStory(seed: number): Case {
  const dice = new Dice(seed);
  const object = `random-${seed}`;
  const body = () => ({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: metadata(dice, object),
    spec: deploymentSpec(dice),
  });
  const first: Step = { do: 'apply', manager: 'm1', body: body() };
  const steps = [first, ...Array.from({ length: 5 }, () => step(dice, body()))];
  const resource = '/apis/apps/v1/namespaces/default/deployments';
  return { name: `a deployment by lot ${seed}`, resource, object, contentVaries: true, steps };
}

/** Fourteen stories by lot. */
export const random: readonly Case[] = [
  ...[11, 12, 13, 14, 15, 16, 17, 18].map(widgetStory),
  ...[21, 22, 23, 24, 25, 26].map(deploymentStory),
];
