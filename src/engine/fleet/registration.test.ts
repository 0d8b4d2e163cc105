import { expect, test } from 'vitest';
import type { Cluster } from '../../api/index.ts';
import { memberCluster } from '../../../test/kit/objects.ts';
import { decideRegistration } from './registration.ts';
import type { RegistrationFacts } from './registration.ts';

const agent = 'system:karmada:agent:edge';
const plain = { commonNames: [agent], organizations: ['system:karmada:agents'], otherNames: [], extensions: [] };
const facts: RegistrationFacts = {
  request: plain,
  usages: ['digital signature', 'client auth'],
  username: 'system:bootstrap:abcdef',
  cluster: undefined,
  tokenFor: undefined,
  may: { renew: false, register: true },
};
const reported = memberCluster('edge', { syncMode: 'Pull' });
const fresh: Cluster = { ...reported, status: {} };
const named = (commonName: string): RegistrationFacts['request'] => ({ ...plain, commonNames: [commonName] });

test.each<[string, Partial<RegistrationFacts>, boolean]>([
  ['a new member', {}, true],
  ['a new member whose Cluster was made', { cluster: fresh }, true],
  ['a member that has reported', { cluster: reported }, false],
  ['a member that has reported, with a token for it', { cluster: reported, tokenFor: 'edge' }, true],
  ['a member for which the token is not', { tokenFor: 'shop' }, false],
  ['a Push member, even with a token for it', { cluster: memberCluster('edge'), tokenFor: 'edge' }, false],
  ['a user without the right', { may: { renew: true, register: false } }, false],
  ['an agent about itself', { username: agent, cluster: reported, may: { renew: true, register: false } }, true],
  ['an agent about itself that may not', { username: agent, may: { renew: false, register: true } }, false],
  ['an agent about another', { username: 'system:karmada:agent:b', may: { renew: true, register: false } }, false],
  ['further usages', { usages: ['client auth', 'digital signature', 'server auth'] }, false],
  ['further names', { request: { ...plain, commonNames: [agent, 'root'] } }, false],
  ['further parts of the subject', { request: { ...plain, otherNames: ['2.5.4.6'] } }, false],
  ['further groups', { request: { ...plain, organizations: [...plain.organizations, 'system:masters'] } }, false],
  ['other addresses', { request: { ...plain, extensions: ['2.5.29.17'] } }, false],
  ['the user that makes roles', { request: named('system:karmada:agent:rbac-generator') }, false],
  ['a name that no member can have', { request: named('system:karmada:agent:A/b') }, false],
  ['another user', { request: named('jane') }, false],
])('a certificate for %s', (_, words, isApproved) => {
  expect(decideRegistration({ ...facts, ...words }).outcome).toBe(isApproved ? 'approve' : 'ignore');
});
