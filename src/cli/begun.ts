import { keyOf, reconcileAnnotation, refOf } from '../api/index.ts';
import type { KubeObject } from '../api/index.ts';
import { bindingOf, inEffectOf, isPropagated, reportOn } from '../engine/index.ts';
import type { TemplateReport, World } from '../engine/index.ts';
import type { Activation } from './activation.ts';
import { nameOf } from './change.ts';
import { Failure } from './failure.ts';
import { counted } from './print/output.ts';

/**
 * A template that an earlier run began and that is not in effect and healthy everywhere. All of it is read from the hub, so that
 * anybody can go on from any machine.
 */
export interface Begun extends Activation {
  /** Where it is unhealthy, and in which words; undefined while it is on its way, or is refused. */
  readonly trouble?: string;
}

/** The templates that earlier runs began and that are not in effect and healthy everywhere. */
export function begunIn(world: World): readonly Begun[] {
  const found: Begun[] = [];
  for (const [key, object] of world.entries()) {
    const isOfHub = !key.startsWith('@') && isPropagated(object);
    const begun = isOfHub ? begunOf(world, object) : undefined;
    if (begun) found.push(begun);
  }
  return found;
}

function begunOf(world: World, template: KubeObject): Begun | undefined {
  const request = template.metadata.annotations?.[reconcileAnnotation];
  const binding = bindingOf(world, template);
  if (request === undefined || inEffectOf(binding)?.request !== request) return undefined;
  const report = reportOn(world, template);
  const trouble = troubleOf(report);
  if (trouble === undefined && report.state !== 'progressing' && report.state !== 'failing') return undefined;
  const members = report.clusters.map(({ name }) => name);
  return { template, request, members, healthy: true, ...(trouble !== undefined && { trouble }) };
}

function troubleOf({ clusters }: TemplateReport): string | undefined {
  const sick = clusters.find(
    ({ state, health }) => state === 'unhealthy' || (state === 'progressing' && health === 'Unhealthy'),
  );
  return sick && `${sick.name}: ${sick.message ?? 'is not healthy'}`;
}

/** The change that a request is part of: a policy in one version. Requests for the same change share it. */
function changeOf({ request }: Activation): string {
  return request.split('#', 1)[0] ?? request;
}

/**
 * The begun templates that a run has to look at: those that it is about, and those that took up the same change. A
 * template that has something pending again is left out: the run itself is what may help it.
 */
export function concerning(
  begun: readonly Begun[],
  activations: readonly Activation[],
  isWanted: (template: KubeObject) => boolean,
): readonly Begun[] {
  const again = new Set(activations.map(({ template }) => keyOf(refOf(template))));
  const changes = new Set(activations.map(changeOf));
  return begun.filter(
    (one) => !again.has(keyOf(refOf(one.template))) && (isWanted(one.template) || changes.has(changeOf(one))),
  );
}

/** Number of templates that are named. */
const named = 5;

/** Refuses to begin more while templates of an earlier run are unhealthy. */
export function refuseUnhealthy(begun: readonly Begun[]): void {
  const sick = begun.filter(({ trouble }) => trouble !== undefined);
  if (sick.length === 0) return;
  const names = sick.slice(0, named).map(({ template, trouble }) => `${nameOf(refOf(template))} (${trouble})`);
  const more = sick.length > named ? ` and ${sick.length - named} more` : '';
  const verb = sick.length === 1 ? 'is' : 'are';
  throw new Failure(
    `nothing was done: ${counted(sick.length, 'template')} of an earlier run ${verb} unhealthy: ${names.join(', ')}${more}. ` +
      'Fix the error, then run the command again; --skip-unhealthy goes on without them.',
  );
}
