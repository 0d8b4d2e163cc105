import { autoscalerToV1, autoscalerToV2 } from './autoscaler.ts';
import type { KubeObject } from './meta.ts';
import { type Bag, rename } from './rename.ts';

/** Fields of a core Event and what events.k8s.io calls them; all others have one name in both. */
const eventNames: readonly (readonly [core: string, events: string])[] = [
  ['involvedObject', 'regarding'],
  ['message', 'note'],
  ['reportingComponent', 'reportingController'],
  ['source', 'deprecatedSource'],
  ['firstTimestamp', 'deprecatedFirstTimestamp'],
  ['lastTimestamp', 'deprecatedLastTimestamp'],
  ['count', 'deprecatedCount'],
];

const toCoreEvent = new Map(eventNames.map(([core, events]) => [events, core]));
const toEventsEvent = new Map(eventNames);

const conversions: Readonly<Record<string, (object: Bag) => Bag>> = {
  'autoscaling/v1 HorizontalPodAutoscaler': autoscalerToV1,
  'autoscaling/v2 HorizontalPodAutoscaler': autoscalerToV2,
  'v1 Event': (event) => rename(event, toCoreEvent),
  'events.k8s.io/v1 Event': (event) => rename(event, toEventsEvent),
};

/**
 * The same object in another version, or in another group that shares its storage; the object itself when it is in
 * that version already. Other built-in kinds have one version, and versions of custom kinds differ by their name only.
 */
export function convertObject(object: KubeObject, apiVersion: string): KubeObject {
  if (object.apiVersion === apiVersion) return object;
  const convert = conversions[`${apiVersion} ${object.kind}`];
  const converted = convert ? convert(object as unknown as Bag) : object;
  return { ...converted, apiVersion } as KubeObject;
}

/** A field selector of an events.k8s.io Event as the stored core Event knows it; any other label as it is. */
export function storedFieldLabel(apiVersion: string, kind: string, label: string): string {
  if (apiVersion !== 'events.k8s.io/v1' || kind !== 'Event') return label;
  const [head = '', ...rest] = label.split('.');
  return [toCoreEvent.get(head) ?? head, ...rest].join('.');
}
