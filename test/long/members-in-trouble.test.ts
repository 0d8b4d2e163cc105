/**
 * One of two members is in trouble, in every way that a simulated one can be, while everything is done that can be done
 * to a template. Meanwhile the other member gets what is its own; afterwards the fleet is as it was told to be; and
 * nothing was ever deleted because somebody did not answer.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Cluster, KubeObject, Work } from '../../src/api/index.ts';
import { executionNamespace, refOf, workName } from '../../src/api/index.ts';
import type { FaultChange } from '../../src/sim/index.ts';
import { startLive } from '../kit/live.ts';
import type { Live } from '../kit/live.ts';
import { configMap, configMaps, policy } from '../kit/objects.ts';
import type { PolicyWords } from '../kit/objects.ts';
import { until } from '../kit/until.ts';

let live: Live;
beforeAll(async () => {
  live = await startLive({ members: ['sick', 'well'] });
  await live.untilReady();
});
afterAll(() => live.close());

const both = ['sick', 'well'];
const suspend = { suspendDispatching: true };

/** A change to a template, before and during the trouble, and its expected result. */
interface Edit {
  readonly before?: (template: Template) => Promise<void>;
  readonly during: (template: Template) => Promise<void>;
  readonly end: Readonly<Record<string, string>>;
}

interface ConfigMap extends KubeObject {
  readonly data?: { readonly value: string };
}

/** A ConfigMap with a policy of its own. */
class Template {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }

  says(value: string): Promise<void> {
    return live.apply(configMap(this.name, { value }));
  }

  goes(to: string | readonly string[], words: PolicyWords = {}): Promise<void> {
    return live.apply(policy(this.name, { to, select: [configMaps({ name: this.name })], ...words }));
  }

  async ends(): Promise<void> {
    await live.user.delete(this.ref);
  }

  get ref(): ReturnType<typeof refOf> {
    return refOf(configMap(this.name));
  }

  async in(member: string): Promise<KubeObject | undefined> {
    return live.member(member).find(this.ref);
  }

  async valueIn(member: string): Promise<string | undefined> {
    const found: ConfigMap | undefined = await this.in(member);
    return found?.data?.value;
  }

  async work(member: string): Promise<Work | undefined> {
    const name = workName({ kind: 'ConfigMap', namespace: 'default', name: this.name });
    const namespace = executionNamespace(member);
    return live.user.find<Work>({ apiVersion: 'work.karmada.io/v1alpha1', kind: 'Work', namespace, name });
  }
}

const placed = async (template: Template, to: string | readonly string[]): Promise<void> => {
  await template.goes(to);
  await template.says('one');
};

const edits: Readonly<Record<string, Edit>> = {
  bystander: { before: (it) => placed(it, both), during: async () => {}, end: { sick: 'one', well: 'one' } },
  create: { during: (it) => placed(it, both), end: { sick: 'one', well: 'one' } },
  update: {
    before: (it) => placed(it, both),
    during: (it) => it.says('two'),
    end: { sick: 'two', well: 'two' },
  },
  delete: { before: (it) => placed(it, both), during: (it) => it.ends(), end: {} },
  suspend: {
    before: (it) => placed(it, both),
    during: async (it) => {
      await it.goes(both, { suspend });
      await it.says('two');
    },
    end: { sick: 'one', well: 'one' },
  },
  resume: {
    before: async (it) => {
      await placed(it, both);
      await live.settle();
      await it.goes(both, { suspend });
      await it.says('two');
    },
    during: (it) => it.goes(both),
    end: { sick: 'two', well: 'two' },
  },
  leave: { before: (it) => placed(it, 'sick'), during: (it) => it.goes('well'), end: { well: 'one' } },
  arrive: { before: (it) => placed(it, 'well'), during: (it) => it.goes('sick'), end: { sick: 'one' } },
};

const entriesOf = (trouble: string): readonly (readonly [Template, Edit])[] =>
  Object.entries(edits).map(([name, edit]) => [new Template(`${trouble}-${name}`), edit]);

async function expectEnd(member: string, all: readonly (readonly [Template, Edit])[]): Promise<void> {
  const wanted = Object.fromEntries(all.map(([{ name }, { end }]) => [name, end[member]]));
  await until(`${member} is as it was told to be: ${JSON.stringify(wanted)}`, async () => {
    const found: Record<string, string | undefined> = {};
    for (const [template] of all) found[template.name] = await template.valueIn(member);
    expect(found).toEqual(wanted);
    return true;
  });
}

/** In whose words the trouble is told, and where. */
type Complaint = 'on the Work' | 'on the Cluster' | 'nowhere';

interface Trouble {
  readonly change: FaultChange;
  readonly told: Complaint;
  readonly words?: RegExp;
  /** The member lost everything: what was there is made anew. */
  readonly forgetful?: boolean;
}

const troubles: Readonly<Record<string, Trouble>> = {
  down: { change: { down: true }, told: 'on the Cluster', words: /not reachable/ },
  partition: { change: { partition: true }, told: 'nowhere' },
  latency: { change: { latencyMilliseconds: 300 }, told: 'nowhere' },
  errors: { change: { errorPercent: 100 }, told: 'on the Cluster', words: /500/ },
  'some-errors': { change: { errorPercent: 50 }, told: 'nowhere' },
  throttle: { change: { throttlePercent: 100 }, told: 'on the Cluster', words: /429/ },
  refuse: {
    change: { refuse: [{ kind: 'ConfigMap', code: 403 }] },
    told: 'on the Work',
    words: /forbidden|refuse/i,
  },
  invalid: { change: { refuse: [{ kind: 'ConfigMap', code: 422 }] }, told: 'on the Work', words: /invalid/i },
  'cut-watches': { change: { cutWatches: true }, told: 'nowhere' },
  forget: { change: { forget: true }, told: 'nowhere', forgetful: true },
};

async function expectTold({ told, words = /^/ }: Trouble, template: Template): Promise<void> {
  if (told === 'nowhere') return;
  await until(`${words} is told ${told}`, async () => {
    const object =
      told === 'on the Work'
        ? await template.work('sick')
        : await live.user.get<Cluster>({ apiVersion: 'cluster.karmada.io/v1alpha1', kind: 'Cluster', name: 'sick' });
    const type = told === 'on the Work' ? 'Applied' : 'Ready';
    const condition = object?.status?.conditions?.find((one) => one.type === type);
    expect(condition).toMatchObject({ status: 'False', message: expect.stringMatching(words) as string });
    return true;
  });
  if (told === 'on the Cluster') await expectWaiting(template);
}

/** A Work that waits for a member that is not ready says so, and since when. */
async function expectWaiting(template: Template): Promise<void> {
  await until('its Work says that it waits', async () => {
    const applied = (await template.work('sick'))?.status?.conditions?.find(({ type }) => type === 'Applied');
    const message = expect.stringMatching(/sick is not ready since \d{4}-/) as string;
    expect(applied).toMatchObject({ status: 'False', message });
    return true;
  });
}

/** An arrived change is reported once nothing is on its way any more. */
async function expectApplied(template: Template): Promise<void> {
  await until('its Work says that it was applied', async () => {
    const { conditions } = (await template.work('sick'))?.status ?? {};
    expect(conditions).toContainEqual(expect.objectContaining({ type: 'Applied', status: 'True' }));
    return true;
  });
}

describe.each(Object.entries(troubles))('a member in trouble: %s', (name, trouble) => {
  test('harms nobody else, deletes nothing, and is made up for', async () => {
    const all = entriesOf(name);
    for (const [template, { before }] of all) await before?.(template);
    await live.settle();
    const bystander = new Template(`${name}-bystander`);
    const uid = (await bystander.in('sick'))?.metadata.uid;
    expect(uid).toBeDefined();

    await live.simulated('sick').setFaults(trouble.change);
    for (const [template, { during }] of all) await during(template);
    // A workload that moves to the member in trouble stays here until it is healthy there.
    await expectEnd(
      'well',
      all.filter(([, edit]) => edit !== edits['arrive']),
    );
    await expectTold(trouble, new Template(`${name}-update`));

    await live.simulated('sick').reset();
    await live.untilReady();
    // Changes that a forgetful member lost before the suspension have come back, and later ones have not.
    const certain = all.filter(([, edit]) => !trouble.forgetful || edit !== edits['suspend']);
    await expectEnd('sick', certain);
    expect(await new Template(`${name}-hold`).valueIn('sick')).not.toBe('two');
    await expectEnd('well', all);
    const after = (await bystander.in('sick'))?.metadata.uid;
    if (trouble.forgetful) expect(after).not.toBe(uid);
    else expect(after).toBe(uid);
    await expectApplied(new Template(`${name}-update`));
  });
});

test('a member that was in trouble many times is looked after as soon as it answers', async () => {
  const template = new Template('again-and-again');
  await placed(template, 'sick');
  await until('it is there', () => template.in('sick'));
  for (let round = 1; round <= 9; round++) {
    await live.simulated('sick').setFaults({ cutWatches: true });
    await live.member('sick').delete(template.ref);
    await until(`what was deleted in round ${round} is back`, () => template.in('sick'), 12_000);
  }
});

test('controllers that start while a member is down delete nothing, and do the rest when it is back', async () => {
  const [kept, changed, ended] = ['kept', 'changed', 'ended'].map((name) => new Template(`absent-${name}`));
  if (!kept || !changed || !ended) throw new Error('three templates');
  for (const template of [kept, changed, ended]) await placed(template, both);
  await live.settle();
  const uid = (await kept.in('sick'))?.metadata.uid;

  await live.simulated('sick').setFaults({ down: true });
  await live.stop();
  await changed.says('two');
  await ended.ends();
  await live.start();
  await until('the other member has its own', async () => {
    expect([await changed.valueIn('well'), await ended.valueIn('well')]).toEqual(['two', undefined]);
    return true;
  });
  expect((await ended.work('sick'))?.metadata.deletionTimestamp).toBeDefined();

  await live.simulated('sick').reset();
  await live.untilReady();
  await until('the member has caught up', async () => {
    expect([await changed.valueIn('sick'), await ended.valueIn('sick')]).toEqual(['two', undefined]);
    return true;
  });
  expect((await kept.in('sick'))?.metadata.uid).toBe(uid);
  await until('its Work is gone', async () => (await ended.work('sick')) === undefined);
});
