import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { PolicyRow } from '../../wire.ts';
import { refQuery, useLive } from '../api.ts';
import { Empty, Loaded, Panel, policyApi, PolicyLink, States, Title } from '../parts.tsx';
import { texts } from '../texts.ts';

const { policies } = texts;

/** Every policy, the highest rank first, with the states of what it manages. */
export function Policies(): ReactNode {
  const query = useLive<readonly PolicyRow[]>('policies');
  return (
    <>
      <Title
        actions={
          <Link href="/plan" className="button primary">
            {texts.nav.plan}
          </Link>
        }
      >
        {policies.title}
      </Title>
      <Loaded query={query}>
        {(rows) =>
          rows.length === 0 ? <Empty title={policies.none} help={policies.noneHelp} /> : <Table rows={rows} />
        }
      </Loaded>
    </>
  );
}

function Table({ rows }: { readonly rows: readonly PolicyRow[] }): ReactNode {
  return (
    <Panel title={policies.title} flush>
      <div className="scroll">
        <table>
          <thead>
            <tr>
              {Object.values(policies.columns).map((head) => (
                <th key={head} scope="col">
                  {head}
                </th>
              ))}
              <th>
                <span className="hidden-visually">{policies.plan}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <Line key={`${row.policy.kind}/${row.policy.namespace ?? ''}/${row.policy.name}`} row={row} />
            ))}
          </tbody>
        </table>
      </div>
    </Panel>
  );
}

function Line({ row }: { readonly row: PolicyRow }): ReactNode {
  const { policy, priority, selects, placement, totals } = row;
  return (
    <tr>
      <th scope="row">
        <PolicyLink policy={policy} />
        <Marks row={row} />
      </th>
      <td className="number">{priority}</td>
      <td>
        <Lines text={selects} />
      </td>
      <td>
        <Lines text={placement} />
      </td>
      <td className="number">{totals.templates.toLocaleString('en')}</td>
      <td>
        <States totals={totals} />
      </td>
      <td className="end">
        <Link href={`/plan${refQuery({ apiVersion: policyApi, ...policy })}`} className="button small">
          {policies.plan}
        </Link>
      </td>
    </tr>
  );
}

/** What is special about a policy. */
export function Marks({ row: { lazy, suspended, preempts } }: { readonly row: PolicyRow }): ReactNode {
  return (
    <>
      {lazy ? <span className="tag">{policies.lazy}</span> : null}
      {preempts ? <span className="tag">{policies.preempts}</span> : null}
      {suspended ? <span className="tag caution">{policies.suspended}</span> : null}
    </>
  );
}

const mostLines = 3;

/** A few lines of many. */
export function Lines({ text }: { readonly text: string }): ReactNode {
  const lines = text.split('\n');
  return (
    <span title={text}>
      {lines.slice(0, mostLines).map((line) => (
        <span key={line} className="block">
          <bdi>{line}</bdi>
        </span>
      ))}
      {lines.length > mostLines ? (
        <span className="block faint">{texts.common.more(lines.length - mostLines)}</span>
      ) : null}
    </span>
  );
}
