import { lazy, Suspense, useState } from 'react';
import type { ReactNode } from 'react';
import { Link, useSearch } from 'wouter';
import type { TemplateView, WorkView } from '../../wire.ts';
import { refQuery, useLive } from '../api.ts';
import { Dialog, Loaded, Marked, Panel, policyApi, PolicyLink, State, Title } from '../parts.tsx';
import { texts } from '../texts.ts';
import { ActivateDialog, SuspendDialog } from './actions.tsx';
import { EventList } from './events.tsx';

const Compare = lazy(async () => ({ default: (await import('../compare.tsx')).Compare }));
const { resource, common } = texts;
const { questions } = resource;

/** One template through the five questions. */
export function Template(): ReactNode {
  const search = useSearch();
  const query = useLive<TemplateView>(`template?${search}`);
  return <Loaded query={query}>{(view) => <Screen view={view} />}</Loaded>;
}

function Screen({ view }: { readonly view: TemplateView }): ReactNode {
  const { template, state, message, pending } = view.report;
  return (
    <>
      <Title
        lead={
          <>
            {template.kind}
            {template.namespace ? (
              <>
                {' '}
                · <bdi>{template.namespace}</bdi>
              </>
            ) : null}
          </>
        }
        actions={<Actions view={view} />}
      >
        <bdi>{template.name}</bdi>{' '}
        <span className="tag big">
          <State state={state} />
        </span>
      </Title>
      {message ? (
        <p className="caution">
          <Marked text={message} />
        </p>
      ) : null}
      {pending ? (
        <p className="caution">
          {resource.pending}: {view.reasons[pending.because] ?? pending.because}
        </p>
      ) : null}
      <div className="flow">
        <Claim view={view} />
        <Clusters view={view} />
        <Overrides view={view} />
        <Members view={view} />
        <Panel title={resource.events}>
          <EventList events={view.events} />
        </Panel>
        <Panel title={resource.yaml}>
          <pre tabIndex={0}>{view.yaml}</pre>
        </Panel>
      </div>
    </>
  );
}

function Actions({ view: { report } }: { readonly view: TemplateView }): ReactNode {
  const [open, show] = useState<'suspend' | 'activate'>();
  const { template, policy, pending } = report;
  return (
    <>
      {pending ? (
        <button type="button" onClick={() => show('activate')}>
          {resource.activate}
        </button>
      ) : null}
      <button type="button" onClick={() => show('suspend')}>
        {resource.suspend}
      </button>
      {template.kind === 'Secret' ? null : (
        <Link href={`/plan${refQuery(template)}`} className="button">
          {resource.plan}
        </Link>
      )}
      {policy ? (
        <Link href={`/plan${refQuery({ apiVersion: policyApi, ...policy })}`} className="button primary">
          {resource.planPolicy}
        </Link>
      ) : null}
      {open === 'suspend' ? <SuspendDialog target={template} onClose={() => show(undefined)} /> : null}
      {open === 'activate' ? <ActivateDialog targets={[template]} count={1} onClose={() => show(undefined)} /> : null}
    </>
  );
}

const step = (number: number, question: string): string => `${number} · ${question}`;

/** The managing policy, and how the others stand to the template. */
function Claim({ view: { report, explanation, reasons } }: { readonly view: TemplateView }): ReactNode {
  const others = explanation.candidates.filter(({ outcome }) => outcome === 'lost' || outcome === 'excluded');
  const rest = explanation.candidates.filter(({ outcome }) => outcome === 'noMatch').length;
  return (
    <Panel title={step(1, questions.claim)}>
      {report.policy ? (
        <p>
          <PolicyLink policy={report.policy} /> {resource.manages}
        </p>
      ) : (
        <p className="faint">{resource.noPolicy}</p>
      )}
      <ul className="list">
        {others.map(({ policy, outcome, because, detail }) => (
          <li key={`${policy.kind}/${policy.namespace ?? ''}/${policy.name}`}>
            <PolicyLink policy={policy} /> <span className="tag">{resource.outcome[outcome]}</span>{' '}
            <span className="faint" title={because}>
              {detail ?? reasons[because] ?? because}
            </span>
          </li>
        ))}
      </ul>
      {rest > 0 ? <p className="faint">{resource.others(rest)}</p> : null}
    </Panel>
  );
}

/** The chosen clusters, and why the others were not. */
function Clusters({ view: { report, explanation, reasons } }: { readonly view: TemplateView }): ReactNode {
  const replicas = new Map(report.clusters.map(({ name, replicas: wanted }) => [name, wanted]));
  const order = explanation.clusters.toSorted((a, b) => Number(b.chosen) - Number(a.chosen));
  return (
    <Panel title={step(2, questions.schedule)}>
      <ul className="list">
        {order.slice(0, 60).map(({ name, chosen, because, detail }) => (
          <li key={name} className={chosen ? '' : 'faint'}>
            <strong>
              <bdi>{name}</bdi>
            </strong>{' '}
            <span className={chosen ? 'tag good' : 'tag'}>{chosen ? resource.chosen : resource.notChosen}</span>{' '}
            {replicas.get(name) === undefined || !chosen ? null : <span>{replicas.get(name)}× </span>}
            <span className="faint" title={because}>
              {detail ?? reasons[because] ?? because}
            </span>
          </li>
        ))}
      </ul>
      {order.length > 60 ? <p className="faint">{common.more(order.length - 60)}</p> : null}
    </Panel>
  );
}

function Overrides({ view: { explanation, works } }: { readonly view: TemplateView }): ReactNode {
  const { overrides = [] } = explanation;
  return (
    <Panel title={step(3, questions.render)}>
      {overrides.length === 0 ? (
        <p className="faint">{resource.noOverrides}</p>
      ) : (
        <ul className="list">
          {overrides.map((verdict) => (
            <li key={JSON.stringify(verdict)}>
              <bdi>
                {Object.values(verdict)
                  .filter((value) => typeof value === 'string')
                  .join(' · ')}
              </bdi>
            </li>
          ))}
        </ul>
      )}
      <p className="faint">{works.map(({ member, work }) => `${member}: ${work}`).join(', ')}</p>
    </Panel>
  );
}

/** What stands in each member, how healthy it is, and how it differs from what is wanted. */
function Members({ view }: { readonly view: TemplateView }): ReactNode {
  const [looked, look] = useState<WorkView>();
  const works = new Map(view.works.map((work) => [work.member, work]));
  return (
    <Panel title={`${step(4, questions.dispatch)} ${step(5, questions.collect)}`} flush whole>
      <div className="scroll">
        <table>
          <tbody>
            {view.report.clusters.map(({ name, state, ready, replicas, health, message, suspendedBy = [] }) => {
              const work = works.get(name);
              return (
                <tr key={name}>
                  <th scope="row">
                    <bdi>{name}</bdi>
                  </th>
                  <td className="narrow">
                    <State state={state} />
                  </td>
                  <td className="number">{replicas === undefined ? '' : `${ready ?? '?'}/${replicas}`}</td>
                  <td>{health ?? ''}</td>
                  <td>
                    <bdi>
                      {[message, ...suspendedBy.map(({ by, reason }) => `${by}${reason ? `: ${reason}` : ''}`)]
                        .filter(Boolean)
                        .join('; ')}
                    </bdi>
                  </td>
                  <td className="end">{work ? <Live work={work} onLook={() => look(work)} /> : null}</td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
      {looked?.live === undefined ? null : (
        <Dialog title={`${resource.compare}: ${looked.member}`} onClose={() => look(undefined)} wide>
          <div className="body">
            <Suspense fallback={<div className="compare" />}>
              <Compare before={looked.manifest} after={looked.live} />
            </Suspense>
          </div>
        </Dialog>
      )}
    </Panel>
  );
}

function Live({ work, onLook }: { readonly work: WorkView; readonly onLook: () => void }): ReactNode {
  if (work.unreadable !== undefined)
    return (
      <span className="faint" title={work.unreadable}>
        {resource.unreadable}
      </span>
    );
  if (work.live === undefined) return <span className="faint">{resource.absent}</span>;
  return (
    <button type="button" className="small" onClick={onLook}>
      {resource.compare}
    </button>
  );
}
