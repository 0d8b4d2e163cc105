import type { KubeObject, LabelAnnotationOverrider, Overriders } from '../../api/index.ts';
import { OverrideFailure } from './failure.ts';
import { withDocument } from './document.ts';
import { withWords } from './containers.ts';
import { withImages } from './image.ts';
import { changedAt } from './pointer.ts';

type Apply = (object: KubeObject) => KubeObject;

/** The object after all overriders of a rule: image, command, args, labels, annotations, field, plaintext, each list in its order. */
export function withOverriders(object: KubeObject, overriders: Overriders): KubeObject {
  const steps: readonly (readonly [name: string, apply: Apply])[] = [
    ...listed('imageOverrider', overriders.imageOverrider, withImages),
    ...listed('commandOverrider', overriders.commandOverrider, (it, one) => withWords(it, 'command', one)),
    ...listed('argsOverrider', overriders.argsOverrider, (it, one) => withWords(it, 'args', one)),
    ...listed('labelsOverrider', overriders.labelsOverrider, (it, one) => withKeys(it, 'labels', one)),
    ...listed('annotationsOverrider', overriders.annotationsOverrider, (it, one) => withKeys(it, 'annotations', one)),
    ...listed('fieldOverrider', overriders.fieldOverrider, withDocument),
    ['plaintext', (it) => changedAt(it, overriders.plaintext ?? [])],
  ];
  return steps.reduce((changed, [name, apply]) => attempted(name, () => apply(changed)), object);
}

function listed<T>(
  name: string,
  list: readonly T[] | undefined,
  apply: (object: KubeObject, one: T) => KubeObject,
): readonly (readonly [string, Apply])[] {
  return (list ?? []).map((one, i) => [`${name}[${i}]`, (object) => apply(object, one)]);
}

function attempted(name: string, apply: () => KubeObject): KubeObject {
  try {
    return apply();
  } catch (error) {
    if (error instanceof OverrideFailure) throw new OverrideFailure(`${name}: ${error.message}`);
    throw error;
  }
}

/** Labels or annotations of the object itself. `replace` and `remove` change only the keys that are there. */
function withKeys(
  object: KubeObject,
  field: 'labels' | 'annotations',
  { operator, value = {} }: LabelAnnotationOverrider,
): KubeObject {
  const keys: Record<string, string> = { ...object.metadata[field] };
  for (const key of Object.keys(value)) {
    if (operator !== 'add' && !Object.hasOwn(keys, key)) continue;
    if (operator === 'remove') delete keys[key];
    else keys[key] = value[key] ?? '';
  }
  return { ...object, metadata: { ...object.metadata, [field]: keys } };
}
