import { appliedClusterOverridesAnnotation, appliedOverridesAnnotation, memberOfNamespace } from '../../api/index.ts';
import type { KubeObject } from '../../api/index.ts';
import { equal } from '../../base/index.ts';
import { writtenBy } from '../controller.ts';
import type { ControllerDefinition, EventRule, PerformedAction } from '../controller.ts';

/** The notes of a Work about the override policies that were applied to it, as texts. */
function overrideNotes(work: KubeObject | undefined): readonly string[] {
  const { annotations } = work?.metadata ?? {};
  return [appliedClusterOverridesAnnotation, appliedOverridesAnnotation].flatMap((key) => annotations?.[key] ?? []);
}

/** Tells whether the Work names other applied overrides than before. */
function isOverriddenAnew(done: PerformedAction): boolean {
  if (done.error !== undefined) return false;
  const now = overrideNotes(writtenBy(done));
  return now.length > 0 && !equal(now, overrideNotes(done.before));
}

/** Names the override policies that were applied, and the member. */
function overridesText(done: PerformedAction): string {
  const work = writtenBy(done);
  const notes = overrideNotes(work).flatMap((text) => JSON.parse(text) as readonly { readonly policyName: string }[]);
  const names = [...new Set(notes.map(({ policyName }) => policyName))];
  return `applied for ${memberOfNamespace(work?.metadata.namespace)}: ${names.join(', ')}`;
}

const isBroken = ({ decision }: PerformedAction): boolean => decision.because === 'OverrideFailed';

const overridePolicies = {
  stem: 'ApplyOverridePolicy',
  on: ['binding', 'template'],
  meaning: 'overrides were applied for a member, or one of them cannot be applied',
  component: 'override-manager',
} as const satisfies EventRule;

/** Question 3: which Works, with which overrides? */
export const binder: ControllerDefinition<'render'> = {
  name: 'binder',
  question: 'render',
  workers: 6,
  urgentWorkers: 4,
  concurrent: ['render', 'remove'],
  source: { component: 'binding-controller', cluster: 'cluster-resource-binding-controller' },
  events: {
    render: [
      { stem: 'SyncWork', on: ['binding', 'template'], meaning: 'a Work follows its binding' },
      { ...overridePolicies, when: isOverriddenAnew, message: overridesText },
    ],
    record: [],
    report: [{ ...overridePolicies, when: isBroken, fails: isBroken }],
    remove: [
      {
        stem: 'CleanupWork',
        on: ['binding'],
        meaning: 'a Work that is not needed cannot be deleted',
        onlyFailures: true,
      },
    ],
    finalize: [],
    restore: [],
    accept: [],
  },
};
