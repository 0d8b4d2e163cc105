import { ApiError, reconcileAnnotation, refOf } from '../../../src/api/index.ts';
import type { KubeObject } from '../../../src/api/index.ts';
import { appliedTo, remembering } from '../../../src/cli/merge.ts';
import type { ApiClient } from '../../../src/client/index.ts';
import { appliedOver } from '../../../src/engine/index.ts';
import type { Event } from './event.ts';

/** A system on which stories are told: its hub as a user sees it, and its members. */
export interface Place {
  readonly user: ApiClient;
  member(name: string): ApiClient;
}

/** Skips an impossible write: there may be no such object, and admission may refuse. */
async function attempt(write: () => Promise<unknown>): Promise<void> {
  try {
    await write();
  } catch (error) {
    if (!(error instanceof ApiError) || ![403, 404, 409, 422].includes(error.status.code ?? 0)) throw error;
  }
}

/** Does on a live system what an event of a story says, outages aside: those concern all stories that are told there; who remembers applies as kubectl does, with a note on what was applied. */
export async function done(place: Place, event: Event, remembers: boolean): Promise<void> {
  const { user } = place;
  switch (event.do) {
    case 'apply':
      return apply(user, event.object, remembers);
    case 'delete':
      return attempt(() => user.delete(event.ref));
    case 'touch':
    case 'mark':
    case 'request':
      return attempt(() => user.patch(event.ref, patchOf(event), { type: 'merge' }));
    case 'tamper':
      return tamper(place.member(event.member), event);
    case 'status': {
      const status = { status: { observedGeneration: event.value } };
      return attempt(() => user.patch(event.ref, status, { type: 'merge', subresource: 'status' }));
    }
    case 'fleet': {
      const ref = { apiVersion: 'cluster.karmada.io/v1alpha1', kind: 'Cluster', name: event.cluster };
      const change = { ...labelled('zone', event.zone), spec: { taints: event.taints } };
      return attempt(() => user.patch(ref, change, { type: 'merge' }));
    }
    default:
      return (event satisfies Extract<Event, { do: 'reach' | 'wait' }>) && undefined;
  }
}

function patchOf(event: Extract<Event, { do: 'touch' | 'mark' | 'request' }>): object {
  if (event.do === 'request') return { metadata: { annotations: { [reconcileAnnotation]: event.value } } };
  return labelled(event.do === 'touch' ? 'refresh-time' : event.key, event.value);
}

async function apply(user: ApiClient, object: KubeObject, remembers: boolean): Promise<void> {
  const live = await user.find(refOf(object));
  if (!live) return attempt(() => user.create(remembers ? remembering(object) : object));
  const wanted = remembers ? appliedTo(live, remembering(object)) : appliedOver(object, live);
  return attempt(() => user.update(wanted));
}

/** The mark of a change by hand in a member; base64, so that a Secret may carry it, too. */
export const tamperedWord = 'dGFtcGVyZWQ=';

/** Changes what its template has: what only a member has is nobody else's business. */
function tamper(member: ApiClient, { ref, how }: Extract<Event, { do: 'tamper' }>): Promise<void> {
  if (how === 'delete') return attempt(() => member.delete(ref));
  const containers = [{ name: ref.name, image: tamperedWord }];
  const change =
    ref.kind === 'Deployment' ? { spec: { template: { spec: { containers } } } } : { data: { value: tamperedWord } };
  return attempt(() => member.patch(ref, change, { type: 'merge' }));
}

export const labelled = (key: string, value: string): object => ({ metadata: { labels: { [key]: value } } });
