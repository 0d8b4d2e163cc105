import { expect } from 'vitest';
import { executionNamespace, policyFamilies, refOf, workName } from '../../src/api/index.ts';
import type { Binding, Condition, KubeObject, Policy, Work } from '../../src/api/index.ts';
import { at } from '../../src/base/index.ts';
import { bindingRefOf, claimOf, conditionStatus } from '../../src/engine/index.ts';
import type { Rhythm } from './scenario.ts';
import type { Stage } from './stage.ts';

/** Looks again until it is so, or has not been so for too long. */
async function eventually(check: () => Promise<void>): Promise<void> {
  const deadline = Date.now() + 5_000;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (Date.now() > deadline) throw error;
    }
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Claims about one object, looked at in the settled world; in the middle of a burst nobody looks. */
export class Expectation {
  readonly #stage: Stage;
  readonly #rhythm: Rhythm;
  readonly #object: KubeObject;

  constructor(stage: Stage, rhythm: Rhythm, object: KubeObject) {
    this.#stage = stage;
    this.#rhythm = rhythm;
    this.#object = object;
  }

  async #look(check: () => Promise<void>): Promise<void> {
    if (!this.#rhythm.settles) return;
    await this.#rhythm.settle(this.#stage);
    await (this.#stage.patient ? eventually(check) : check());
  }

  async #members(): Promise<readonly string[]> {
    const found: string[] = [];
    for (const member of this.#stage.members)
      if (await this.#stage.inMember(member, refOf(this.#object))) found.push(member);
    return found;
  }

  /** It is in these members and in no other. */
  async runsOn(...members: readonly string[]): Promise<void> {
    await this.#look(async () => expect(await this.#members()).toEqual([...members].sort()));
  }

  async runsNowhere(): Promise<void> {
    await this.runsOn();
  }

  /** The policy of this name manages it. */
  async isManagedBy(policy: string): Promise<void> {
    await this.#look(async () => expect((await this.#claim())?.name).toBe(policy));
  }

  /** No policy manages it: neither it nor its binding bears a claim. */
  async isUnclaimed(): Promise<void> {
    await this.#look(async () => {
      expect(await this.#claim()).toBeUndefined();
      const binding = await this.#stage.get(bindingRefOf(this.#object));
      const labels = Object.keys(binding?.metadata.labels ?? {});
      for (const family of Object.values(policyFamilies)) expect(labels).not.toContain(family.idLabel);
    });
  }

  async #claim(): Promise<ReturnType<typeof claimOf>> {
    const object = await this.#stage.get(refOf(this.#object));
    return object && claimOf(object);
  }

  /** Its replicas in each of these members. */
  async hasReplicas(replicas: Readonly<Record<string, number>>): Promise<void> {
    await this.#look(async () => {
      const found: Record<string, unknown> = {};
      for (const member of await this.#members()) found[member] = await this.#value(member, ['spec', 'replicas']);
      expect(found).toEqual(replicas);
    });
  }

  /** Its value under a path in each of these members. */
  async says(path: string, values: Readonly<Record<string, unknown>>): Promise<void> {
    await this.#look(async () => {
      const found: Record<string, unknown> = {};
      for (const member of Object.keys(values)) found[member] = await this.#value(member, path.split('.'));
      expect(found).toEqual(values);
    });
  }

  /** The image of its first container in each of these members. */
  async runsImage(images: Readonly<Record<string, string>>): Promise<void> {
    await this.#look(async () => {
      const found: Record<string, unknown> = {};
      for (const member of await this.#members()) {
        const containers = await this.#value(member, ['spec', 'template', 'spec', 'containers']);
        found[member] = Array.isArray(containers) ? at(containers[0], ['image']) : undefined;
      }
      expect(found).toEqual(images);
    });
  }

  async #value(member: string, path: readonly string[]): Promise<unknown> {
    return at(await this.#stage.inMember(member, refOf(this.#object)), path);
  }

  /** Sending to these members is suspended, and to the others that have a Work it is not. */
  async isSuspendedOn(...members: readonly string[]): Promise<void> {
    await this.#look(async () => {
      const suspended: string[] = [];
      for (const member of this.#stage.members) {
        const work = await this.#work(member);
        if (!work) continue;
        expect(conditionStatus(work.status?.conditions, 'Dispatching')).toBe(
          work.spec.suspendDispatching ? 'True' : 'False',
        );
        if (work.spec.suspendDispatching) suspended.push(member);
      }
      expect(suspended).toEqual([...members].sort());
    });
  }

  async #work(member: string): Promise<Work | undefined> {
    const name = workName({ kind: this.#object.kind, ...this.#object.metadata });
    const ref = { apiVersion: 'work.karmada.io/v1alpha1', kind: 'Work', namespace: executionNamespace(member), name };
    return (await this.#stage.get(ref)) as Work | undefined;
  }

  /** The Work of a member says of itself what a test wants to see. */
  async work(member: string, check: (work: Work | undefined) => void): Promise<void> {
    await this.#look(async () => check(await this.#work(member)));
  }

  async binding(check: (binding: Binding | undefined) => void): Promise<void> {
    await this.#look(async () => check((await this.#stage.get(bindingRefOf(this.#object))) as Binding | undefined));
  }

  /** How many templates this policy says that it holds, and how they stand. */
  async counts(wanted: Readonly<Record<'templates' | 'upToDate' | 'pending' | 'suspended', number>>): Promise<void> {
    await this.#look(async () => expect(await this.#policyStatus()).toMatchObject(wanted));
  }

  /** Expects a condition of this policy. */
  async condition(type: string, wanted: Partial<Condition>): Promise<void> {
    await this.#look(async () => {
      const status = await this.#policyStatus();
      expect(status?.conditions?.find((condition) => condition.type === type)).toMatchObject(wanted);
    });
  }

  async #policyStatus(): Promise<Policy['status']> {
    return ((await this.#stage.get(refOf(this.#object))) as Policy | undefined)?.status;
  }

  /** The object on the hub says of itself what a test wants to see. */
  async onHub(check: (object: KubeObject | undefined) => void): Promise<void> {
    await this.#look(async () => check(await this.#stage.get(refOf(this.#object))));
  }

  /** The object on the hub says of itself what a test wants to see. */
  async onTheHub(check: (object: KubeObject | undefined) => void): Promise<void> {
    await this.#look(async () => check(await this.#stage.get(refOf(this.#object))));
  }

  /** The object on the hub is gone. */
  async isGone(): Promise<void> {
    await this.#look(async () => expect(await this.#stage.get(refOf(this.#object))).toBeUndefined());
  }
}
