import type { ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import type { FleetView, MemberRow, NamespaceRow, TemplateRow } from '../../wire.ts';
import { queryOf, useLive, useMe } from '../api.ts';
import { Ago, Empty, Loaded, Marked, Meter, ObjectLink, Panel, PolicyLink, State, States, Title } from '../parts.tsx';
import { texts } from '../texts.ts';

const { fleet, common } = texts;

/** The fleet: what is wrong, the members, and what runs where. */
export function Fleet(): ReactNode {
  const query = useLive<FleetView>('fleet');
  return (
    <Loaded query={query}>
      {(view) => (
        <>
          <Title
            lead={<States totals={view.totals} />}
            actions={
              <Link href="/plan" className="button primary">
                {texts.nav.plan}
              </Link>
            }
          >
            {fleet.title}
          </Title>
          {view.removalsSuspended ? (
            <p className="caution">
              <Marked text={fleet.removalsSuspended} />
            </p>
          ) : null}
          {view.totals.templates === 0 ? <Welcome policies={view.policies} /> : <Attention view={view} />}
          <Members members={view.members} />
          {view.namespaces.length > 0 ? <Matrix rows={view.namespaces} members={view.members} /> : null}
        </>
      )}
    </Loaded>
  );
}

/** A hub without templates says what to do first. */
function Welcome({ policies }: { readonly policies: number }): ReactNode {
  const { data: me } = useMe();
  return (
    <Empty title={fleet.emptyTitle} help={fleet.emptyHelp}>
      <div className="actions">
        {me?.example && policies === 0 ? (
          <Link href="/plan?example=1" className="button primary">
            {fleet.tryExample}
          </Link>
        ) : null}
        <Link href="/plan" className="button">
          {fleet.planPolicy}
        </Link>
      </div>
    </Empty>
  );
}

function Attention({ view }: { readonly view: FleetView }): ReactNode {
  const { trouble, troubleTotal, removals } = view;
  if (troubleTotal === 0 && removals.length === 0)
    return (
      <p className="fine">
        <State state="inEffect" quiet /> {fleet.troubleNone}
      </p>
    );
  const all =
    troubleTotal > trouble.length ? (
      <Link href="/templates?state=trouble" className="button">
        {fleet.showAll(troubleTotal)}
      </Link>
    ) : null;
  return (
    <Panel title={fleet.trouble} actions={all} flush>
      <table>
        <tbody>
          {trouble.map((row) => (
            <TroubleRow key={`${row.template.kind}/${row.template.namespace ?? ''}/${row.template.name}`} row={row} />
          ))}
        </tbody>
      </table>
      {removals.length > 0 ? (
        <p className="note">
          {fleet.removals(removals.length)}: {removals[0]?.message}
        </p>
      ) : null}
    </Panel>
  );
}

function TroubleRow({ row }: { readonly row: TemplateRow }): ReactNode {
  return (
    <tr>
      <td className="narrow">
        <State state={row.state} />
      </td>
      <td>
        <ObjectLink object={row.template} />
        <span className="faint"> {row.template.namespace}</span>
      </td>
      <td className="wide">
        <bdi>{row.why}</bdi>
      </td>
      <td className="narrow optional">
        <PolicyLink policy={row.policy} />
      </td>
    </tr>
  );
}

const gib = 1024 ** 3;

const { columns } = fleet;
const heads: readonly (readonly [string, string])[] = [
  [columns.member, ''],
  [columns.state, ''],
  [columns.templates, 'number'],
  [columns.version, 'secondary'],
  [columns.place, 'secondary'],
  [columns.nodes, 'number'],
  [columns.cpu, ''],
  [columns.memory, ''],
  [columns.pods, 'secondary'],
];

function Members({ members }: { readonly members: readonly MemberRow[] }): ReactNode {
  if (members.length === 0)
    return (
      <Panel title={fleet.members}>
        <Empty title={fleet.noMembers} help={fleet.noMembersHelp} />
      </Panel>
    );
  return (
    <Panel title={fleet.members} flush>
      <div className="scroll">
        <table>
          <thead>
            <tr>
              {heads.map(([head, style]) => (
                <th key={head} scope="col" className={style}>
                  {head}
                </th>
              ))}
              <th>
                <span className="hidden-visually">{texts.plan.change}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {members.map((member) => (
              <Member key={member.name} member={member} />
            ))}
          </tbody>
        </table>
      </div>
    </Panel>
  );
}

function Member({ member }: { readonly member: MemberRow }): ReactNode {
  const { name, nodes, cpu, memory, pods } = member;
  const [, go] = useLocation();
  const gigabytes = `${(memory.used / gib).toFixed(1)} / ${(memory.total / gib).toFixed(0)} GiB`;
  return (
    <tr>
      <th scope="row">
        <Link href={`/templates${queryOf({ member: name })}`} className="object">
          <bdi>{name}</bdi>
        </Link>
      </th>
      <td>
        <MemberState member={member} />
      </td>
      <td className="number">{member.templates.toLocaleString('en')}</td>
      <td className="faint secondary">{member.version || '–'}</td>
      <td className="faint secondary">
        {[member.provider, member.region, member.zone].filter(Boolean).join(' / ') || '–'}
      </td>
      <td className="number">
        {nodes.ready}/{nodes.total}
      </td>
      <td>
        <Meter {...cpu} text={`${cpu.used.toFixed(1)} / ${cpu.total}`} />
      </td>
      <td>
        <Meter {...memory} text={gigabytes} />
      </td>
      <td className="secondary">
        <Meter {...pods} text={`${pods.used} / ${pods.total}`} />
      </td>
      <td className="end">
        <button type="button" className="small" onClick={() => go(`/plan${queryOf({ delete: `cluster/${name}` })}`)}>
          {fleet.lose}
        </button>
      </td>
    </tr>
  );
}

function MemberState({ member }: { readonly member: MemberRow }): ReactNode {
  const { ready, cordoned, taints, message, since } = member;
  return (
    <>
      <span className={`state state-${ready ? 'inEffect' : 'failing'}`} title={message}>
        <i aria-hidden="true" />
        {ready ? fleet.ready : fleet.notReady}
      </span>
      {ready ? null : (
        <span className="faint">
          {' '}
          <Ago time={since} /> · <bdi>{message}</bdi>
        </span>
      )}
      {cordoned ? <span className="tag caution">{fleet.cordoned}</span> : null}
      {taints.map((taint) => (
        <span key={taint} className="tag">
          {taint}
        </span>
      ))}
    </>
  );
}

/** Namespaces and members: how many templates, and the worst state of each cell. */
function Matrix({
  rows,
  members,
}: {
  readonly rows: readonly NamespaceRow[];
  readonly members: readonly MemberRow[];
}): ReactNode {
  const names = members.map(({ name }) => name);
  return (
    <Panel title={fleet.matrix} help={fleet.matrixHelp} flush>
      <div className="scroll">
        <table className="matrix">
          <thead>
            <tr>
              <th scope="col">{fleet.columns.namespace}</th>
              <th scope="col" className="number">
                {fleet.columns.total}
              </th>
              {names.map((name) => (
                <th key={name} scope="col">
                  <bdi>{name}</bdi>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, 200).map((row) => (
              <NamespaceLine key={row.namespace} row={row} names={names} />
            ))}
          </tbody>
        </table>
      </div>
      {rows.length > 200 ? <p className="note">{common.more(rows.length - 200)}</p> : null}
    </Panel>
  );
}

function NamespaceLine({ row, names }: { readonly row: NamespaceRow; readonly names: readonly string[] }): ReactNode {
  const { namespace, totals, cells } = row;
  return (
    <tr>
      <th scope="row">
        <Link href={`/templates${queryOf({ namespace })}`} className="object">
          <bdi>{namespace || common.clusterScoped}</bdi>
        </Link>
      </th>
      <td className="number">{totals.templates.toLocaleString('en')}</td>
      {names.map((name) => {
        const cell = cells[name];
        if (!cell)
          return (
            <td key={name} className="cell faint">
              ·
            </td>
          );
        const words = `${namespace || common.clusterScoped}, ${name}: ${common.templates(cell.templates)}, ${texts.states[cell.worst] ?? ''}`;
        return (
          <td key={name} className="cell">
            <Link
              href={`/templates${queryOf({ namespace, member: name })}`}
              className={`heat state-${cell.worst}`}
              aria-label={words}
              title={words}
            >
              {cell.templates.toLocaleString('en')}
            </Link>
          </td>
        );
      })}
    </tr>
  );
}
