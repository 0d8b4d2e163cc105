import { afterEach, beforeEach, expect, it } from 'vitest';
import { keyOf, refOf } from '../../api/index.ts';
import type { KubeObject } from '../../api/index.ts';
import type { Action } from '../../engine/index.ts';
import { HubCache, MemberCaches } from '../../runtime/index.ts';
import { configMap, namespaceOf, openHub } from '../../../test/runtime/kit.ts';
import type { OpenHub } from '../../../test/runtime/kit.ts';
import type { Notice } from './notices.ts';
import { Performer } from './performer.ts';

const work: KubeObject = {
  apiVersion: 'work.karmada.io/v1alpha1',
  kind: 'Work',
  metadata: { namespace: 'karmada-es-member1', name: 'w', uid: 'u', resourceVersion: '7' },
};

let member: OpenHub;
let namespace: string;
let notices: Notice[];
beforeEach(async () => {
  member = await openHub();
  namespace = await namespaceOf(member.client());
  notices = [];
});
afterEach(() => member.close());

/** Sends an object to the member for the sake of the Work, of which `durable` tells when it is durable. */
function send(durable: (object: KubeObject) => Promise<void>): {
  readonly sending: Promise<void>;
  readonly sent: KubeObject;
} {
  const view = new HubCache({ postsOf: () => [] });
  view.put(work);
  const members = new MemberCaches();
  const sent = configMap(namespace);
  const performer = new Performer({
    view,
    hub: { server: member.client(), cache: view, durable },
    memberTarget: (name) => ({ server: member.client(), cache: members.of(name) }),
    notify: (notice) => notices.push(notice),
  });
  const action = { do: 'create', write: { verb: 'create', object: sent, at: 'member1' } } as unknown as Action;
  const doing = { question: 'dispatch', key: keyOf(refOf(work)), action } as const;
  return { sending: performer.perform(doing, new AbortController().signal), sent };
}

const inMember = (object: KubeObject): Promise<KubeObject | undefined> => member.client().find(refOf(object));

it('sends nothing to a member before the state that it follows from is durable', async () => {
  const landed = Promise.withResolvers<void>();
  const asked: (string | undefined)[] = [];
  const { sending, sent } = send((object) => {
    asked.push(object.metadata.resourceVersion);
    return landed.promise;
  });
  expect(await inMember(sent)).toBeUndefined();
  landed.resolve();
  await sending;
  expect([asked, (await inMember(sent))?.metadata.name]).toEqual([['7'], sent.metadata.name]);
});

it('sends nothing when that state never becomes durable, and does not blame the member', async () => {
  const { sending, sent } = send(() => Promise.reject(new Error('no space')));
  await expect(sending).rejects.toThrow('no space');
  expect([await inMember(sent), notices]).toEqual([undefined, []]);
});
