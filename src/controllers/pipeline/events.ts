import { keyOf } from '../../api/index.ts';
import type { Binding, KubeObject, View } from '../../api/index.ts';
import { bindingKeyOf, bindingOf } from '../../engine/index.ts';
import type { ControllerDefinition, EventRule, ObjectEvent, PerformedAction, Subjects } from '../controller.ts';
import { messageOf } from '../messages.ts';
import { controllers } from './controllers.ts';

/** The events of one performed action, as the controller of its question defines them. */
export function eventsOf(view: View, done: PerformedAction): readonly ObjectEvent[] {
  const definition = controllers[done.question];
  const rules = (definition.events as Readonly<Record<string, readonly EventRule[]>>)[done.action.do] ?? [];
  const others = definition.otherEvents?.of;
  if (rules.length === 0 && !others) return [];
  const subjects = subjectsOf(view, done);
  const component = componentOf(definition, subjects.binding);
  const paired = rules.flatMap((rule) => eventsBy(rule, done, subjects));
  return [...paired.map((event) => ({ component, ...event })), ...(others?.(view, done, subjects) ?? [])];
}

function subjectsOf(view: View, { key, question }: PerformedAction): Subjects {
  const object = view.get(key);
  if (!object) return {};
  if (question === 'claim') return present({ template: object, binding: bindingOf(view, object) });
  if (question === 'cluster') return { cluster: object };
  if (question === 'quota') return { quota: object };
  const work = object.kind === 'Work' ? object : undefined;
  const binding = (work ? view.get(bindingKeyOf(work) ?? '') : object) as Binding | undefined;
  return present({ work, binding, template: binding?.spec.resource && view.get(keyOf(binding.spec.resource)) });
}

function present(subjects: Record<string, KubeObject | undefined>): Subjects {
  return Object.fromEntries(Object.entries(subjects).filter(([, object]) => object !== undefined));
}

function componentOf({ source }: Pick<ControllerDefinition, 'source'>, binding: KubeObject | undefined): string {
  if (!source) return 'sluice';
  return (binding?.kind === 'ClusterResourceBinding' ? source.cluster : undefined) ?? source.component;
}

function eventsBy(
  rule: EventRule,
  done: PerformedAction,
  subjects: Subjects,
): readonly (Omit<ObjectEvent, 'component'> & Partial<Pick<ObjectEvent, 'component'>>)[] {
  const failed = done.error !== undefined || rule.fails?.(done) === true;
  if ((rule.onlyFailures && !failed) || rule.when?.(done) === false) return [];
  const { stem, message = messageOf } = rule;
  const outcome = failed
    ? ({ type: 'Warning', reason: `${stem}Failed`, message: messageOf(done) } as const)
    : ({ type: 'Normal', reason: `${stem}Succeed`, message: message(done) } as const);
  return rule.on.flatMap((subject) => {
    const object = subjects[subject];
    return object ? [{ object, ...outcome, ...(rule.component && { component: rule.component }) }] : [];
  });
}
