import { useState } from 'react';
import type { ReactNode } from 'react';
import type { ActivationRun, SuspensionRow, WaitingRow, WaitingView } from '../../wire.ts';
import { client, post, useLive } from '../api.ts';
import { Ago, Empty, Loaded, ObjectLink, Panel, PolicyLink, Title } from '../parts.tsx';
import { texts } from '../texts.ts';
import { ActionDialog, ActivateDialog } from './actions.tsx';

const { waiting, common, plan } = texts;

/** Everything that waits, since when, why, by whom and until when; and the buttons that end it. */
export function Waiting(): ReactNode {
  const query = useLive<WaitingView>('waiting');
  return (
    <>
      <Title>{waiting.title}</Title>
      <Loaded query={query}>
        {(view) => (
          <>
            {view.run ? <Run run={view.run} /> : null}
            <Pending view={view} />
            <Suspensions rows={view.suspensions} />
          </>
        )}
      </Loaded>
    </>
  );
}

const stop = (): void => void post('stop', {}).then(() => client.invalidateQueries({ queryKey: ['live'] }));

/** A run in batches: how far it is, and the button that stops it. */
function Run({ run }: { readonly run: ActivationRun }): ReactNode {
  const { state, done, total, batches, doing, message } = run;
  const action =
    state === 'running' ? (
      <button type="button" className="dangerous" title={waiting.stopHelp} onClick={stop}>
        {waiting.stop}
      </button>
    ) : null;
  return (
    <Panel title={waiting.run[state] ?? state} help={waiting.progress(done, total)} actions={action}>
      <progress max={total} value={done} aria-label={waiting.progress(done, total)} />
      <p className={state === 'failed' ? 'danger' : 'faint'}>
        <bdi>{message || doing}</bdi>
      </p>
      <ol className="batches">
        {batches.map((batch, i) => (
          <li key={`${i + 1}`} className={`tag batch-${batch.state}`}>
            {i + 1}: {common.templates(batch.templates)}, {waiting.batchState[batch.state] ?? batch.state}
          </li>
        ))}
      </ol>
      {state === 'stopped' ? <p className="faint">{waiting.stopHelp}</p> : null}
    </Panel>
  );
}

function Pending({ view: { pending, pendingTotal, run } }: { readonly view: WaitingView }): ReactNode {
  const [chosen, choose] = useState<WaitingRow | 'all'>();
  const isBusy = run?.state === 'running' || run?.state === 'stopping';
  const all = (
    <button type="button" className="primary" disabled={isBusy} onClick={() => choose('all')}>
      {waiting.activateAll}
    </button>
  );
  return (
    <Panel title={waiting.pending} help={waiting.pendingHelp} actions={pending.some(isReady) ? all : null} flush>
      {pending.length === 0 ? (
        <Empty title={waiting.pendingNone} />
      ) : (
        <PendingTable rows={pending} onActivate={isBusy ? undefined : choose} />
      )}
      {pendingTotal > pending.length ? <p className="note">{common.more(pendingTotal - pending.length)}</p> : null}
      {chosen ? <Activation chosen={chosen} total={pendingTotal} onClose={() => choose(undefined)} /> : null}
    </Panel>
  );
}

interface ActivationProps {
  readonly chosen: WaitingRow | 'all';
  readonly total: number;
  readonly onClose: () => void;
}

function Activation({ chosen, total, onClose }: ActivationProps): ReactNode {
  if (chosen === 'all') return <ActivateDialog targets={[]} count={total} onClose={onClose} />;
  return <ActivateDialog targets={[chosen.template]} count={1} onClose={onClose} />;
}

const isReady = ({ activatable }: WaitingRow): boolean => activatable;

interface PendingTableProps {
  readonly rows: readonly WaitingRow[];
  readonly onActivate: ((row: WaitingRow) => void) | undefined;
}

function PendingTable({ rows, onActivate }: PendingTableProps): ReactNode {
  const { columns } = waiting;
  return (
    <table>
      <thead>
        <tr>
          {[columns.what, columns.policy, columns.because, columns.since].map((head) => (
            <th key={head} scope="col">
              {head}
            </th>
          ))}
          <th>
            <span className="hidden-visually">{waiting.activate}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <PendingLine
            key={`${row.template.kind}/${row.template.namespace ?? ''}/${row.template.name}`}
            row={row}
            onActivate={onActivate && (() => onActivate(row))}
          />
        ))}
      </tbody>
    </table>
  );
}

function PendingLine({
  row,
  onActivate,
}: {
  readonly row: WaitingRow;
  readonly onActivate: (() => void) | undefined;
}): ReactNode {
  const { template, policy, because, why, since, activatable } = row;
  return (
    <tr>
      <th scope="row">
        <ObjectLink object={template} />{' '}
        <span className="faint">
          <bdi>{template.namespace}</bdi>
        </span>
      </th>
      <td>
        <PolicyLink policy={policy} />
      </td>
      <td title={because}>{why}</td>
      <td className="narrow">
        <Ago time={since} />
      </td>
      <td className="end">
        {activatable ? (
          <button type="button" className="small" disabled={!onActivate} onClick={onActivate}>
            {waiting.activate}
          </button>
        ) : null}
      </td>
    </tr>
  );
}

function Suspensions({ rows }: { readonly rows: readonly SuspensionRow[] }): ReactNode {
  const [chosen, choose] = useState<SuspensionRow>();
  const { columns } = waiting;
  return (
    <Panel title={waiting.suspensions} flush>
      {rows.length === 0 ? (
        <Empty title={waiting.suspensionsNone} />
      ) : (
        <div className="scroll">
          <table>
            <thead>
              <tr>
                {[columns.what, columns.where, columns.covers, columns.why, columns.owner, columns.until].map(
                  (head) => (
                    <th key={head} scope="col">
                      {head}
                    </th>
                  ),
                )}
                <th>
                  <span className="hidden-visually">{waiting.resume}</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <SuspensionLine
                  key={`${row.by}/${row.target.namespace ?? ''}`}
                  row={row}
                  onResume={() => choose(row)}
                />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {chosen ? <ResumeDialog row={chosen} onClose={() => choose(undefined)} /> : null}
    </Panel>
  );
}

function SuspensionLine({ row, onResume }: { readonly row: SuspensionRow; readonly onResume: () => void }): ReactNode {
  const { target, clusters, reason, owner, until, templates } = row;
  return (
    <tr>
      <th scope="row">
        <span className="kind faint">{target.kind}/</span>
        <bdi>{target.name}</bdi>{' '}
        <span className="faint">
          <bdi>{target.namespace}</bdi>
        </span>
      </th>
      <td>{clusters === 'all' ? common.allMembers : clusters.join(', ')}</td>
      <td className="number">{common.templates(templates)}</td>
      <td>
        <bdi>{reason || '–'}</bdi>
      </td>
      <td>
        <bdi>{owner || '–'}</bdi>
      </td>
      <td className="narrow">
        {until ? <time dateTime={until}>{until.replace('T', ' ').replace(/:\d\dZ$/, ' UTC')}</time> : waiting.forever}
      </td>
      <td className="end">
        <button type="button" className="small" onClick={onResume}>
          {waiting.resume}
        </button>
      </td>
    </tr>
  );
}

function ResumeDialog({ row, onClose }: { readonly row: SuspensionRow; readonly onClose: () => void }): ReactNode {
  return (
    <ActionDialog
      title={waiting.resumeTitle}
      lead={waiting.resumeLead}
      confirm={waiting.resumeConfirm}
      onConfirm={() => post('resume', { target: row.target })}
      onClose={onClose}
    >
      <p>
        <strong>
          <bdi>{row.by}</bdi>
        </strong>{' '}
        · {common.templates(row.templates)} {plan.onMembers}{' '}
        {row.clusters === 'all' ? common.allMembers : row.clusters.join(', ')}
      </p>
    </ActionDialog>
  );
}
