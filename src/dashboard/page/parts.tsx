import { useEffect, useRef } from 'react';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { Ref } from '../../api/index.ts';
import type { PolicyName } from '../../engine/index.ts';
import { refQuery } from './api.ts';
import { texts } from './texts.ts';

/** Where an object is shown. */
export function placeOf(ref: Ref): string {
  if (ref.kind === 'Cluster') return `/templates?member=${encodeURIComponent(ref.name)}`;
  return ref.kind.endsWith('PropagationPolicy') ? policyPlace(ref) : `/template${refQuery(ref)}`;
}

/** Where a policy is shown. */
export function policyPlace(policy: PolicyName): string {
  return `/policy${refQuery({ apiVersion: policyApi, ...policy })}`;
}

export const policyApi = 'policy.karmada.io/v1alpha1';

/** A state, as a mark and a word: colour alone says nothing to many. */
export function State({ state, quiet }: { readonly state: string; readonly quiet?: boolean }): ReactNode {
  const word = texts.states[state] ?? state;
  return (
    <span className={`state state-${state}`} title={texts.stateHelp[state]}>
      <i aria-hidden="true" />
      {quiet ? <span className="hidden-visually">{word}</span> : word}
    </span>
  );
}

/** A part of a screen with a heading. */
export function Panel({
  title,
  help,
  actions,
  children,
  flush,
  whole,
}: {
  readonly title: string;
  readonly help?: string;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
  readonly flush?: boolean;
  readonly whole?: boolean;
}): ReactNode {
  return (
    <section className={`panel${flush ? ' flush' : ''}${whole ? ' whole' : ''}`} aria-label={title}>
      <header>
        <div>
          <h2>{title}</h2>
          {help ? <p>{help}</p> : null}
        </div>
        {actions ? <div className="actions">{actions}</div> : null}
      </header>
      {children}
    </section>
  );
}

/** The head of a screen. */
export function Title({
  children,
  lead,
  actions,
}: {
  readonly children: ReactNode;
  readonly lead?: ReactNode;
  readonly actions?: ReactNode;
}): ReactNode {
  return (
    <header className="title">
      <div>
        <h1>{children}</h1>
        {lead ? <p>{lead}</p> : null}
      </div>
      {actions ? <div className="actions">{actions}</div> : null}
    </header>
  );
}

/** A place with nothing in it says what would be there, and how to get it. */
export function Empty({
  title,
  help,
  children,
}: {
  readonly title: string;
  readonly help?: string;
  readonly children?: ReactNode;
}): ReactNode {
  return (
    <div className="empty">
      <strong>{title}</strong>
      {help ? (
        <p>
          <Marked text={help} />
        </p>
      ) : null}
      {children}
    </div>
  );
}

/** A failure and a way to try again. */
export function Trouble({ error, retry }: { readonly error: Error; readonly retry?: () => void }): ReactNode {
  return (
    <div className="trouble" role="alert">
      <strong>{texts.common.failed}</strong>
      <p>{error.message}</p>
      {retry ? (
        <button type="button" onClick={retry}>
          {texts.common.retry}
        </button>
      ) : null}
    </div>
  );
}

/** Texts in backquotes are shown as code. */
export function Marked({ text }: { readonly text: string }): ReactNode {
  return text.split('`').map((part, i) => (i % 2 === 1 ? <code key={`${i}${part}`}>{part}</code> : part));
}

/** What a query has so far: its failure, a quiet place while it loads, or its content. */
export function Loaded<T>({
  query,
  children,
}: {
  readonly query: { readonly data: T | undefined; readonly error: Error | null; readonly refetch: () => unknown };
  readonly children: (data: T) => ReactNode;
}): ReactNode {
  if (query.data !== undefined) return children(query.data);
  if (query.error) return <Trouble error={query.error} retry={() => void query.refetch()} />;
  return (
    <div className="loading" role="status">
      <span className="hidden-visually">{texts.common.loading}</span>
    </div>
  );
}

/** The name of an object that leads to it. */
export function ObjectLink({ object, plain }: { readonly object: Ref; readonly plain?: boolean }): ReactNode {
  return (
    <Link href={placeOf(object)} className="object" dir="auto">
      {plain ? null : <span className="kind">{object.kind}/</span>}
      <bdi>{object.name}</bdi>
    </Link>
  );
}

/** The name of a policy that leads to it. */
export function PolicyLink({ policy }: { readonly policy: PolicyName | null }): ReactNode {
  if (!policy) return <span className="faint">–</span>;
  const scope = policy.namespace ? `${policy.namespace}/` : '';
  return (
    <Link href={policyPlace(policy)} className="object">
      <span className="kind">{scope}</span>
      <bdi>{policy.name}</bdi>
    </Link>
  );
}

/** A window over the page; Escape and the close button end it. */
export function Dialog({
  title,
  onClose,
  children,
  wide,
}: {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
  readonly wide?: boolean;
}): ReactNode {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    dialog.current?.showModal();
  }, []);
  return (
    <dialog ref={dialog} className={wide ? 'wide' : ''} aria-label={title} onClose={onClose}>
      <header>
        <h2>{title}</h2>
        <button type="button" className="quiet" onClick={() => dialog.current?.close()} aria-label={texts.common.close}>
          ✕
        </button>
      </header>
      {children}
    </dialog>
  );
}

const units = [
  [86_400, 'd'],
  [3_600, 'h'],
  [60, 'min'],
  [1, 's'],
] as const;

/** How long ago, with the whole time as a hint. */
export function Ago({ time }: { readonly time: string | null | undefined }): ReactNode {
  if (!time) return <span className="faint">–</span>;
  const seconds = Math.max(0, Math.round((Date.now() - Date.parse(time)) / 1000));
  const [size, unit] = units.find(([least]) => seconds >= least) ?? [1, 's'];
  return <time dateTime={time} title={time}>{`${Math.floor(seconds / size)} ${unit}`}</time>;
}

/** How much of something is used, as a bar and a figure. */
export function Meter({
  used,
  total,
  text,
}: {
  readonly used: number;
  readonly total: number;
  readonly text: string;
}): ReactNode {
  const share = total > 0 ? Math.min(1, used / total) : 0;
  return (
    <span className="meter" title={text}>
      <svg viewBox="0 0 48 6" aria-hidden="true">
        <rect width="48" height="6" rx="3" />
        <rect className={share > 0.9 ? 'full' : 'part'} width={48 * share} height="6" rx="3" />
      </svg>
      <span>{text}</span>
    </span>
  );
}

/** The states of many templates as one bar, with their counts. */
export function States({ totals }: { readonly totals: Readonly<Record<string, number>> }): ReactNode {
  const shown = Object.keys(texts.states).filter((state) => (totals[state] ?? 0) > 0);
  if (shown.length === 0) return <span className="faint">–</span>;
  return (
    <span className="states">
      {shown.map((state) => (
        <span key={state} className={`state state-${state}`} title={texts.stateHelp[state]}>
          <i aria-hidden="true" />
          {totals[state]?.toLocaleString('en')} <span className="word">{texts.states[state]}</span>
        </span>
      ))}
    </span>
  );
}
