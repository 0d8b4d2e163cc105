import { refOf } from '../../src/api/index.ts';
import type { Binding, KubeObject } from '../../src/api/index.ts';
import { bindingRefOf } from '../../src/engine/index.ts';
import { Refused } from './stage.ts';
import type { Stage } from './stage.ts';
import type { Rhythm } from './scenario.ts';

/** Somebody who changes things on the hub; each change is a step of the story. */
export class Actor {
  readonly #stage: Stage;
  readonly #rhythm: Rhythm;
  #touches = 0;
  #requests = 0;

  constructor(stage: Stage, rhythm: Rhythm) {
    this.#stage = stage;
    this.#rhythm = rhythm;
  }

  /** Applies one or more manifests, each a step of its own. */
  async creates(...objects: readonly KubeObject[]): Promise<void> {
    for (const object of objects) {
      await this.#stage.apply(object);
      await this.#rhythm.changed(this.#stage);
    }
  }

  async updates(...objects: readonly KubeObject[]): Promise<void> {
    await this.creates(...objects);
  }

  /** Applies several manifests at once, as one `kubectl apply -f` does. */
  async appliesTogether(...objects: readonly KubeObject[]): Promise<void> {
    for (const object of objects) await this.#stage.apply(object);
    await this.#rhythm.changed(this.#stage);
  }

  async deletes(object: KubeObject): Promise<void> {
    await this.#stage.delete(refOf(object));
    await this.#rhythm.changed(this.#stage);
  }

  async edits(object: KubeObject, change: (live: KubeObject) => KubeObject): Promise<void> {
    await this.#stage.edit(refOf(object), change);
    await this.#rhythm.changed(this.#stage);
  }

  /** The smallest change of a template there is: a label with a new value. */
  async touches(object: KubeObject): Promise<void> {
    const value = String(++this.#touches);
    await this.edits(object, (live) => ({
      ...live,
      metadata: { ...live.metadata, labels: { ...live.metadata.labels, 'refresh-time': value } },
    }));
  }

  /** Writes the status of an object, as another controller does. */
  async reports(object: KubeObject, status: unknown): Promise<void> {
    await this.#stage.writeStatus(refOf(object), status);
    await this.#rhythm.changed(this.#stage);
  }

  /** Tries to apply something that must be refused, and returns the paths that the refusal names. */
  async failsToCreate(object: KubeObject): Promise<readonly string[]> {
    try {
      await this.#stage.apply(object);
    } catch (error) {
      if (error instanceof Refused) return error.errors.map((fault) => fault.field);
      throw error;
    }
    throw new Error(`${object.kind} ${object.metadata.name} was accepted`);
  }

  /** Asks the scheduler to choose the clusters of a template anew. */
  async asksToReschedule(object: KubeObject): Promise<void> {
    this.#requests++;
    const rescheduleTriggeredAt = new Date(Date.UTC(2030, 0, 1, 0, 0, this.#requests)).toISOString();
    await this.#stage.edit(bindingRefOf(object), (live) => {
      return { ...live, spec: { ...(live as Binding).spec, rescheduleTriggeredAt } } as KubeObject;
    });
    await this.#rhythm.changed(this.#stage);
  }

  /** A member gets so many replicas of a Deployment ready. */
  async readies(member: string, object: KubeObject, ready: number): Promise<void> {
    await this.#stage.readies(member, refOf(object), ready);
    await this.#rhythm.changed(this.#stage);
  }

  /** A member reports this status of an object. */
  async memberReports(member: string, object: KubeObject, status: object): Promise<void> {
    await this.#stage.memberReports(member, refOf(object), status);
    await this.#rhythm.changed(this.#stage);
  }

  /** A member reports capacity for so many more Pods. */
  async hasCapacity(member: string, pods: number): Promise<void> {
    await this.#stage.hasCapacity(member, pods);
    await this.#rhythm.changed(this.#stage);
  }

  async waits(seconds: number): Promise<void> {
    await this.#stage.advance(seconds);
    await this.#rhythm.changed(this.#stage);
  }

  /** The control plane is stopped for so long. */
  async stopsHub(seconds: number): Promise<void> {
    await this.#stage.away(seconds);
    await this.#rhythm.changed(this.#stage);
  }

  /** Changes an object in a member by hand; `undefined` deletes it. */
  async tampers(
    member: string,
    object: KubeObject,
    change: (live: KubeObject) => KubeObject | undefined,
  ): Promise<void> {
    await this.#stage.tamper(member, refOf(object), change);
    await this.#rhythm.changed(this.#stage);
  }
}
