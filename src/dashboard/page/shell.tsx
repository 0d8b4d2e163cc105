import { useEffect, useState } from 'react';
import type { ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import { post, useLink, useLive, useMe } from './api.ts';
import type { WaitingView } from '../wire.ts';
import { Marked } from './parts.tsx';
import { Palette } from './palette.tsx';
import { texts } from './texts.ts';
import { switchTheme } from './theme.ts';

const { nav, top } = texts;

/** Screens in the order of the menu, with the path of a small picture. */
const screens = [
  ['/', nav.fleet, 'M3 4h7v6H3zM14 4h7v6h-7zM3 14h7v6H3zM14 14h7v6h-7z'],
  ['/templates', nav.workloads, 'M4 6h16M4 12h16M4 18h10'],
  ['/policies', nav.policies, 'M12 3l8 4v5c0 5-3.5 8-8 9-4.500-1-8-4-8-9V7z'],
  ['/plan', nav.plan, 'M5 12h10M11 6l6 6-6 6M20 5v14'],
  ['/waiting', nav.waiting, 'M8 5v14M16 5v14'],
  ['/timeline', nav.timeline, 'M12 3a9 9 0 1 0 9 9M12 7v5l4 2M21 4v5h-5'],
] as const;

/** The frame around every screen: menu, search, and what is wrong with the connection. */
export function Shell({ children }: { readonly children: ReactNode }): ReactNode {
  const [searching, search] = useState(false);
  useKeys(() => search(true));
  return (
    <div className="shell">
      <a className="skip" href="#content">
        {texts.skip}
      </a>
      <Menu />
      <div className="main">
        <Top onSearch={() => search(true)} />
        <Banner />
        <main id="content" tabIndex={-1}>
          {children}
        </main>
      </div>
      {searching ? <Palette onClose={() => search(false)} /> : null}
    </div>
  );
}

/** `/` and Ctrl-K search, wherever no text is typed. */
function useKeys(search: () => void): void {
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      const isTyping =
        event.target instanceof HTMLElement &&
        event.target.closest('input, textarea, select, [contenteditable="true"]') !== null;
      const isSearch =
        (event.key === '/' && !isTyping) || (event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey));
      if (!isSearch || document.querySelector('dialog[open]')) return;
      event.preventDefault();
      search();
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, [search]);
}

function Menu(): ReactNode {
  const [place] = useLocation();
  const { data } = useLive<WaitingView>('waiting');
  const waits = (data?.pendingTotal ?? 0) + (data?.suspensions.length ?? 0);
  return (
    <nav className="menu" aria-label={nav.label}>
      <Link href="/" className="brand">
        <img src="/icon.svg" alt="" width="22" height="22" />
        {texts.product}
      </Link>
      <ul>
        {screens.map(([path, name, icon]) => (
          <li key={path}>
            <Link
              href={path}
              className={path === '/plan' ? 'plan' : ''}
              aria-current={isAt(place, path) ? 'page' : undefined}
            >
              <svg viewBox="0 0 24 24" aria-hidden="true">
                <path d={icon} />
              </svg>
              <span>{name}</span>
              {path === '/waiting' && waits > 0 ? <b className="count">{waits}</b> : null}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

const parents: Readonly<Record<string, string>> = { '/template': '/templates', '/policy': '/policies' };
const isAt = (place: string, path: string): boolean => (parents[place] ?? place) === path;

const logout = (): void => void post('logout', {}).then(() => window.location.assign('/login'));

function Top({ onSearch }: { readonly onSearch: () => void }): ReactNode {
  const { data: me } = useMe();
  return (
    <div className="top">
      <button type="button" className="search" onClick={onSearch} title={top.searchHint}>
        <svg viewBox="0 0 24 24" aria-hidden="true">
          <path d="M10.500 4a6.500 6.500 0 1 0 0 13a6.500 6.500 0 0 0 0-13M15.500 15.500L20 20" />
        </svg>
        <span>{top.search}</span>
        <kbd>/</kbd>
      </button>
      <div className="who">
        {me && me.hidden.length > 0 ? (
          <details className="hidden-note">
            <summary>{top.hidden}</summary>
            <ul>
              {me.hidden.map((note) => (
                <li key={note}>
                  <Marked text={note} />
                </li>
              ))}
            </ul>
          </details>
        ) : null}
        {me ? (
          <span className="user" title={`${me.hub} · ${me.version}`}>
            <bdi>{me.user}</bdi>
          </span>
        ) : null}
        <button type="button" className="quiet icon" onClick={switchTheme} aria-label={top.theme} title={top.theme}>
          <svg viewBox="0 0 24 24" aria-hidden="true">
            <path d="M12 4a8 8 0 1 0 0 16zM12 4a8 8 0 0 1 0 16" />
          </svg>
        </button>
        <button type="button" className="quiet" onClick={logout}>
          {top.logout}
        </button>
      </div>
    </div>
  );
}

/** Says that what is shown may be old; it goes by itself. */
function Banner(): ReactNode {
  const { server, hub } = useLink();
  if (server && hub.up) return null;
  return (
    <div className="banner" role="status">
      {server ? top.hubGone : top.serverGone}
    </div>
  );
}
