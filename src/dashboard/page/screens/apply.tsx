import { useState } from 'react';
import type { ReactNode } from 'react';
import type { PlanView } from '../../wire.ts';
import { client, post } from '../api.ts';
import { Dialog } from '../parts.tsx';
import { texts } from '../texts.ts';

const { plan, common } = texts;

/** Asks before a change is made, and says what it takes away. */
export function ApplyDialog({ view, onClose }: { readonly view: PlanView; readonly onClose: () => void }): ReactNode {
  const [done, finish] = useState<readonly string[]>();
  const [error, fail] = useState('');
  const [busy, work] = useState(false);
  const apply = async (): Promise<void> => {
    work(true);
    try {
      finish(await post<readonly string[]>('apply', { plan: view.id }));
      await client.invalidateQueries({ queryKey: ['live'] });
    } catch (problem) {
      fail((problem as Error).message);
    }
    work(false);
  };
  const style = view.dangerous ? 'dangerous' : 'primary';
  return (
    <Dialog title={done ? plan.applied : plan.applyTitle} onClose={onClose}>
      <div className="body">
        {done ? <Done lines={done} /> : <Question view={view} />}
        {error === '' ? null : (
          <p className="danger" role="alert">
            {error}
          </p>
        )}
      </div>
      <footer>
        <button type="button" onClick={onClose}>
          {done ? common.close : common.cancel}
        </button>
        {done ? null : (
          <button type="button" className={style} disabled={busy} onClick={() => void apply()}>
            {plan.applyConfirm}
          </button>
        )}
      </footer>
    </Dialog>
  );
}

function Done({ lines }: { readonly lines: readonly string[] }): ReactNode {
  return (
    <ul className="list">
      {lines.map((line) => (
        <li key={line}>
          <bdi>{line}</bdi>
        </li>
      ))}
    </ul>
  );
}

function Question({ view }: { readonly view: PlanView }): ReactNode {
  const { dangerous, summary, unseen, warnings } = view;
  return (
    <>
      <p>{dangerous ? plan.applyDanger : plan.applySafe}</p>
      <p>
        <strong>{summary}</strong>
      </p>
      {unseen.length > 0 ? <p className="caution">{plan.applyUnseen(unseen.join(', '))}</p> : null}
      {warnings.length > 0 ? (
        <ul className="list">
          {warnings.map(({ object, message }) => (
            <li key={object + message}>
              <bdi>{object}</bdi>: {message}
            </li>
          ))}
        </ul>
      ) : null}
    </>
  );
}
