import { useState } from 'react';
import type { ReactNode } from 'react';
import { Link, useSearch } from 'wouter';
import type { PolicyView } from '../../wire.ts';
import { queryOf, useLive } from '../api.ts';
import { Empty, Loaded, Meter, Panel, PolicyLink, States, Title } from '../parts.tsx';
import { texts } from '../texts.ts';
import { ActivateDialog, SuspendDialog } from './actions.tsx';
import { EventList } from './events.tsx';
import { Lines, Marks } from './policies.tsx';

const { policies, common, waiting, resource } = texts;

/** One policy: what it manages, who else wants that, and what became of it. */
export function Policy(): ReactNode {
  const search = useSearch();
  const query = useLive<PolicyView>(`policy?${search}`);
  return <Loaded query={query}>{(view) => <Screen view={view} search={search} />}</Loaded>;
}

function Screen({ view, search }: { readonly view: PolicyView; readonly search: string }): ReactNode {
  const { row, yaml, events } = view;
  const { policy, totals } = row;
  const id = `${policy.kind}/${policy.namespace ?? ''}/${policy.name}`;
  return (
    <>
      <Title
        lead={
          <>
            {policy.kind}
            {policy.namespace ? (
              <>
                {' '}
                · <bdi>{policy.namespace}</bdi>
              </>
            ) : null}
          </>
        }
        actions={<Actions view={view} search={search} />}
      >
        <bdi>{policy.name}</bdi> <Marks row={row} />
      </Title>
      <div className="flow">
        <Panel
          title={policies.managed}
          actions={
            <Link href={`/templates${queryOf({ policy: id })}`} className="button small">
              {common.templates(totals.templates)}
            </Link>
          }
        >
          <States totals={totals} />
          <Facts view={view} />
        </Panel>
        <Ladder view={view} />
        <Coverage view={view} />
        <Panel title={resource.events}>
          <EventList events={events} />
        </Panel>
        <Panel title={policies.definition}>
          <pre tabIndex={0}>{yaml}</pre>
        </Panel>
      </div>
    </>
  );
}

function Facts({ view: { row } }: { readonly view: PolicyView }): ReactNode {
  return (
    <dl className="facts">
      <dt>{policies.columns.selects}</dt>
      <dd>
        <Lines text={row.selects} />
      </dd>
      <dt>{policies.columns.places}</dt>
      <dd>
        <Lines text={row.placement} />
      </dd>
      <dt>{policies.columns.priority}</dt>
      <dd>{row.priority}</dd>
    </dl>
  );
}

function Actions({ view, search }: { readonly view: PolicyView; readonly search: string }): ReactNode {
  const [open, show] = useState<'suspend' | 'activate'>();
  const { policy, totals } = view.row;
  const target = { apiVersion: 'policy.karmada.io/v1alpha1', ...policy };
  return (
    <>
      {totals.pending > 0 ? (
        <button type="button" onClick={() => show('activate')}>
          {waiting.activate}
        </button>
      ) : null}
      <button type="button" onClick={() => show('suspend')}>
        {waiting.suspend}
      </button>
      <Link
        href={`/plan${queryOf({ delete: `${policy.kind.toLowerCase()}/${policy.name}`, namespace: policy.namespace })}`}
        className="button"
      >
        {policies.planDelete}
      </Link>
      <Link href={`/plan?${search}`} className="button primary">
        {policies.plan}
      </Link>
      {open === 'suspend' ? <SuspendDialog target={target} onClose={() => show(undefined)} /> : null}
      {open === 'activate' ? (
        <ActivateDialog targets={[target]} count={totals.pending} onClose={() => show(undefined)} />
      ) : null}
    </>
  );
}

/** Policies that select the same, from the highest rank to the lowest. */
function Ladder({ view: { row, rivals } }: { readonly view: PolicyView }): ReactNode {
  const above = rivals.filter(({ relation }) => relation === 'shadows');
  const below = rivals.filter(({ relation }) => relation === 'shadowed');
  return (
    <Panel title={policies.ladder} help={policies.ladderHelp}>
      {rivals.length === 0 ? (
        <Empty title={policies.ladderNone} />
      ) : (
        <ol className="list">
          {above.map((rival) => (
            <li key={`a${rival.policy.kind}${rival.policy.name}`}>
              <b>{rival.priority}</b> <PolicyLink policy={rival.policy} />{' '}
              <span className="faint">{policies.shadows(rival.templates)}</span>
            </li>
          ))}
          <li aria-current="true">
            <b>{row.priority}</b>{' '}
            <strong>
              <bdi>{row.policy.name}</bdi>
            </strong>
          </li>
          {below.map((rival) => (
            <li key={`b${rival.policy.kind}${rival.policy.name}`}>
              <b>{rival.priority}</b> <PolicyLink policy={rival.policy} />{' '}
              <span className="faint">{policies.shadowed(rival.templates)}</span>
            </li>
          ))}
        </ol>
      )}
    </Panel>
  );
}

function Coverage({ view: { coverage } }: { readonly view: PolicyView }): ReactNode {
  return (
    <Panel title={policies.coverage}>
      <ul className="list">
        {coverage.slice(0, 100).map(({ namespace, manages, templates }) => (
          <li key={namespace} className="spread">
            <Link href={`/templates${queryOf({ namespace })}`} className="object">
              <bdi>{namespace || common.clusterScoped}</bdi>
            </Link>
            <Meter
              used={manages}
              total={Math.max(1, templates) * 1.2}
              text={policies.coverageRow(manages, templates)}
            />
          </li>
        ))}
      </ul>
      {coverage.length === 0 ? <Empty title={common.empty} /> : null}
    </Panel>
  );
}
