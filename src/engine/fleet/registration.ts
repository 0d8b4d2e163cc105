import { agentGroup, memberOfAgent } from '../../api/index.ts';
import type { Cluster } from '../../api/index.ts';
import type { CertificationRequest } from '../../base/index.ts';
import { conditionStatus } from '../conditions.ts';

/** All that the approval of a certificate for an agent depends on. */
export interface RegistrationFacts {
  readonly request: Pick<CertificationRequest, 'commonNames' | 'organizations' | 'otherNames' | 'extensions'>;
  readonly usages: readonly string[];
  /** The user who asks, as the hub has authenticated it. */
  readonly username: string;
  /** The Cluster of the member that the certificate names. */
  readonly cluster: Cluster | undefined;
  /** The member for which the bootstrap token of the user was made; undefined for a token that fits every new member. */
  readonly tokenFor: string | undefined;
  /** The rights of the user: to renew a certificate of its own, and to get the first one of any agent. */
  readonly may: { readonly renew: boolean; readonly register: boolean };
}

/** `ignore`: somebody else decides, or a person. `why` says in words what is in the way. */
export type Registration =
  | { readonly outcome: 'approve'; readonly member: string; readonly message: string }
  | { readonly outcome: 'ignore'; readonly why: string };

const usageSets: ReadonlySet<string> = new Set([
  'client auth,digital signature',
  'client auth,digital signature,key encipherment',
]);

/**
 * May this certificate be issued without a person? An agent renews its own; a bootstrap token gets the first one of a member. A
 * token for any member never gets one of a member that has reported before: it would read what another member was sent.
 */
export function decideRegistration(facts: RegistrationFacts): Registration {
  const member = memberIn(facts);
  if (member === undefined) return ignore('it is not a certificate for an agent');
  if (facts.username === facts.request.commonNames[0])
    return facts.may.renew ? approve(member, 'the agent renews its own certificate') : ignore('the user may not renew');
  if (!facts.may.register) return ignore('the user may not register members');
  const obstacle = whyTaken(facts, member);
  return obstacle === undefined ? approve(member, 'registered with a bootstrap token') : ignore(obstacle);
}

const ignore = (why: string): Registration => ({ outcome: 'ignore', why });
const approve = (member: string, message: string): Registration => ({ outcome: 'approve', member, message });

/** The member whose agent the certificate would name; undefined when it would say anything else, or anything more. */
function memberIn({ request, usages }: RegistrationFacts): string | undefined {
  if (!isPlain(request) || !usageSets.has([...usages].sort().join())) return undefined;
  const member = memberOfAgent(request.commonNames[0] ?? '');
  // Karmada's name for the user who makes roles is no member: such a certificate may do everything.
  return member !== undefined && memberName.test(member) && member !== 'rbac-generator' ? member : undefined;
}

/** One name, in the group of agents, and nothing more. */
function isPlain({ commonNames, organizations, otherNames, extensions }: RegistrationFacts['request']): boolean {
  if (commonNames.length !== 1 || otherNames.length > 0 || extensions.length > 0) return false;
  return organizations.length === 1 && organizations[0] === agentGroup;
}

const memberName = /^[a-z0-9]([-a-z0-9]{0,46}[a-z0-9])?$/;

function whyTaken({ cluster, tokenFor }: RegistrationFacts, member: string): string | undefined {
  if (tokenFor !== undefined && tokenFor !== member) return `the token is for the member ${tokenFor}`;
  if (cluster && cluster.spec.syncMode !== 'Pull') return `${member} is not a Pull member`;
  if (tokenFor === member || !cluster) return undefined;
  return conditionStatus(cluster.status?.conditions, 'Ready') === undefined
    ? undefined
    : `${member} has an agent already: make a token for it with \`sluice token create --cluster ${member}\``;
}
