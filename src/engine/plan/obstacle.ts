import { keyOf } from '../../api/index.ts';
import type { Ref, View } from '../../api/index.ts';
import { bindingRefIn } from '../claim/index.ts';
import type { Decision } from '../decision.ts';
import { reasons } from '../reasons.ts';
import type { Reason } from '../reasons.ts';
import { questions } from '../world/index.ts';

/** Reasons that keep a template from its members until a person does something. */
const obstacles: ReadonlySet<Reason> = new Set([
  'AnnotationsFull',
  'BindingOfAnother',
  'DecisionFailed',
  'InterpreterFailed',
  'OverrideFailed',
  'PriorityClassMissing',
  'QuotaExceeded',
  'Unreadable',
]);

/** Tells whether this decision waits for a person. */
export function isObstacle({ because }: Decision): boolean {
  return obstacles.has(because);
}

/** Explains why a template does not reach its members; undefined when nothing prevents it. */
export function obstacleOf(view: View, template: Ref): string | undefined {
  const object = view.get(keyOf(template));
  if (!object) return undefined;
  const claim = questions.claim(view, keyOf(template));
  if (claim && isObstacle(claim)) return wordsOf(claim);
  const render = questions.render(view, keyOf(bindingRefIn(view, object)));
  return render && isObstacle(render) ? wordsOf(render) : undefined;
}

function wordsOf({ because, detail }: Decision): string {
  return detail === undefined ? `${because}: ${reasons[because]}` : `${because}: ${reasons[because]}: ${detail}`;
}
