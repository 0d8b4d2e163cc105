import type { KubeObject, Ref } from '../../../src/api/index.ts';
import { isTemplateKind } from '../../../src/engine/index.ts';
import type { Step, Story } from './anything.ts';
import type { Event } from './event.ts';

const copies = ['-b', '-c'] as const;

/** The same story with company: what happens to a template happens to two others beside it. */
export function crowded(story: Story): Story {
  return { ...story, steps: story.steps.flatMap(withCompany) };
}

function withCompany({ event, pause }: Step): readonly Step[] {
  const others = copies.flatMap((suffix) => copyOf(event, suffix) ?? []);
  return [...others.map((copy): Step => ({ event: copy, pause: 'goOn' })), { event, pause }];
}

function copyOf(event: Event, suffix: string): Event | undefined {
  if (event.do === 'apply') {
    if (!isTemplateKind(event.object) || event.object.kind === 'Namespace') return undefined;
    return { ...event, object: renamed(event.object, suffix) };
  }
  if (!('ref' in event) || !isTemplateKind(event.ref) || event.ref.kind === 'Namespace') return undefined;
  const ref: Ref = { ...event.ref, name: event.ref.name + suffix };
  return { ...event, ref };
}

function renamed(object: KubeObject, suffix: string): KubeObject {
  return { ...object, metadata: { ...object.metadata, name: object.metadata.name + suffix } };
}
