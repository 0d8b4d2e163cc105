import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { KeyboardEvent, ReactNode } from 'react';
import { useLocation } from 'wouter';
import type { Ref } from '../../api/index.ts';
import { queryOf, request } from './api.ts';
import { placeOf } from './parts.tsx';
import { texts } from './texts.ts';
import { switchTheme } from './theme.ts';

interface Entry {
  readonly key: string;
  readonly label: string;
  readonly hint: string;
  readonly run: () => void;
}

const { nav, palette } = texts;

const places: readonly (readonly [string, string])[] = [
  [nav.fleet, '/'],
  [nav.workloads, '/templates'],
  [nav.policies, '/policies'],
  [nav.plan, '/plan'],
  [nav.waiting, '/waiting'],
  [nav.timeline, '/timeline'],
];

/** Finds screens, commands and objects by their names; arrows choose, Enter goes there. */
export function Palette({ onClose }: { readonly onClose: () => void }): ReactNode {
  const dialog = useRef<HTMLDialogElement>(null);
  const [text, type] = useState('');
  const [at, move] = useState(0);
  const entries = useEntries(text);
  useEffect(() => dialog.current?.showModal(), []);
  const chosen = Math.min(at, entries.length - 1);
  const go = (entry: Entry | undefined): void => {
    dialog.current?.close();
    entry?.run();
  };
  const press = (event: KeyboardEvent): void => {
    const step = steps[event.key];
    if (step === undefined && event.key !== 'Enter') return;
    event.preventDefault();
    if (step === undefined) go(entries[chosen]);
    else move((chosen + step + entries.length) % Math.max(1, entries.length));
  };
  const search = (wanted: string): void => {
    type(wanted);
    move(0);
  };
  return (
    <dialog ref={dialog} className="palette" aria-label={palette.label} onClose={onClose} onKeyDown={press}>
      <input
        type="search"
        role="combobox"
        aria-expanded="true"
        aria-controls="found"
        aria-activedescendant={entries[chosen] ? `found-${chosen}` : undefined}
        aria-label={palette.label}
        placeholder={texts.top.search}
        value={text}
        onChange={({ target }) => search(target.value)}
      />
      <Entries entries={entries} chosen={chosen} onChoose={move} onGo={go} />
    </dialog>
  );
}

const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };

interface List {
  readonly entries: readonly Entry[];
  readonly chosen: number;
  readonly onChoose: (at: number) => void;
  readonly onGo: (entry: Entry) => void;
}

function Entries({ entries, chosen, onChoose, onGo }: List): ReactNode {
  return (
    <ul id="found" role="listbox" aria-label={palette.label}>
      {entries.map((entry, i) => (
        <li
          key={entry.key}
          id={`found-${i}`}
          role="option"
          aria-selected={i === chosen}
          onMouseMove={() => onChoose(i)}
          onClick={() => onGo(entry)}
        >
          <bdi>{entry.label}</bdi>
          <span>{entry.hint}</span>
        </li>
      ))}
      {entries.length === 0 ? (
        <li role="option" aria-selected="false" aria-disabled="true">
          {palette.none}
        </li>
      ) : null}
    </ul>
  );
}

function useEntries(text: string): readonly Entry[] {
  const [, go] = useLocation();
  const { data = [] } = useQuery({
    queryKey: ['search', text],
    queryFn: ({ signal }) => request<readonly Ref[]>(`search${queryOf({ text })}`, { signal }),
    enabled: text.trim() !== '',
    staleTime: 2_000,
  });
  const wanted = text.trim().toLowerCase();
  const commands: Entry[] = [
    ...places.map(([label, path]) => ({ key: path, label, hint: palette.goTo, run: () => go(path) })),
    { key: 'theme', label: palette.theme, hint: '', run: switchTheme },
  ];
  const found = wanted === '' ? [] : data;
  const members = found.filter(({ kind }) => kind === 'Cluster');
  return [
    ...commands.filter(({ label }) => label.toLowerCase().includes(wanted)),
    ...found.map((ref) => ({
      key: `${ref.kind}/${ref.namespace ?? ''}/${ref.name}`,
      label: ref.name,
      hint: `${ref.kind}${ref.namespace ? ` in ${ref.namespace}` : ''}`,
      run: () => go(placeOf(ref)),
    })),
    ...members.map(({ name }) => ({
      key: `lose ${name}`,
      label: palette.planLoss(name),
      hint: nav.plan,
      run: () => go(`/plan${queryOf({ delete: `cluster/${name}` })}`),
    })),
  ];
}
