import { keyOf, refOf } from '../../api/index.ts';
import type { Binding, KubeObject, Policy, Ref, View } from '../../api/index.ts';
import { claimOf, decideClaim, gatherClaim, ownsBinding, policyIdOf } from '../claim/index.ts';
import type { ClaimFacts } from '../claim/index.ts';
import { isSpread } from '../fleet/index.ts';
import { suspensionsOf, suspensionsOn } from '../suspension/index.ts';
import { eachPolicy, matchPolicy, whyLost } from '../match/index.ts';
import type { Candidate } from '../match/index.ts';
import type { Reason } from '../reasons.ts';
import { gatherSchedule, verdicts } from '../schedule/index.ts';
import { isHidden, nothingHidden } from '../report/hidden.ts';
import type { Hidden } from '../report/hidden.ts';
import { specTimeOf } from '../times.ts';
import type { PolicyName } from './effects.ts';
import { explainOverrides, pendingOverride } from './explain-overrides.ts';
import type { OverrideVerdict } from './explain-overrides.ts';
import { waitingReasons } from './waits.ts';

/** How one policy stands to the template. */
export interface CandidateVerdict {
  readonly policy: PolicyName;
  readonly outcome: 'holds' | 'lost' | 'excluded' | 'noMatch';
  readonly because: Reason;
  readonly detail?: string;
}

/** Why a cluster was chosen, or not. */
export interface ClusterVerdict {
  readonly name: string;
  readonly chosen: boolean;
  readonly because: Reason;
  readonly detail?: string;
}

/** Everything there is to say about one template; the value that `sluice explain -o json` prints. */
export interface Explanation {
  readonly apiVersion: 'sluice.dev/v1';
  readonly kind: 'Explanation';
  readonly template: Ref;
  readonly holder: PolicyName | null;
  readonly candidates: readonly CandidateVerdict[];
  readonly clusters: readonly ClusterVerdict[];
  readonly pending: { readonly because: Reason; readonly since: string | null } | null;
  readonly suspended: readonly {
    readonly cluster: string;
    readonly by: string;
    readonly reason?: string;
    readonly owner?: string;
    readonly until?: string;
  }[];
  /** Override policies that have to do with the template; absent when there are none. */
  readonly overrides?: readonly OverrideVerdict[];
  /** Kinds that the caller may not list, so that more may be true than is said here. */
  readonly hidden?: readonly string[];
}

/**
 * Which policy manages this template, which lost and by which rule, why these clusters, why not the others? Where the
 * policy is hidden from the caller, the claim that is recorded on the template names it.
 */
export function explain(view: View, ref: Ref, hidden: Hidden = nothingHidden): Explanation | undefined {
  const facts = gatherClaim(view, keyOf(ref));
  if (!facts) return undefined;
  const decision = decideClaim(facts);
  const overrides = explainOverrides(view, facts.template, ownBinding(facts));
  const unseen = decisive.filter((plural) => isHidden(hidden, plural, facts.template.metadata.namespace));
  return {
    apiVersion: 'sluice.dev/v1',
    kind: 'Explanation',
    template: refOf(facts.template),
    holder: facts.managing ? nameOf(facts.managing.policy) : unseenManagingPolicy(facts.template, unseen),
    candidates: candidatesOf(view, facts, decision.because),
    clusters: unseen.includes('clusters') ? placedOf(facts.binding) : clustersOf(view, facts.binding),
    pending: pendingOf(view, facts, decision.because),
    suspended: suspendedOf(view, facts),
    ...(overrides.length > 0 && { overrides }),
    ...(unseen.length > 0 && { hidden: unseen }),
  };
}

/** The change that waits for the template's next change: of its policy, or else of an override. */
function pendingOf(view: View, facts: ClaimFacts, because: Reason): Explanation['pending'] {
  if (waitingReasons.has(because)) return { because, since: sinceOf(facts.managing?.policy) };
  return pendingOverride(view, facts.template, ownBinding(facts)) ?? null;
}

function ownBinding({ template, binding }: ClaimFacts): Binding | undefined {
  return binding && ownsBinding(template, binding) ? binding : undefined;
}

/** The kinds without which an explanation is not whole. */
const decisive = [
  'propagationpolicies',
  'clusterpropagationpolicies',
  'resourcebindings',
  'clusterresourcebindings',
  'clusters',
];

/** The policy that the template itself names, when the caller may not see it. */
function unseenManagingPolicy(template: KubeObject, unseen: readonly string[]): PolicyName | null {
  const claim = claimOf(template);
  if (!claim || !unseen.includes(claim.family.plural)) return null;
  const { family, name, namespace } = claim;
  return { kind: family.kind, ...(namespace && { namespace }), name };
}

/** The clusters that a binding names, for a caller who may not see clusters. */
function placedOf(binding: Binding | undefined): readonly ClusterVerdict[] {
  return (binding?.spec.clusters ?? []).map(({ name, replicas }) => ({
    name,
    chosen: true,
    because: 'Chosen',
    ...(replicas !== undefined && { detail: `${replicas} replica${replicas === 1 ? '' : 's'}` }),
  }));
}

function nameOf({ kind, metadata }: Policy): PolicyName {
  const { namespace, name } = metadata;
  return { kind, ...(namespace && { namespace }), name };
}

/** A change that waits has waited no longer than since somebody last wrote the policy. */
function sinceOf(policy: Policy | undefined): string | null {
  return (policy && specTimeOf(policy)) || null;
}

/** Policies of other kinds and namespaces are passed over: they never had anything to do with it. */
const unrelated: ReadonlySet<Reason> = new Set(['KindDiffers', 'OutOfScope']);

function candidatesOf(view: View, facts: ClaimFacts, because: Reason): readonly CandidateVerdict[] {
  const found: CandidateVerdict[] = [];
  eachPolicy(view, (policy) => {
    const verdict = verdictOn(policy, facts, because);
    if (verdict) found.push(verdict);
  });
  const order = { holds: 0, lost: 1, excluded: 2, noMatch: 3 } as const;
  const ranks = new Map(facts.candidates.map(({ policy }, i) => [policy.metadata.name, i]));
  const rank = ({ policy }: CandidateVerdict): number => ranks.get(policy.name) ?? ranks.size;
  return found.sort(
    (a, b) => order[a.outcome] - order[b.outcome] || rank(a) - rank(b) || (a.policy.name < b.policy.name ? -1 : 1),
  );
}

function verdictOn(policy: Policy, facts: ClaimFacts, because: Reason): CandidateVerdict | undefined {
  const candidate = facts.candidates.find((other) => other.policy === policy);
  if (candidate) return candidateVerdict(candidate, facts, because);
  const match = matchPolicy(policy, facts.template);
  if (match.matches)
    return policyIdOf(policy) ? undefined : { policy: nameOf(policy), outcome: 'noMatch', because: 'PolicyWithoutId' };
  if (unrelated.has(match.because)) return undefined;
  const outcome = match.because === 'Excluded' ? 'excluded' : 'noMatch';
  return { policy: nameOf(policy), outcome, because: match.because, ...(match.detail && { detail: match.detail }) };
}

/** `because` is the reason of the decision: the best candidate does not manage the template yet for that very reason. */
function candidateVerdict(candidate: Candidate, facts: ClaimFacts, because: Reason): CandidateVerdict {
  const { managing: holder, candidates, lackingOverrides } = facts;
  const policy = nameOf(candidate.policy);
  if (candidate === holder) return { policy, outcome: 'holds', because: 'Manages' };
  if (lackingOverrides.has(candidate.policy)) return { policy, outcome: 'lost', because: 'OverridesMissing' };
  const winner = holder ?? candidates[0];
  if (!winner || winner === candidate) return { policy, outcome: 'lost', because };
  const outranks = candidates.indexOf(candidate) < candidates.indexOf(winner);
  const detail = `${winner.policy.kind}/${winner.policy.metadata.name}`;
  return { policy, outcome: 'lost', because: outranks ? 'DoesNotPreempt' : whyLost(candidate, winner), detail };
}

function clustersOf(view: View, binding: Binding | undefined): readonly ClusterVerdict[] {
  const facts = binding && gatherSchedule(view, keyOf(refOf(binding)));
  if (!facts) return [];
  return verdicts(facts).map(({ cluster, chosen, because, detail }) => ({
    name: cluster,
    chosen,
    because,
    ...(detail && { detail }),
  }));
}

function suspendedOf(view: View, { binding, template }: ClaimFacts): Explanation['suspended'] {
  if (!binding && !isSpread(template)) return [];
  const suspensions = suspensionsOf(view, binding, template);
  return view.clusters.flatMap(({ metadata: { name: cluster } }) =>
    suspensionsOn(suspensions, cluster).map(({ by, reason, owner, until }) => ({
      cluster,
      by,
      ...(reason && { reason }),
      ...(owner && { owner }),
      ...(until && { until }),
    })),
  );
}
