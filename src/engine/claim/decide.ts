import { fitAnnotations } from '../../api/index.ts';
import type { Binding, Policy } from '../../api/index.ts';
import { act, rest } from '../decision.ts';
import type { Action, Decision } from '../decision.ts';
import { compareRank } from '../match/index.ts';
import type { Candidate } from '../match/index.ts';
import type { Reason } from '../reasons.ts';
import { soonAfter } from '../times.ts';
import { bindingFor, withPolicySuspension, differsInContent, sameBinding, sizeOf, suspendedBy } from './binding.ts';
import { isClaimedElsewhere, isPropagated, isUnhandled, openRequest, ownsBinding, waitsAt } from './facts.ts';
import type { ClaimFacts } from './facts.ts';
import { fingerprintOf, isFingerprintOf } from './fingerprint.ts';
import { templateCameLast, wasWrittenAfter } from './creation-order.ts';
import { bearsClaimKeys, isLazy, policyIdOf } from './records.ts';
import { claimed, released, releasedBinding, taken } from './writes.ts';

/** The actions of the detector. */
export type ClaimAction = Action<'claim' | 'release' | 'bind'>;

/** Question 1: decides which policy manages this template, and what its binding says. */
export function decideClaim(facts: ClaimFacts): Decision<ClaimAction> {
  const unhandled = isUnhandled(facts);
  const aside = leftAlone(facts);
  if (aside) return isOrphaned(facts) ? release(facts, unhandled) : aside;

  const winner = facts.gates.StaticPolicy ? staticCandidate(facts, unhandled) : rightfulCandidate(facts);
  if (!winner) return withoutPolicy(facts, unhandled);
  if (facts.lackingOverrides.has(winner.policy)) return lackOverrides(facts, winner);
  if (winner !== facts.managing) return moveClaim(facts, winner, unhandled);
  return follow(facts, winner, unhandled);
}

/** Why nothing is made of this template, whatever policies say; undefined when something may be. */
function leftAlone({ template, binding, now }: ClaimFacts): Decision<never> | undefined {
  if (isClaimedElsewhere(template)) return rest('ClaimedElsewhere');
  if (!binding || ownsBinding(template, binding)) return undefined;
  return { ...rest('BindingOfAnother', binding.metadata.name), again: soonAfter(now) };
}

/** True for a template with the claim of a policy that is gone. That one cannot go before the claim has. */
function isOrphaned({ template, managing }: ClaimFacts): boolean {
  return !managing && bearsClaimKeys(template);
}

/** The best candidate, unless another policy manages the template and no candidate may preempt it. */
function rightfulCandidate(facts: ClaimFacts): Candidate | undefined {
  const { candidates, managing } = facts;
  if (!managing) return candidates[0];
  return candidates.find((challenger) => preempts(facts, challenger, managing)) ?? managing;
}

/**
 * Preemption looks at scope and priority only: precision and name never take a template from the policy that manages
 * it. A policy that lacks overrides does not preempt either.
 */
function preempts({ gates, lackingOverrides }: ClaimFacts, challenger: Candidate, managing: Candidate): boolean {
  return (
    gates.PropagationPolicyPreemption &&
    challenger.policy.spec.preemption === 'Always' &&
    !lackingOverrides.has(challenger.policy) &&
    compareRank(challenger.policy, managing.policy) < 0
  );
}

/** Static policies are consulted only while the template is unhandled, and then with a new election (proposal 2). */
function staticCandidate({ candidates, managing }: ClaimFacts, unhandled: boolean): Candidate | undefined {
  return unhandled ? candidates[0] : managing;
}

function withoutPolicy(facts: ClaimFacts, unhandled: boolean): Decision<ClaimAction> {
  if (bearsClaimKeys(facts.template)) return release(facts, unhandled);
  if (facts.binding && bearsClaimKeys(facts.binding)) return act('PolicyGone', releasedBinding(facts.binding));
  if (!isPropagated(facts.template)) return rest('NotATemplate');
  if (facts.candidates.length > 0) return rest('WaitingForTemplateChange');
  return rest(isAhead(facts) ? 'WaitingForPolicy' : 'NoPolicyMatches');
}

/** Tells whether the content of the template differs from the content that its members were last given. */
function isAhead({ template, inEffect }: ClaimFacts): boolean {
  return inEffect !== undefined && !isFingerprintOf(inEffect.template, template);
}

/** The claim goes at once; the binding, its Works and the members keep what they have. */
function release(facts: ClaimFacts, unhandled: boolean): Decision<ClaimAction> {
  const { template, binding } = facts;
  const seen = unhandled ? fingerprintOf(template) : waitsAt(template);
  const actions = [released(template, seen)];
  if (binding && ownsBinding(template, binding) && bearsClaimKeys(binding)) actions.unshift(releasedBinding(binding));
  return act(facts.claimantExists ? 'PolicyNoLongerMatches' : 'PolicyGone', ...actions);
}

/**
 * A claim is one write that carries its intent: under a lazy policy it records the content at which it waits, so that a
 * crash right after it loses nothing and activates nothing. A pending change of the template first goes to the present
 * policy, but under the suspension of the next one: a policy that is there to stop the change must not come too late.
 */
function moveClaim(facts: ClaimFacts, winner: Candidate, unhandled: boolean): Decision<ClaimAction> {
  const waits = isLazy(winner.policy) && !isDueOnClaim(facts, winner, unhandled);
  if (waits && unhandled && facts.managing) {
    const first = follow(facts, facts.managing, unhandled);
    if (first.actions.length > 0) return underSuspensionOf(winner, first);
  }
  const content = waits ? fingerprintOf(facts.template) : undefined;
  const claim = claimed(facts.template, winner.policy, content);
  return hasSpace(claim) ? act(reasonOfMove(facts), claim) : rest('AnnotationsFull', winner.policy.metadata.name);
}

/** No server takes more annotations than fit: the claim would be refused again and again. */
function hasSpace({ write }: ClaimAction): boolean {
  return write.verb === 'delete' || fitAnnotations(write.object.metadata.annotations);
}

function underSuspensionOf({ policy }: Candidate, decision: Decision<ClaimAction>): Decision<ClaimAction> {
  const actions = decision.actions.map((action): ClaimAction => {
    const { do: what, write } = action;
    if (what !== 'bind' || write.verb === 'delete') return action;
    return { ...action, write: { ...write, object: suspendedBy(policy, write.object as Binding) } };
  });
  return { ...decision, actions };
}

function reasonOfMove({ claim, managing }: ClaimFacts): Reason {
  if (managing) return 'Preempted';
  return claim ? 'Rematched' : 'Elected';
}

/**
 * Under a lazy policy only the creation or a change of the template takes effect; a new policy waits. A request covers
 * the state at the time when it was made: a policy that is younger than the request still waits. Static policies are
 * elected because the template has changed, so the policy that preempts is due as well.
 */
function isDueOnClaim(facts: ClaimFacts, { policy }: Candidate, unhandled: boolean): boolean {
  if (!unhandled) return false;
  if (facts.gates.StaticPolicy && facts.managing) return true;
  const asked = openRequest(facts) !== undefined && wasWrittenAfter(facts.template, policy);
  return asked || templateCameLast(facts.template, policy);
}

function follow(facts: ClaimFacts, managing: Candidate, unhandled: boolean): Decision<ClaimAction> {
  const due = unhandled || (!isLazy(managing.policy) && !facts.gates.StaticPolicy);
  if (due && hasLostBinding(facts, managing)) {
    return act('BindingLost', claimed(facts.template, managing.policy, fingerprintOf(facts.template)));
  }
  if (!due) return takeUpSuspension(facts, managing);
  if (lacksPriority(facts, managing)) return lackPriority(facts, managing);
  const { error } = sizeOf(facts.interpreter, facts.template);
  if (error !== undefined) return suspensionTakenOver(facts, managing) ?? rest('InterpreterFailed', error);
  return takeUp(facts, managing, unhandled);
}

/**
 * Tells whether the binding is missing although its policy waits for its templates. Nobody knows then what was pending,
 * so the template waits where it runs.
 */
function hasLostBinding(facts: ClaimFacts, { policy }: Candidate): boolean {
  if (facts.binding || facts.places.length === 0) return false;
  if (!isLazy(policy) && !facts.gates.StaticPolicy) return false;
  return waitsAt(facts.template) === undefined && openRequest(facts) === undefined;
}

/** The binding says what the policy says now. */
function takeUp(facts: ClaimFacts, managing: Candidate, unhandled: boolean): Decision<ClaimAction> {
  const wanted = wantedBinding(facts, managing);
  const actions: ClaimAction[] = [];
  if (!facts.binding || !sameBinding(wanted, facts.binding)) {
    const verb = facts.binding ? 'update' : 'create';
    actions.push({ do: 'bind', write: { verb, object: wanted } });
  }
  if (waitsAt(facts.template) !== undefined) actions.push(taken(facts.template));
  return actions.length ? act(reasonOfTakingUp(facts, managing, unhandled), ...actions) : rest('UpToDate');
}

function reasonOfTakingUp(facts: ClaimFacts, managing: Candidate, unhandled: boolean): Reason {
  if (openRequest(facts)) return 'ActivatedOnRequest';
  const deferring = isLazy(managing.policy) || facts.gates.StaticPolicy;
  return unhandled && deferring && facts.binding ? 'Activated' : 'PolicyEdited';
}

/** Everything in a policy waits for its overrides, except its suspension. */
function lackOverrides(facts: ClaimFacts, { policy }: Candidate): Decision<ClaimAction> {
  return (
    (facts.managing && suspensionTakenOver(facts, facts.managing)) ?? rest('OverridesMissing', policy.metadata.name)
  );
}

/** Tells whether the policy names a PriorityClass that does not exist. */
function lacksPriority({ priorities }: ClaimFacts, { policy }: Candidate): boolean {
  return priorities.has(policy) && priorities.get(policy) === undefined;
}

/** Everything in a policy waits for its PriorityClass, except its suspension. */
function lackPriority(facts: ClaimFacts, managing: Candidate): Decision<ClaimAction> {
  const name = managing.policy.spec.schedulePriority?.priorityClassName;
  return suspensionTakenOver(facts, managing) ?? rest('PriorityClassMissing', `there is no PriorityClass ${name}`);
}

/** Takes over at once the parts of the policy that never wait; undefined when the binding has them. */
function suspensionTakenOver({ binding }: ClaimFacts, managing: Candidate): Decision<ClaimAction> | undefined {
  const suspended = binding && withPolicySuspension(managing.policy, binding);
  if (!suspended || sameBinding(suspended, binding)) return undefined;
  return act('SuspensionChanged', { do: 'bind', write: { verb: 'update', object: suspended } });
}

/** Applies the suspension at once; the rest is pending, if anything differs. */
function takeUpSuspension(facts: ClaimFacts, managing: Candidate): Decision<ClaimAction> {
  const suspended = suspensionTakenOver(facts, managing);
  if (suspended) return suspended;
  if (!facts.binding) return rest('WaitingForTemplateChange');
  if (hasStaleNote(facts)) return act('Activated', taken(facts.template));
  return rest(isPending(facts, managing) ? 'WaitingForTemplateChange' : 'UpToDate');
}

/**
 * A crash between the binding and the template leaves a note to wait at content that is no longer there, or that has
 * been taken up on request. Were the user to go back to that content, it would seem to wait.
 */
function hasStaleNote({ template, claim, inEffect }: ClaimFacts): boolean {
  const noted = waitsAt(template);
  if (noted === undefined || !inEffect || !isFingerprintOf(inEffect.template, template)) return false;
  return !isFingerprintOf(noted, template) || inEffect.policy.id === claim?.id;
}

/** Tells whether the binding lacks something of the policy or of the template. */
function isPending(facts: ClaimFacts, managing: Candidate): boolean {
  const { binding, inEffect } = facts;
  if (!binding || !inEffect || !isFingerprintOf(inEffect.template, facts.template)) return true;
  if (inEffect.policy.id !== policyIdOf(managing.policy)) return true;
  const best = facts.gates.StaticPolicy ? facts.candidates[0] : managing;
  return best !== managing || differsInContent(wantedBinding(facts, managing), binding);
}

function wantedBinding(facts: ClaimFacts, { policy }: Candidate): ReturnType<typeof bindingFor> {
  const { template, binding, inEffect, places, interpreter, bindingName: name, gates } = facts;
  const request = openRequest(facts) ?? inEffect?.request;
  const size = sizeOf(interpreter, template).value;
  const priority = facts.priorities.get(policy) ?? keptPriority(facts, policy);
  const source = { template, policy, size, content: fingerprintOf(template), request, name, places };
  return bindingFor({ ...source, priority, grouped: gates.WorkloadAffinity }, binding);
}

/** The priority of a class that is gone stays until there is another. */
function keptPriority({ binding, priorities }: ClaimFacts, policy: Policy): number | undefined {
  return priorities.has(policy) ? binding?.spec.schedulePriority?.priority : undefined;
}
