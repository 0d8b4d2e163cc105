import { clusterApi, fieldErrorText, keyOf, policyApi, policyFamilies, refOf } from '../../src/api/index.ts';
import type { Cluster, KubeObject, Ref } from '../../src/api/index.ts';
import { equal, isObject, uuidOf } from '../../src/base/index.ts';
import {
  appliedOver,
  decidePolicyStatus,
  emptyWorld,
  gatherPolicyStatus,
  isPropagated,
  kindKey,
  mutate,
  questions,
  run,
  Tally,
  validate,
  validateDelete,
} from '../../src/engine/index.ts';
import type { Decision, Question, World } from '../../src/engine/index.ts';
import { memberCluster } from './objects.ts';
import { simulated, withReady, withStatus } from './readiness.ts';
import { Refused } from './stage.ts';
import type { Stage, StageWords } from './stage.ts';

const usualMembers = ['member1', 'member2', 'member3', 'member4'];

/** A stage on the model: a world in memory, with the admission that a hub has. */
export async function modelStage({
  gates = {},
  settings = {},
  members = usualMembers,
}: StageWords): Promise<ModelStage> {
  const world = emptyWorld({ gates, settings: { allowNoExecuteTaintPolicies: true, ...settings } });
  for (const member of members) world.write({ verb: 'create', object: memberCluster(member) });
  run(world);
  return new ModelStage(world, members);
}

export class ModelStage implements Stage {
  readonly world: World;
  readonly members: readonly string[];
  /** A restart is due: the next settling asks everything. */
  #restarted = false;
  #created = 0;

  constructor(world: World, members: readonly string[]) {
    this.world = world;
    this.members = members;
  }

  async apply(object: KubeObject): Promise<void> {
    this.applyNow(object);
  }

  applyNow(object: KubeObject): void {
    const before = this.world.get(keyOf(refOf(object)));
    this.#write(before ? appliedOver(object, before) : object, before);
  }

  async edit(ref: Ref, change: (object: KubeObject) => KubeObject): Promise<void> {
    const before = this.#existing(ref);
    this.#write(change(before), before);
  }

  #existing(ref: Ref): KubeObject {
    const object = this.world.get(keyOf(ref));
    if (!object) throw new Error(`${keyOf(ref)} does not exist`);
    return object;
  }

  #write(object: KubeObject, before: KubeObject | undefined): void {
    const operation = before ? 'UPDATE' : 'CREATE';
    const uuid = uuidOf(`${keyOf(refOf(object))}#${before?.metadata.uid ?? this.#created++}`);
    const mutated = mutate(object, { operation, uuid, now: this.world.now });
    const errors = validate(mutated, before, { settings: this.world.settings });
    if (errors.length > 0) throw new Refused(errors, errors.map(fieldErrorText).join('\n'));
    this.world.write({ verb: before ? 'update' : 'create', object: mutated });
  }

  async writeStatus(ref: Ref, status: unknown): Promise<void> {
    this.world.write({ verb: 'updateStatus', object: { ...this.#existing(ref), status } as KubeObject });
  }

  async delete(ref: Ref): Promise<void> {
    const why = validateDelete(this.#existing(ref));
    if (why) throw new Refused([], why);
    this.world.write({ verb: 'delete', ref });
  }

  async get(ref: Ref): Promise<KubeObject | undefined> {
    return this.world.get(keyOf(ref));
  }

  async inMember(member: string, ref: Ref): Promise<KubeObject | undefined> {
    return this.world.inMember(member, keyOf(ref));
  }

  async tamper(member: string, ref: Ref, change: (object: KubeObject) => KubeObject | undefined): Promise<void> {
    const object = await this.inMember(member, ref);
    if (!object) throw new Error(`${keyOf(ref)} does not exist in ${member}`);
    const changed = change(object);
    this.world.write(
      changed ? { verb: 'update', object: signed(changed, object), at: member } : { verb: 'delete', ref, at: member },
    );
  }

  async readies(member: string, ref: Ref, ready: number): Promise<void> {
    const object = this.world.inMember(member, keyOf(ref));
    if (!object) throw new Error(`${keyOf(ref)} does not exist in ${member}`);
    this.world.write({ verb: 'updateStatus', object: withReady(object, ready), at: member });
  }

  async memberReports(member: string, ref: Ref, status: object): Promise<void> {
    const object = this.world.inMember(member, keyOf(ref));
    if (!object) throw new Error(`${keyOf(ref)} does not exist in ${member}`);
    this.world.write({ verb: 'updateStatus', object: withStatus(object, status), at: member });
  }

  async hasCapacity(member: string, pods: number): Promise<void> {
    const ref = { apiVersion: clusterApi, kind: 'Cluster', name: member };
    const { status } = this.#existing(ref) as Cluster;
    await this.writeStatus(ref, {
      ...status,
      resourceSummary: { allocatable: { cpu: '24', memory: '96Gi', pods: String(pods) } },
    });
  }

  async plant(member: string, object: KubeObject): Promise<void> {
    this.world.write({ verb: 'create', object, at: member });
  }

  async fleet(): Promise<unknown> {
    const found: Record<string, unknown> = {};
    for (const [key, object] of this.world.entries()) if (key.startsWith('@')) found[key] = object;
    return found;
  }

  async settle(): Promise<void> {
    run(this.world, { restart: this.#restarted, members: simulated });
    reportPolicies(this.world);
    this.#restarted = false;
    this.assertAtRest();
  }

  async restart(): Promise<void> {
    this.#restarted = true;
  }

  /** A settled world decides nothing, not even when everything is asked again. */
  assertAtRest(): void {
    const before = new Map(this.world.entries());
    const again = this.world.fork();
    again.awakeSince = this.world.awakeSince;
    run(again, { restart: true, members: simulated, trace: { hear: refuseActions } });
    reportPolicies(again);
    for (const [key, object] of again.entries()) {
      if (!equal(object, before.get(key))) throw new Error(`a restart writes ${key}`);
    }
  }

  async advance(seconds: number): Promise<void> {
    this.world.now = new Date(Date.parse(this.world.now) + seconds * 1000).toISOString().replace('.000Z', 'Z');
  }

  async away(seconds: number): Promise<void> {
    await this.advance(seconds);
    this.world.awakeSince = this.world.now;
    await this.restart();
  }

  async close(): Promise<void> {
    // Nothing to give back: a world is memory.
  }
}

/** An action that changes nothing here may fail forever on a server. */
function refuseActions(question: Question, key: string, { because, actions }: Decision): void {
  if (actions.length > 0) throw new Error(`at rest ${question} of ${key} still decides ${because}`);
}

/** Writes the status of every policy; this changes nothing else. */
function reportPolicies(world: World): void {
  const tally = new Tally(world);
  for (const [key, object] of world.entries()) {
    if (!key.startsWith('@') && isPropagated(object)) tally.hear('claim', key, questions.claim(world, key));
  }
  const policies: string[] = [];
  for (const { kind } of Object.values(policyFamilies))
    world.each(kindKey(`${policyApi}|${kind}`), (policy) => void policies.push(keyOf(refOf(policy))));
  for (const key of policies) {
    const facts = gatherPolicyStatus(world, key, tally);
    for (const { write } of facts ? decidePolicyStatus(facts).actions : []) world.write(write);
  }
  run(world, { members: simulated });
}

/** The object with the record that an API server keeps of the fields that somebody else has set. */
function signed(after: KubeObject, before: KubeObject): KubeObject {
  const { metadata: _, ...content } = after;
  const fieldsV1 = fieldsSet(content, before);
  return { ...after, metadata: { ...after.metadata, managedFields: [{ fieldsV1 }] } };
}

function fieldsSet(after: object, before: unknown): object {
  const fields: Record<string, object> = {};
  for (const [name, value] of Object.entries(after) as [string, unknown][]) {
    const was = isObject(before) ? before[name] : undefined;
    if (!equal(value, was)) fields[`f:${name}`] = isObject(value) ? fieldsSet(value, was) : {};
  }
  return fields;
}
