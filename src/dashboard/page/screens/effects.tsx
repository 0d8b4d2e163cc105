import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import type { ReactNode } from 'react';
import type { DifferenceView, EffectGroup, PlanView } from '../../wire.ts';
import { post } from '../api.ts';
import { Dialog, Empty, Loaded, Marked } from '../parts.tsx';
import { texts } from '../texts.ts';

const Compare = lazy(async () => ({ default: (await import('../compare.tsx')).Compare }));
const { plan } = texts;

/** The effects of a change: totals, what to look at first, and every group of templates. */
export function Effects({
  view,
  error,
  isStale,
}: {
  readonly view: PlanView | undefined;
  readonly error: Error | null;
  readonly isStale: boolean;
}): ReactNode {
  const [looked, look] = useState<readonly [EffectGroup, string]>();
  return (
    <>
      <header>
        <h2>{plan.effects}</h2>
        <span className="faint">{isStale ? plan.planning : view ? plan.took(view.milliseconds) : ''}</span>
      </header>
      <div className={isStale ? 'scrolling stale' : 'scrolling'}>
        {error ? <Advice title={plan.invalid} kind="bad" lines={[error.message]} /> : null}
        {view ? <Told view={view} onLook={(group, name) => look([group, name])} /> : null}
      </div>
      {looked && view ? (
        <Difference plan={view.id} group={looked[0]} name={looked[1]} onClose={() => look(undefined)} />
      ) : null}
    </>
  );
}

function Told({
  view,
  onLook,
}: {
  readonly view: PlanView;
  readonly onLook: (group: EffectGroup, name: string) => void;
}): ReactNode {
  const { errors, warnings, notes, groups, effects } = view;
  return (
    <>
      {errors.length > 0 ? (
        <Advice
          title={plan.refused}
          kind="bad"
          lines={errors.map(({ object, path, message }) => `${object}${path ? ` ${path}` : ''}: ${message}`)}
        />
      ) : (
        <Counts view={view} />
      )}
      {warnings.length > 0 ? (
        <Advice title={plan.warnings} kind="" lines={warnings.map(({ object, message }) => `${object}: ${message}`)} />
      ) : null}
      {notes.length > 0 ? <Advice title={plan.notes} kind="plain" lines={notes} /> : null}
      {errors.length === 0 && effects === 0 ? <Empty title={plan.nothing} help={plan.nothingHelp} /> : null}
      {[...Map.groupBy(groups, ({ namespace }) => namespace)].map(([namespace, own]) => (
        <section key={namespace} aria-label={namespace || plan.clusterWide}>
          <h3 className="namespace">
            <bdi>{namespace || plan.clusterWide}</bdi>
          </h3>
          {own.map((group) => (
            <Group
              key={keyOf(group)}
              group={group}
              why={view.reasons[group.because] ?? ''}
              onLook={(name) => onLook(group, name)}
            />
          ))}
        </section>
      ))}
    </>
  );
}

const keyOf = ({ effect, when, policy, clusters, because, namespace }: EffectGroup): string =>
  [effect, when, policy, clusters, because, namespace].join('|');

function Advice({
  title,
  kind,
  lines,
}: {
  readonly title: string;
  readonly kind: string;
  readonly lines: readonly string[];
}): ReactNode {
  return (
    <section className={`advice ${kind}`} aria-label={title}>
      <h3>{title}</h3>
      <ul>
        {lines.map((line) => (
          <li key={line}>
            <Marked text={line} />
          </li>
        ))}
      </ul>
    </section>
  );
}

const order = ['delete', 'restart', 'move', 'scale', 'update', 'create'] as const;
const heat: Readonly<Record<string, string>> = { delete: 'hot', restart: 'hot', move: 'warm', scale: 'warm' };

/** How many templates get which effect now, and how many wait; danger comes first. */
function Counts({ view }: { readonly view: PlanView }): ReactNode {
  const now = (effect: string): number =>
    sum(
      view.groups.filter((group) => group.effect === effect && (group.when === 'now' || group.when === 'unreachable')),
    );
  const waiting = (when: string): number => sum(view.groups.filter((group) => group.when === when));
  return (
    <div className="counts" data-testid="counts">
      {order.map((effect) => (
        <Count key={effect} value={now(effect)} label={plan.counts[effect] ?? effect} kind={heat[effect] ?? ''} />
      ))}
      {(['pending', 'suspended'] as const).map((when) =>
        waiting(when) > 0 ? (
          <Count key={when} value={waiting(when)} label={plan.waits[when] ?? when} kind="warm" />
        ) : null,
      )}
    </div>
  );
}

const sum = (groups: readonly EffectGroup[]): number => groups.reduce((total, { count }) => total + count, 0);

function Count({
  value,
  label,
  kind,
}: {
  readonly value: number;
  readonly label: string;
  readonly kind: string;
}): ReactNode {
  return (
    <div className={value === 0 ? 'zero' : kind}>
      <b>{value.toLocaleString('en')}</b>
      <span>{label}</span>
    </div>
  );
}

interface GroupProps {
  readonly group: EffectGroup;
  readonly why: string;
  readonly onLook: (name: string) => void;
}

/** Templates with the same effect for the same reason; a single one stands for itself. */
function Group(props: GroupProps): ReactNode {
  const { group, onLook } = props;
  const { count, templates } = group;
  if (count === 1)
    return (
      <div className="group">
        <GroupLine {...props} />
      </div>
    );
  return (
    <details className="group" open={count <= 8}>
      <summary>
        <GroupLine {...props} />
      </summary>
      <ul>
        {templates.map((name) => (
          <li key={name}>
            <Look name={name} onLook={onLook} />
          </li>
        ))}
        {count > templates.length ? <li className="faint">{texts.common.more(count - templates.length)}</li> : null}
      </ul>
    </details>
  );
}

function GroupLine({ group, why, onLook }: GroupProps): ReactNode {
  const { effect, when, whenText, clusters, policy, because, count, templates } = group;
  const [first = ''] = templates;
  return (
    <div className="line">
      <span className={`badge ${effect}`}>{plan.effect[effect] ?? effect}</span>
      <span>
        {count === 1 ? <Look name={first} onLook={onLook} /> : <strong>{texts.common.templates(count)}</strong>}{' '}
        <span className="faint">{plan.onMembers}</span> <bdi>{clusters}</bdi>
        {when === 'now' ? null : <span className="tag caution">{whenText}</span>}
        <span className="why" title={because}>
          {' '}
          · {why}
        </span>
      </span>
      <span className="faint optional">
        <bdi>{policy.replace(/^\w*Policy\//, '')}</bdi>
      </span>
    </div>
  );
}

function Look({ name, onLook }: { readonly name: string; readonly onLook: (name: string) => void }): ReactNode {
  return (
    <button type="button" className="look" title={plan.difference} onClick={() => onLook(name)}>
      <bdi>{name}</bdi>
    </button>
  );
}

/** One template in each member, before and after. */
function Difference({
  plan: id,
  group,
  name,
  onClose,
}: {
  readonly plan: string;
  readonly group: EffectGroup;
  readonly name: string;
  readonly onClose: () => void;
}): ReactNode {
  const query = useQuery<readonly DifferenceView[]>({
    queryKey: ['difference', id, group.namespace, name],
    queryFn: ({ signal }) => post('difference', { plan: id, namespace: group.namespace, name }, signal),
  });
  return (
    <Dialog title={`${plan.difference}: ${name}`} onClose={onClose} wide>
      <div className="body">
        <p className="faint">{plan.differenceHelp}</p>
        <Loaded query={query}>{(views) => <Views views={views} />}</Loaded>
      </div>
    </Dialog>
  );
}

function Views({ views }: { readonly views: readonly DifferenceView[] }): ReactNode {
  const [at, choose] = useState(0);
  const chosen = views[at];
  if (!chosen) return <Empty title={plan.nothing} />;
  return (
    <>
      <div className="tabs" role="group" aria-label={plan.difference}>
        {views.map(({ cluster, effect }, i) => (
          <button key={cluster} type="button" aria-pressed={i === at} onClick={() => choose(i)}>
            <bdi>{cluster}</bdi> <span className={`badge ${effect}`}>{plan.effect[effect] ?? effect}</span>
          </button>
        ))}
      </div>
      <Suspense fallback={<div className="compare" />}>
        <Compare key={at} before={chosen.before} after={chosen.after} />
      </Suspense>
    </>
  );
}
