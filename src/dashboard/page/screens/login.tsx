import { useState } from 'react';
import type { ReactNode } from 'react';
import { useSearch } from 'wouter';
import { post } from '../api.ts';
import { Marked } from '../parts.tsx';
import { texts } from '../texts.ts';

const { login } = texts;

/** Where people without a session log in. */
export function Login(): ReactNode {
  const query = new URLSearchParams(useSearch());
  const [way, choose] = useState<'token' | 'kubeconfig'>('token');
  const [text, type] = useState('');
  const [error, fail] = useState('');
  const [busy, work] = useState(false);
  const back = query.get('back') ?? '/';
  const why = query.get('why');
  const submit = async (): Promise<void> => {
    work(true);
    fail('');
    try {
      await post('login', { [way]: text });
      window.location.assign(/^\/(?!\/)/.test(back) ? back : '/');
    } catch (problem) {
      fail((problem as Error).message);
      work(false);
    }
  };
  return (
    <main className="login">
      <form action={() => void submit()}>
        <img src="/icon.svg" alt="" width="40" height="40" />
        <h1>{login.title}</h1>
        <p>{login.lead}</p>
        {why === 'used' || why === 'wait' ? (
          <p className="caution" role="status">
            {login[why]}
          </p>
        ) : null}
        <div className="tabs" role="group" aria-label={login.title}>
          {(['token', 'kubeconfig'] as const).map((one) => (
            <button key={one} type="button" aria-pressed={one === way} onClick={() => choose(one)}>
              {login[one]}
            </button>
          ))}
        </div>
        {way === 'token' ? <Token text={text} onText={type} /> : <Kubeconfig text={text} onText={type} />}
        {error === '' ? null : (
          <p className="danger" role="alert">
            {error}
          </p>
        )}
        <button type="submit" className="primary" disabled={busy || text.trim() === ''}>
          {busy ? login.working : login.submit}
        </button>
      </form>
    </main>
  );
}

interface Entry {
  readonly text: string;
  readonly onText: (text: string) => void;
}

function Token({ text, onText }: Entry): ReactNode {
  return (
    <label>
      {login.token}
      <input type="password" autoComplete="off" value={text} onChange={({ target }) => onText(target.value)} />
      <small>
        <Marked text={login.tokenHelp} />
      </small>
    </label>
  );
}

function Kubeconfig({ text, onText }: Entry): ReactNode {
  const read = (files: FileList | null): void => void files?.[0]?.text().then(onText);
  return (
    <label
      onDrop={(event) => {
        event.preventDefault();
        read(event.dataTransfer.files);
      }}
    >
      {login.kubeconfig}
      <textarea rows={6} spellCheck={false} value={text} onChange={({ target }) => onText(target.value)} />
      <input type="file" aria-label={login.choose} onChange={({ target }) => read(target.files)} />
      <small>
        <Marked text={login.kubeconfigHelp} />
      </small>
    </label>
  );
}
