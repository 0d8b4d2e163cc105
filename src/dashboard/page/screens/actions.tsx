import { useState } from 'react';
import type { ReactNode } from 'react';
import type { Ref } from '../../../api/index.ts';
import type { FleetView } from '../../wire.ts';
import { client, post, useLive } from '../api.ts';
import { Dialog } from '../parts.tsx';
import { texts } from '../texts.ts';

const { waiting, common } = texts;

interface Asking {
  readonly title: string;
  readonly lead: string;
  readonly confirm: string;
  readonly danger?: boolean;
  readonly onConfirm: () => Promise<unknown>;
  readonly onClose: () => void;
  readonly children?: ReactNode;
}

/** Asks for what an action needs, does it, and says why it could not be done. */
export function ActionDialog({ title, lead, confirm, danger, onConfirm, onClose, children }: Asking): ReactNode {
  const [error, fail] = useState('');
  const [busy, work] = useState(false);
  const act = async (): Promise<void> => {
    work(true);
    try {
      await onConfirm();
      await client.invalidateQueries({ queryKey: ['live'] });
      onClose();
    } catch (problem) {
      fail((problem as Error).message);
      work(false);
    }
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <form action={() => void act()}>
        <div className="body">
          <p>{lead}</p>
          {children}
          {error === '' ? null : (
            <p className="danger" role="alert">
              {error}
            </p>
          )}
        </div>
        <footer>
          <button type="button" onClick={onClose}>
            {common.cancel}
          </button>
          <button type="submit" className={danger ? 'dangerous' : 'primary'} disabled={busy}>
            {confirm}
          </button>
        </footer>
      </form>
    </Dialog>
  );
}

/** Suspends dispatching: where, why, whom to ask, and until when. */
export function SuspendDialog({ target, onClose }: { readonly target: Ref; readonly onClose: () => void }): ReactNode {
  const { data } = useLive<FleetView>('fleet');
  const [clusters, choose] = useState<readonly string[]>([]);
  const [words, write] = useState({ reason: '', owner: '', until: '' });
  const names = data?.members.map(({ name }) => name) ?? [];
  const toggle = (name: string): void =>
    choose((all) => (all.includes(name) ? all.filter((one) => one !== name) : [...all, name]));
  return (
    <ActionDialog
      title={waiting.suspendTitle(target.name)}
      lead={waiting.suspendLead}
      confirm={waiting.suspendConfirm}
      onConfirm={() => post('suspend', { target, clusters, ...words })}
      onClose={onClose}
    >
      <fieldset className="checks">
        <legend>{waiting.members}</legend>
        {names.map((name) => (
          <label key={name}>
            <input type="checkbox" checked={clusters.includes(name)} onChange={() => toggle(name)} />
            <bdi>{name}</bdi>
          </label>
        ))}
      </fieldset>
      {(['reason', 'owner', 'until'] as const).map((name) => (
        <label key={name}>
          {waiting[name]}
          <input
            value={words[name]}
            onChange={({ target: { value } }) => write((all) => ({ ...all, [name]: value }))}
          />
        </label>
      ))}
    </ActionDialog>
  );
}

/** Activates what is pending, in batches. */
export function ActivateDialog({
  targets,
  count,
  onClose,
}: {
  readonly targets: readonly Ref[];
  readonly count: number;
  readonly onClose: () => void;
}): ReactNode {
  const [batch, size] = useState('');
  const [pauseSeconds, pause] = useState(0);
  return (
    <ActionDialog
      title={waiting.activateTitle}
      lead={waiting.activateLead(count)}
      confirm={waiting.start}
      onConfirm={() => post('activate', { targets, pauseSeconds, ...(batch !== '' && { batch }) })}
      onClose={onClose}
    >
      <label>
        {waiting.batch}
        <input
          value={batch}
          placeholder={waiting.batchHelp}
          pattern="[1-9][0-9]*%?"
          onChange={({ target }) => size(target.value)}
        />
      </label>
      <label>
        {waiting.pause}
        <input
          type="number"
          min={0}
          max={3600}
          value={pauseSeconds}
          onChange={({ target }) => pause(Number(target.value))}
        />
      </label>
    </ActionDialog>
  );
}
