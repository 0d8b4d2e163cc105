import { createHash } from 'node:crypto';
import type { KubeObject } from '../../../api/index.ts';
import { yamlOf } from '../../../base/index.ts';
import {
  applyOne,
  fatesOf,
  groundOf,
  groupsOf,
  judgeLive,
  judgeOffline,
  manifestsIn,
  markdownOf,
  parseSnapshot,
  totalsLine,
  whenText,
} from '../../../cli/index.ts';
import type { JudgedChange, Group, Outcome } from '../../../cli/index.ts';
import { contentOf, differencesOf, lossesOf, reasons } from '../../../engine/index.ts';
import type { DifferenceView, EffectGroup, PlanRequest, PlanView } from '../../wire.ts';
import { Refusal } from '../guard.ts';
import { isSecret, shownYaml } from '../secrets.ts';
import type { Sight } from '../sight.ts';

/** The most templates of a group that are named. */
const mostNamed = 200;

interface Made {
  readonly outcome: Outcome;
  readonly asked: JudgedChange;
  readonly request: PlanRequest;
}

/** The last plans of each person, so that their differences can be asked for and they can be applied. */
const lastPlans = new WeakMap<Sight, Map<string, Made>>();
const mostPlans = 8;

/** Plans a change, by the very function of `sluice plan`. */
export async function planView(sight: Sight, request: PlanRequest): Promise<PlanView> {
  const begun = performance.now();
  const made = await madeFrom(sight, request);
  const { plan, notes, unseen } = made.outcome;
  const groups = groupsOf(fatesOf(plan));
  const losses = lossesOf(plan, { apply: made.outcome.apply });
  const names = new Set([...groups.map(({ because }) => because), ...plan.warnings.map(({ because }) => because)]);
  return {
    id: keep(sight, made),
    totals: plan.totals,
    summary: totalsLine(groups),
    groups: groups.map(groupView),
    effects: plan.effects.length,
    warnings: plan.warnings,
    errors: plan.errors,
    notes,
    unseen,
    dangerous: losses.length > 0,
    reasons: Object.fromEntries([...names].map((name) => [name, reasons[name as keyof typeof reasons] ?? ''])),
    milliseconds: Math.round(performance.now() - begun),
  };
}

async function madeFrom(sight: Sight, request: PlanRequest): Promise<Made> {
  const { yaml, deletes, namespace, snapshot } = request;
  const manifests = yaml.trim() === '' ? [] : manifestsIn('the editor', yaml);
  const asked: JudgedChange = { manifests, deletes, namespace };
  if (snapshot !== undefined) {
    const outcome = judgeOffline(groundOf(parseSnapshot(snapshot, 'the snapshot')), asked);
    return { outcome, asked, request };
  }
  const ground = await sight.ground();
  return { outcome: await judgeLive({ hub: sight.hub, members: sight.members, ground }, asked), asked, request };
}

function groupView(group: Group): EffectGroup {
  const { effectName, when, namespace, policy, clusters, because, templates } = group;
  return {
    effect: effectName,
    when,
    whenText: whenText(group),
    namespace,
    policy,
    clusters,
    because,
    count: templates.length,
    templates: templates.slice(0, mostNamed),
  };
}

function keep(sight: Sight, made: Made): string {
  const plans = lastPlans.get(sight) ?? new Map<string, Made>();
  lastPlans.set(sight, plans);
  const { yaml, deletes, namespace } = made.request;
  const id = createHash('sha256')
    .update(JSON.stringify([yaml, deletes, namespace, sight.revision]))
    .digest('base64url')
    .slice(0, 16);
  plans.delete(id);
  plans.set(id, made);
  for (const old of plans.keys()) if (plans.size > mostPlans) plans.delete(old);
  return id;
}

function planOf(sight: Sight, id: string): Made {
  const made = lastPlans.get(sight)?.get(id);
  if (!made) throw new Refusal(409, 'this plan is no longer there: plan again');
  return made;
}

/** One template of a plan, as `Kind/name`, in every member: before and after all of it has happened. */
export function differenceView(
  sight: Sight,
  id: string,
  named: { readonly namespace: string; readonly name: string },
): readonly DifferenceView[] {
  const { plan, world, apply, deletes } = planOf(sight, id).outcome;
  const found = plan.effects.find(
    ({ template }) =>
      (template.namespace ?? '') === named.namespace && `${template.kind}/${template.name}` === named.name,
  );
  if (!found) throw new Refusal(404, 'the plan has no effect on this template');
  return differencesOf(world, { apply, delete: deletes }, found.template).map(({ member, effect, before, after }) => ({
    cluster: member,
    effect,
    before: before ? textOf(before) : '',
    after: after ? textOf(after) : '',
  }));
}

const textOf = (object: KubeObject): string =>
  isSecret(object) ? shownYaml(contentOf(object)) : yamlOf(contentOf(object));

/** The plan as `sluice plan -o markdown` prints it. */
export function planMarkdown(sight: Sight, id: string): string {
  const { plan, notes } = planOf(sight, id).outcome;
  return markdownOf(plan, notes);
}

/** Makes the change of a plan; each object is written as `sluice apply` writes it. */
export async function applyPlan(sight: Sight, id: string): Promise<readonly string[]> {
  const { outcome, request } = planOf(sight, id);
  if (request.snapshot !== undefined) throw new Refusal(409, 'a plan on a snapshot cannot be applied');
  if (outcome.plan.errors.length > 0) throw new Refusal(422, 'the change would be refused');
  const done: string[] = [];
  for (const manifest of outcome.manifests) {
    const { verdict, after } = await applyOne(sight.hub, manifest, false);
    done.push(`${after.kind}/${after.metadata.name} ${verdict}`);
  }
  for (const ref of outcome.deletes) {
    await sight.hub.client.delete(ref);
    done.push(`${ref.kind}/${ref.name} deleted`);
  }
  sight.touch();
  return done;
}
