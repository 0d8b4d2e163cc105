import { hasReason, selectsLabels } from '../api/index.ts';
import type { Objects } from '../api/index.ts';
import { equal } from '../base/index.ts';
import type { ClusterRole } from './bootstrap.ts';
import { rbacResources } from './rbac.ts';
import { Waking } from './waking.ts';
import type { Writer } from './writer.ts';

/** The rules that an aggregating role should have: those of every role that its selectors name, each once, in the order of their names. */
export function aggregatedRules(role: ClusterRole, all: Iterable<ClusterRole>): readonly unknown[] {
  const selectors = role.aggregationRule?.clusterRoleSelectors ?? [];
  const chosen = [...all]
    .filter((other) => other.metadata.name !== role.metadata.name)
    .filter((other) => selectors.some((selector) => selectsLabels(selector, other.metadata.labels)))
    .sort((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
  const rules: unknown[] = [];
  for (const rule of chosen.flatMap((other) => other.rules ?? []))
    if (!rules.some((known) => equal(known, rule))) rules.push(rule);
  return rules;
}

/** Keeps the rules of cluster roles with an aggregationRule equal to those of the roles that they select. */
export function startAggregation(objects: Objects, writer: Writer, onError: (error: unknown) => void): Waking {
  const roles = new Map<string, ClusterRole>();
  const loop = new Waking({ work: () => aggregateAll(roles, writer), onError, onStop: () => unfollow() });
  const unfollow = objects.follow(rbacResources.clusterRoles, ({ before, after }) => {
    if (after) roles.set(after.metadata.name, after);
    else if (before) roles.delete(before.metadata.name);
    loop.wake();
  });
  return loop;
}

async function aggregateAll(roles: ReadonlyMap<string, ClusterRole>, writer: Writer): Promise<void> {
  for (const role of roles.values()) {
    if (!role.aggregationRule?.clusterRoleSelectors?.length) continue;
    const rules = aggregatedRules(role, roles.values());
    if (equal(rules, role.rules ?? [])) continue;
    try {
      await writer.replace(rbacResources.clusterRoles, { ...role, rules } as ClusterRole);
    } catch (error) {
      // Somebody else was faster; their change has woken us again.
      if (!hasReason(error, 'Conflict') && !hasReason(error, 'NotFound')) throw error;
    }
  }
}
