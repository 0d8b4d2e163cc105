const key = 'sluice-theme';

/** Light or dark: as chosen here before, else as the system says. */
export function applyTheme(): void {
  const chosen = window.localStorage.getItem(key);
  if (chosen) document.documentElement.dataset['theme'] = chosen;
}

/** The other theme, from now on. */
export function switchTheme(): void {
  const next = isDark() ? 'light' : 'dark';
  window.localStorage.setItem(key, next);
  document.documentElement.dataset['theme'] = next;
  window.dispatchEvent(new Event('sluice-theme'));
}

/** Returns whether the dark theme is shown. */
export function isDark(): boolean {
  const { theme } = document.documentElement.dataset;
  return theme ? theme === 'dark' : window.matchMedia('(prefers-color-scheme: dark)').matches;
}
