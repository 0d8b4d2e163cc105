import { keyOf, refOf } from '../../src/api/index.ts';
import type { Gates, KubeObject, Ref } from '../../src/api/index.ts';
import { questions, run } from '../../src/engine/index.ts';
import type { Action, Decision, Question, World } from '../../src/engine/index.ts';
import { happen, stageFor } from './stories/event.ts';

/** A change that a test makes to a world: a manifest to apply, or anything else. */
export type Doing = KubeObject | ((world: World) => void);

/** A world at rest in which these things were done one after the other. */
export function atRest(gates: Partial<Gates>, ...all: readonly Doing[]): World {
  const world = stageFor(gates);
  for (const doing of all) {
    doNow(world, doing);
    run(world);
  }
  return world;
}

/** The world right after something was done, before anybody has looked. */
export function rightAfter(world: World, ...all: readonly Doing[]): World {
  for (const doing of all) doNow(world, doing);
  return world;
}

let seed = 0;

function doNow(world: World, doing: Doing): void {
  if (typeof doing === 'function') doing(world);
  else happen(world, { do: 'apply', object: doing }, seed++);
}

/** Deletes an object. */
export function gone(object: KubeObject): Doing {
  return (world) => world.write({ verb: 'delete', ref: refOf(object) });
}

/** Changes the metadata of an object of the hub. */
export function marked(object: KubeObject, metadata: Partial<KubeObject['metadata']>): Doing {
  return (world) => {
    const live = liveOf(world, object);
    const labels = { ...live.metadata.labels, ...metadata.labels };
    const annotations = { ...live.metadata.annotations, ...metadata.annotations };
    const merged = { ...live.metadata, ...metadata, labels, annotations };
    world.write({ verb: 'update', object: { ...live, metadata: merged } });
  };
}

/** The object as the hub has it. */
export function liveOf<T extends KubeObject>(world: World, object: T): T {
  const live = world.get(keyOf(refOf(object)));
  if (!live) throw new Error(`${keyOf(refOf(object))} does not exist`);
  return live as T;
}

/** The decision about an object now. */
export function decided(world: World, question: Question, about: KubeObject | Ref): Decision {
  const ref = 'metadata' in about ? refOf(about) : about;
  const decision = questions[question](world, keyOf(ref));
  if (!decision) throw new Error(`nothing to decide about ${keyOf(ref)}`);
  return decision;
}

/** A decision in one line: its reason, then what is done. */
export function told({ because, actions }: Decision): string {
  return [because, ...actions.map(whatOf)].join(' ');
}

function whatOf({ do: what, write }: Action): string {
  return write.at === undefined ? what : `${what}@${write.at}`;
}
