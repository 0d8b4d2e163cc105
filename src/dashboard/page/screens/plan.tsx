import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useDeferredValue, useEffect, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { useLocation, useSearch } from 'wouter';
import type { FleetView, PlanView, PolicyRow } from '../../wire.ts';
import { post, refQuery, request, useLive } from '../api.ts';
import { membersIn, toggled } from '../membership.ts';
import { Empty, policyApi, Title } from '../parts.tsx';
import { texts } from '../texts.ts';
import { ApplyDialog } from './apply.tsx';
import { Effects } from './effects.tsx';

const Editor = lazy(async () => ({ default: (await import('../editor.tsx')).Editor }));
const { plan, common } = texts;

/** The change as it is being written. */
export interface Draft {
  readonly yaml: string;
  readonly deletes: readonly string[];
  /** The namespace of what names none; absent: that of the caller. */
  readonly namespace?: string;
  readonly snapshot?: { readonly name: string; readonly text: string };
}

const empty: Draft = { yaml: '', deletes: [] };
const draftKey = 'sluice-draft';

/** The draft outlives a reload, and the session in this tab. */
function useDraft(): readonly [Draft, (change: (draft: Draft) => Draft) => void] {
  const [draft, set] = useState<Draft>(() => {
    const kept = window.sessionStorage.getItem(draftKey);
    return kept === null ? empty : (JSON.parse(kept) as Draft);
  });
  useEffect(() => {
    const { yaml, deletes } = draft;
    window.sessionStorage.setItem(draftKey, JSON.stringify({ yaml, deletes }));
  }, [draft]);
  return [draft, set];
}

const debounceMilliseconds = 120;

/** The same value a moment after it has stopped changing. */
function useCalm<T>(value: T): T {
  const [calm, set] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => set(value), debounceMilliseconds);
    return () => clearTimeout(timer);
  }, [value]);
  return calm;
}

/** The plan of a draft, made anew whenever it rests for a moment; a plan that is no longer wanted is cancelled. */
function usePlan(draft: Draft): Planned {
  const asked = useCalm(draft);
  const { data, error, isFetching } = useQuery<PlanView>({
    queryKey: ['live', 'plan', asked],
    queryFn: ({ signal }) =>
      post(
        'plan',
        { yaml: asked.yaml, deletes: asked.deletes, namespace: asked.namespace, snapshot: asked.snapshot?.text },
        signal,
      ),
    enabled: !isBlank(asked),
    retry: false,
  });
  const view = useDeferredValue(isBlank(draft) || error ? undefined : data);
  return { view, error: isBlank(draft) ? null : error, isStale: isFetching || asked !== draft };
}

/** The newest plan of a draft, and whether a newer one is on its way. */
interface Planned {
  readonly view: PlanView | undefined;
  readonly error: Error | null;
  readonly isStale: boolean;
}

const isBlank = ({ yaml, deletes }: Draft): boolean => yaml.trim() === '' && deletes.length === 0;

/** What would a change do? The answer appears while it is typed. */
export function Plan(): ReactNode {
  const [draft, change] = useDraft();
  const [applying, apply] = useState(false);
  useOpened(change);
  const { view, error, isStale } = usePlan(draft);
  const actions = <Actions draft={draft} view={view} isStale={isStale} change={change} onApply={() => apply(true)} />;
  return (
    <>
      <Title lead={plan.lead} actions={actions}>
        {plan.title}
      </Title>
      <div className="plan">
        <section className="panel" aria-label={plan.editor}>
          <Opening draft={draft} change={change} />
          <Membership draft={draft} change={change} />
          <Suspense fallback={<div className="editor" />}>
            <Editor
              text={draft.yaml}
              errors={view?.errors ?? noErrors}
              problem={error?.message ?? ''}
              onText={(yaml) => change((one) => ({ ...one, yaml }))}
            />
          </Suspense>
          <Deletes draft={draft} change={change} />
        </section>
        <section className="panel effects" aria-label={plan.effects} aria-live="polite" aria-busy={isStale}>
          {isBlank(draft) ? <Start change={change} /> : <Effects view={view} error={error} isStale={isStale} />}
        </section>
      </div>
      {applying && view ? <ApplyDialog view={view} onClose={() => apply(false)} /> : null}
    </>
  );
}

const noErrors: PlanView['errors'] = [];

type Change = (change: (draft: Draft) => Draft) => void;

/** Opens what the address names: an object, a deletion, or the example. */
function useOpened(change: Change): void {
  const query = useSearch();
  const [, go] = useLocation();
  const opened = useRef('');
  useEffect(() => {
    if (query === '' || opened.current === query) return;
    opened.current = query;
    const parts = new URLSearchParams(query);
    const gone = parts.get('delete');
    const namespace = parts.get('namespace') ?? undefined;
    if (gone !== null) change(() => ({ yaml: '', deletes: [gone], ...(namespace !== undefined && { namespace }) }));
    const path = parts.has('example') ? 'example' : parts.has('name') ? `object?${query}` : undefined;
    if (path !== undefined)
      void request<{ readonly yaml: string }>(path).then(({ yaml }) => change(() => ({ yaml, deletes: [] })));
    go('/plan', { replace: true });
  }, [query, change, go]);
}

interface Bar {
  readonly draft: Draft;
  readonly view: PlanView | undefined;
  readonly isStale: boolean;
  readonly change: Change;
  readonly onApply: () => void;
}

function Actions({ draft, view, isStale, change, onApply }: Bar): ReactNode {
  const [copied, tell] = useState(false);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(await post<string>('markdown', { plan: view?.id }));
    tell(true);
    setTimeout(() => tell(false), 2_000);
  };
  const isReady = view !== undefined && !isStale;
  const canApply = isReady && view.errors.length === 0 && draft.snapshot === undefined;
  return (
    <>
      <Upload label={plan.upload} accept=".yaml,.yml,.json" onText={(yaml) => change((one) => ({ ...one, yaml }))} />
      {draft.snapshot ? (
        <button type="button" onClick={() => change(({ yaml, deletes }) => ({ yaml, deletes }))}>
          {plan.leave}
        </button>
      ) : (
        <Upload
          label={plan.snapshot}
          accept=".json"
          onText={(text, name) => change((one) => ({ ...one, snapshot: { name, text } }))}
        />
      )}
      <button type="button" disabled={draft.yaml === ''} onClick={() => save(draft.yaml)}>
        {plan.save}
      </button>
      <button type="button" disabled={!isReady} onClick={() => void copy()}>
        {copied ? plan.copied : plan.copy}
      </button>
      <button type="button" className="primary" disabled={!canApply} onClick={onApply}>
        {plan.apply}
      </button>
    </>
  );
}

function save(yaml: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([yaml], { type: 'application/yaml' }));
  link.download = 'change.yaml';
  link.click();
  URL.revokeObjectURL(link.href);
}

function Upload({
  label,
  accept,
  onText,
}: {
  readonly label: string;
  readonly accept: string;
  readonly onText: (text: string, name: string) => void;
}): ReactNode {
  const input = useRef<HTMLInputElement>(null);
  const read = (files: FileList | null): void => {
    const file = files?.[0];
    if (file) void file.text().then((text) => onText(text, file.name));
  };
  return (
    <>
      <button type="button" onClick={() => input.current?.click()}>
        {label}
      </button>
      <input
        ref={input}
        type="file"
        hidden
        accept={accept}
        aria-label={label}
        onChange={({ target }) => read(target.files)}
      />
    </>
  );
}

/** Opens the live state of a policy in the editor. */
function Opening({ draft, change }: { readonly draft: Draft; readonly change: Change }): ReactNode {
  const { data = [] } = useLive<readonly PolicyRow[]>('policies');
  const open = (id: string): void => {
    const row = data.find(({ policy }) => nameOf(policy) === id);
    if (row) void opened(row).then((yaml) => change((one) => ({ ...one, yaml })));
  };
  return (
    <header>
      <h2>{plan.editor}</h2>
      {draft.snapshot ? <span className="tag caution">{plan.snapshotOn(draft.snapshot.name)}</span> : null}
      <select aria-label={plan.open} value="" onChange={({ target }) => open(target.value)}>
        <option value="">{`${plan.open}…`}</option>
        {data.map(({ policy }) => (
          <option key={nameOf(policy)} value={nameOf(policy)}>
            {nameOf(policy)}
          </option>
        ))}
      </select>
    </header>
  );
}

const nameOf = ({ namespace, name }: PolicyRow['policy']): string => (namespace ? `${namespace}/${name}` : name);

async function opened({ policy }: PolicyRow): Promise<string> {
  return (await request<{ readonly yaml: string }>(`object${refQuery({ apiVersion: policyApi, ...policy })}`)).yaml;
}

/** Members as switches: one click takes a member out of the policy in the editor, or puts it in. */
function Membership({ draft, change }: { readonly draft: Draft; readonly change: Change }): ReactNode {
  const { data } = useLive<FleetView>('fleet');
  const names = data?.members.map(({ name }) => name) ?? [];
  const chosen = membersIn(draft.yaml, names);
  if (!chosen || names.length > 60) return null;
  return (
    <div className="whatif">
      <h3>{plan.whatIf}</h3>
      {names.map((name) => {
        const isIn = chosen.has(name);
        const label = isIn ? plan.takeOut(name) : plan.putIn(name);
        return (
          <button
            key={name}
            type="button"
            className="toggle"
            aria-pressed={isIn}
            aria-label={name}
            title={label}
            onClick={() => change((one) => ({ ...one, yaml: toggled(one.yaml, name, names) }))}
          >
            {name}
          </button>
        );
      })}
    </div>
  );
}

/** Objects to delete with the change. */
function Deletes({ draft, change }: { readonly draft: Draft; readonly change: Change }): ReactNode {
  const [word, type] = useState('');
  const add = (): void => {
    if (!/^[^/\s]+\/[^/\s]+$/.test(word)) return;
    change((one) => ({ ...one, deletes: [...new Set([...one.deletes, word])] }));
    type('');
  };
  return (
    <form className="whatif" action={add}>
      <h3>{plan.deletes}</h3>
      {draft.deletes.map((name) => (
        <button
          key={name}
          type="button"
          className="chip"
          onClick={() => change((one) => ({ ...one, deletes: one.deletes.filter((other) => other !== name) }))}
        >
          <bdi>{name}</bdi> ✕
        </button>
      ))}
      <input
        aria-label={plan.deletes}
        placeholder={plan.deletesHint}
        value={word}
        onChange={({ target }) => type(target.value)}
      />
      <button type="submit" className="small" disabled={word === ''}>
        {plan.addDelete}
      </button>
    </form>
  );
}

/** With nothing to plan yet: what people ask most, one click away. */
function Start({ change }: { readonly change: Change }): ReactNode {
  const { data: policies = [] } = useLive<readonly PolicyRow[]>('policies');
  const { data: fleet } = useLive<FleetView>('fleet');
  return (
    <div className="scrolling">
      <Empty title={plan.emptyTitle} help={plan.emptyHelp}>
        {policies.length > 0 ? <h3>{plan.emptyPolicies}</h3> : null}
        <div className="choices">
          {policies.slice(0, 6).map((row) => (
            <button
              key={nameOf(row.policy)}
              type="button"
              onClick={() => void opened(row).then((yaml) => change(() => ({ yaml, deletes: [] })))}
            >
              <bdi>{nameOf(row.policy)}</bdi>
              <span className="faint">
                {row.placement.split('\n')[0]} · {common.templates(row.totals.templates)}
              </span>
            </button>
          ))}
        </div>
        <h3>{plan.emptyMembers}</h3>
        <div className="choices">
          {(fleet?.members ?? []).slice(0, 6).map(({ name, templates }) => (
            <button key={name} type="button" onClick={() => change(() => ({ yaml: '', deletes: [`cluster/${name}`] }))}>
              <bdi>{plan.lost(name)}</bdi>
              <span className="faint">{common.templates(templates)}</span>
            </button>
          ))}
        </div>
      </Empty>
    </div>
  );
}
