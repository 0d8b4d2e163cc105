import { keyOf, policyApi, refOf } from '../../../api/index.ts';
import type { KubeObject, Policy, Ref } from '../../../api/index.ts';
import { placementText, policyKinds, selectorText } from '../../../cli/index.ts';
import { isManagedBy, matchPolicy, priorityOf, suspendedClusters } from '../../../engine/index.ts';
import type { PolicyName, TemplateReport } from '../../../engine/index.ts';
import type { PolicyRow, PolicyView, Rival } from '../../wire.ts';
import { Refusal } from '../guard.ts';
import { shownYaml } from '../secrets.ts';
import type { Picture, Sight } from '../sight.ts';
import { policyId, totalsOf } from './fleet.ts';
import { eventsOf } from './template.ts';

/** All policies: those that rank highest first. */
export function policyRows(picture: Picture): readonly PolicyRow[] {
  const managed = Map.groupBy(picture.report.templates, ({ policy }) => (policy ? policyId(policy) : ''));
  return policiesIn(picture)
    .map((policy) => rowOf(policy, managed.get(policyId(nameOf(policy))) ?? []))
    .sort((a, b) => b.priority - a.priority || (policyId(a.policy) < policyId(b.policy) ? -1 : 1));
}

const policiesIn = ({ snapshot }: Picture): readonly Policy[] =>
  snapshot.objects.filter((object): object is Policy => policyKinds.has(object.kind));

function nameOf({ kind, metadata: { namespace, name } }: KubeObject): PolicyName {
  return { kind, ...(namespace && { namespace }), name };
}

function rowOf(policy: Policy, managed: readonly TemplateReport[]): PolicyRow {
  const { spec } = policy;
  return {
    policy: nameOf(policy),
    priority: priorityOf(policy),
    lazy: spec.activationPreference === 'Lazy',
    suspended: suspendedClusters(spec.suspension) !== undefined,
    preempts: spec.preemption === 'Always',
    placement: placementText(spec.placement),
    selects: spec.resourceSelectors.map(selectorText).join('\n'),
    totals: totalsOf(managed),
  };
}

/** The screen of one policy. */
export async function policyView(sight: Sight, name: PolicyName): Promise<PolicyView> {
  const picture = await sight.picture();
  const { world, report } = picture;
  const policy = world.get(keyOf({ apiVersion: policyApi, ...name })) as Policy | undefined;
  if (!policy) throw new Refusal(404, `there is no ${name.kind} ${name.name}, or you may not see it`);
  const managed = report.templates.filter((one) => one.policy !== null && policyId(one.policy) === policyId(name));
  return {
    row: rowOf(policy, managed),
    yaml: shownYaml(policy),
    rivals: rivalsOf(picture, policy),
    coverage: coverageOf(picture, policy),
    events: eventsOf(sight, (about) => isAbout(about, name)),
  };
}

const isAbout = (about: Ref, { kind, namespace, name }: PolicyName): boolean =>
  about.kind === kind && about.name === name && (about.namespace ?? '') === (namespace ?? '');

/** Policies that select what this one manages, and policies that manage what this one selects. */
function rivalsOf(picture: Picture, policy: Policy): readonly Rival[] {
  const { world, report } = picture;
  const shadows = new Map<string, number>();
  const shadowed = new Map<string, number>();
  const others = policiesIn(picture).filter((other) => other !== policy);
  for (const { template, policy: managing } of report.templates) {
    const object = world.get(keyOf(template));
    if (!object || !managing) continue;
    const isOwn = policyId(managing) === policyId(nameOf(policy));
    const also = isOwn ? others.filter((other) => matchPolicy(other, object).matches) : [];
    for (const other of also) count(shadowed, policyId(nameOf(other)));
    if (!isOwn && matchPolicy(policy, object).matches) count(shadows, policyId(managing));
  }
  const byId = new Map(others.map((other) => [policyId(nameOf(other)), other]));
  const told = (relation: Rival['relation'], counts: ReadonlyMap<string, number>): readonly Rival[] =>
    [...counts].flatMap(([id, templates]) => {
      const other = byId.get(id);
      return other ? [{ policy: nameOf(other), priority: priorityOf(other), templates, relation }] : [];
    });
  return [...told('shadows', shadows), ...told('shadowed', shadowed)].sort((a, b) => b.priority - a.priority);
}

function count(counts: Map<string, number>, id: string): void {
  counts.set(id, (counts.get(id) ?? 0) + 1);
}

/** How much of what the policy selects it manages, by namespace. */
function coverageOf({ world, report }: Picture, policy: Policy): PolicyView['coverage'] {
  const rows = new Map<string, { manages: number; templates: number }>();
  for (const { template } of report.templates) {
    const object = world.get(keyOf(template));
    if (!object || !matchPolicy(policy, object).matches) continue;
    const namespace = template.namespace ?? '';
    const row = rows.get(namespace) ?? { manages: 0, templates: 0 };
    row.templates++;
    if (isManagedBy(object, refOf(policy))) row.manages++;
    rows.set(namespace, row);
  }
  return [...rows].map(([namespace, row]) => ({ namespace, ...row })).sort((a, b) => b.templates - a.templates);
}
