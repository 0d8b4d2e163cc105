import * as fc from 'fast-check';
import type { KubeObject, Policy, Ref } from '../../../src/api/index.ts';
import { isTemplateKind } from '../../../src/engine/index.ts';
import type { ProposedChange } from '../../../src/engine/index.ts';
import { policies, stories } from './anything.ts';
import type { Step, Story, Vocabulary } from './anything.ts';
import type { Event } from './event.ts';
import type { Proposal } from './proposal.ts';

const parts = [
  'placement',
  'placement',
  'priority',
  'preemption',
  'activationPreference',
  'suspension',
  'excludedResources',
  'preserveResourcesOnDeletion',
  'resourceSelectors',
] as const;

/** A story about templates in company, and an edit of one of its policies: what happens to a template happens to a second one beside it, and to a third one most of the time. */
export function edits(words: Vocabulary): fc.Arbitrary<Proposal> {
  return fc
    .record({
      story: stories(words, 4),
      apart: fc.infiniteStream(fc.nat(4).map((lot) => lot === 0)),
      lot: fc.nat(20),
      fresh: policies(words),
      edited: fc.subarray([...parts], { minLength: 1, maxLength: 3 }),
      gone: fc.nat(9).map((lot) => lot === 0),
    })
    .map(({ story, apart, lot, fresh, edited, gone }) => ({
      story: { ...story, steps: story.steps.flatMap((step) => withCompany(step, apart.next().value)) },
      change: changeOf(chosen(story, lot) ?? fresh, { fresh, edited, gone }),
    }));
}

function chosen({ steps }: Story, lot: number): Policy | undefined {
  const applied = steps.flatMap(({ event }) => (event.do === 'apply' ? [event.object] : []));
  const found = applied.filter(({ kind }) => kind.endsWith('PropagationPolicy'));
  return found[lot % Math.max(1, found.length)] as Policy | undefined;
}

interface Wish {
  readonly fresh: Policy;
  readonly edited: readonly (keyof Policy['spec'])[];
  readonly gone: boolean;
}

function changeOf(policy: Policy, { fresh, edited, gone }: Wish): ProposedChange {
  const { apiVersion, kind, metadata } = policy;
  const { name, namespace } = metadata;
  if (gone) return { delete: [{ apiVersion, kind, name, ...(namespace && { namespace }) }] };
  const spec = { ...policy.spec, ...Object.fromEntries(edited.map((part) => [part, fresh.spec[part]])) };
  return { apply: [{ ...policy, spec } as Policy] };
}

function withCompany({ event, pause }: Step, apart: boolean): readonly Step[] {
  const others = (apart ? ['-b'] : ['-b', '-c']).flatMap((suffix) => copyOf(event, suffix) ?? []);
  return [...others.map((copy): Step => ({ event: copy, pause: 'goOn' })), { event, pause }];
}

function copyOf(event: Event, suffix: string): Event | undefined {
  if (event.do === 'apply')
    return isCopied(event.object) ? { ...event, object: renamed(event.object, suffix) } : undefined;
  if (!('ref' in event) || !isCopied(event.ref)) return undefined;
  const ref: Ref = { ...event.ref, name: event.ref.name + suffix };
  return { ...event, ref };
}

const isCopied = (object: KubeObject | Ref): boolean => isTemplateKind(object) && object.kind !== 'Namespace';

function renamed(object: KubeObject, suffix: string): KubeObject {
  return { ...object, metadata: { ...object.metadata, name: object.metadata.name + suffix } };
}
