import { afterAll, describe, expect, test } from 'vitest';
import type { Gates, KubeObject, Policy, Settings } from '../../src/api/index.ts';
import { Actor } from './actor.ts';
import { Expectation } from './expectation.ts';
import { modelStage } from './model.ts';
import { policy } from './objects.ts';
import type { PolicyWords } from './objects.ts';
import type { OpenStage, Stage } from './stage.ts';

/** The roles of a scenario. */
export interface Cast {
  readonly user: Actor;
  readonly admin: Actor;
  readonly stage: Stage;
  /** A policy of the scope that this run is about. */
  readonly policy: (name: string, words?: PolicyWords) => Policy;
  /** Looks at one object once the world has settled. */
  readonly expect: (object: KubeObject) => Expectation;
  /** Asserts that doing this changes nothing at all in any member. */
  readonly unchanged: (doing: () => Promise<void>) => Promise<void>;
  /** Stops and starts the control plane before it has seen what was done last. */
  readonly restart: () => Promise<void>;
}

/** How a scenario may be played. */
export interface ScenarioWords {
  readonly gates?: Partial<Gates>;
  readonly settings?: Partial<Settings>;
  /** False where the outcome depends on the pauses between the changes. */
  readonly burst?: boolean;
  readonly scopes?: readonly Scope[];
}

type Scope = 'namespace' | 'cluster';
type Play = (cast: Cast) => Promise<void>;

const both: readonly Scope[] = ['namespace', 'cluster'];
const kinds = { namespace: 'PropagationPolicy', cluster: 'ClusterPropagationPolicy' } as const;

/** On which stage this run plays: `SLUICE_STAGE=server` starts a whole one, `kube` one on a real kube-apiserver. */
const stageName = process.env['SLUICE_STAGE'] ?? 'model';

const openStage: OpenStage = async (words) => {
  if (stageName === 'model') return modelStage(words);
  const { serverStage } = await import('./server.ts');
  return serverStage(words);
};

if (stageName !== 'model') {
  afterAll(async () => {
    const { closeGround } = await import('./server.ts');
    await closeGround();
  });
}

/**
 * A story as its proposal tells it, played for each scope: on the model step by step, with restarts and in one burst; on
 * a server step by step, restarts where the story has them.
 */
export function scenario(name: string, play: Play, words: ScenarioWords = {}): void {
  describe(name, () => {
    for (const scope of words.scopes ?? both) tell(`${kinds[scope]} on the ${stageName}`, { scope, play, words });
  });
}

interface ScenarioPlay {
  readonly scope: Scope;
  readonly play: Play;
  readonly words: ScenarioWords;
}

function tell(title: string, scenarioPlay: ScenarioPlay): void {
  test(`${title}, step by step`, () => perform(scenarioPlay, new Rhythm('steps')));
  if (stageName !== 'model') return;
  test(`${title}, with a restart at every step`, () => perform(scenarioPlay, new Rhythm('restarts')));
  if (scenarioPlay.words.burst === false) return;
  test(`${title}, in one burst`, async () => {
    const rehearsal = new Rhythm('steps');
    await perform(scenarioPlay, rehearsal);
    await perform(scenarioPlay, new Rhythm('burst', rehearsal.changes));
  });
}

async function perform({ scope, play, words }: ScenarioPlay, rhythm: Rhythm): Promise<void> {
  const stage = await openStage({ gates: words.gates ?? {}, settings: words.settings ?? {} });
  try {
    const actor = new Actor(stage, rhythm);
    await play({
      user: actor,
      admin: actor,
      stage,
      policy: (name, policyWords) => policy(name, { scope, ...policyWords }),
      expect: (object) => new Expectation(stage, rhythm, object),
      unchanged: (doing) => rhythm.unchanged(stage, doing),
      restart: () => rhythm.restart(stage),
    });
    await rhythm.settle(stage);
  } finally {
    await stage.close();
  }
}

/** When the world may settle: after each change, or only after the last one. */
export class Rhythm {
  readonly #mode: 'steps' | 'restarts' | 'burst';
  readonly #total: number;
  changes = 0;
  /** Something was done since the world last settled. */
  #stirred = true;

  constructor(mode: 'steps' | 'restarts' | 'burst', total = 0) {
    this.#mode = mode;
    this.#total = total;
  }

  /** True when what is seen now counts: always, except in the middle of a burst. */
  get settles(): boolean {
    return this.#mode !== 'burst' || this.changes >= this.#total;
  }

  async changed(stage: Stage): Promise<void> {
    this.changes++;
    this.#stirred = true;
    if (this.#mode !== 'burst') await this.settle(stage);
  }

  /** On a server settling takes a while, so it is not done twice for the same change. */
  async settle(stage: Stage): Promise<void> {
    if (stage.patient && !this.#stirred) return;
    if (this.#mode === 'restarts') await stage.restart();
    await stage.settle();
    this.#stirred = false;
  }

  /** The control plane stops and starts before it has seen what was done last. */
  async restart(stage: Stage): Promise<void> {
    this.#stirred = true;
    await stage.restart();
  }

  async unchanged(stage: Stage, doing: () => Promise<void>): Promise<void> {
    if (!this.settles) return doing();
    await this.settle(stage);
    const before = await stage.fleet();
    await doing();
    if (!this.settles) return;
    await this.settle(stage);
    expect(await stage.fleet()).toEqual(before);
  }
}
