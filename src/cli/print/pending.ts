import type { Ref } from '../../api/index.ts';
import { reasons } from '../../engine/index.ts';
import type { Explanation } from '../../engine/index.ts';
import type { Colours } from './colour.ts';

/**
 * The pending changes, since when at the earliest, and the command that activates them; nothing when none is pending.
 */
export function pendingText(
  template: Ref,
  pending: Explanation['pending'],
  { caution, faint }: Pick<Colours, 'caution' | 'faint'>,
): string {
  if (!pending) return '';
  const { because, since } = pending;
  const time = since ? `, since ${since} at the earliest` : '';
  const step = because === 'WaitingForTemplateChange' || because === 'OverrideWaits' ? `${nextStep(template)}\n` : '';
  return `${caution('pending')}: ${because}${time} ${faint(`(${reasons[because]})`)}\n${step}`;
}

function nextStep({ kind, namespace, name }: Ref): string {
  const place = namespace ? ` -n ${namespace}` : '';
  return `\`sluice reconcile ${kind.toLowerCase()}/${name}${place}\` shows the effects and activates it`;
}
