import { keyOf, managedLabel, refOf } from '../../api/index.ts';
import type { KubeObject } from '../../api/index.ts';
import type { Effect, Plan } from '../../engine/index.ts';
import type { Members } from '../members.ts';
import type { MemberObject } from './placed-objects.ts';

/**
 * Objects of other owners that exist where a plan would create something. Works do not list them, so members are asked,
 * each for every kind once.
 */
export async function foreignIn({ effects }: Plan, members: Members): Promise<readonly MemberObject[]> {
  const wanted = new Map<string, Effect[]>();
  for (const effect of effects) {
    // A member that is down cannot be asked.
    if (effect.effect !== 'create' || effect.waitsFor?.includes(effect.cluster)) continue;
    const place = `${effect.cluster}|${effect.template.apiVersion}|${effect.template.kind}`;
    const known = wanted.get(place);
    if (known) known.push(effect);
    else wanted.set(place, [effect]);
  }
  const found = await Promise.all([...wanted.values()].map((created) => existingAmong(created, members)));
  return found.flat();
}

async function existingAmong(created: readonly Effect[], members: Members): Promise<readonly MemberObject[]> {
  const [first] = created;
  if (!first) return [];
  const { cluster: member, template } = first;
  const present = (await members.list(member, template)) ?? [];
  const keys = new Set(created.map((effect) => keyOf(effect.template)));
  return present
    .filter((object) => !isOurs(object) && keys.has(keyOf(refOf(object))))
    .map((object) => ({ member, object }));
}

function isOurs({ metadata }: KubeObject): boolean {
  return metadata.labels?.[managedLabel] === 'true';
}
