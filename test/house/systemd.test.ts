/** The units of deploy/systemd: flags that exist, a user without rights, and files that belong together. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const read = (file: string): string => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
const shapes = JSON.parse(read('src/cli/gen/shapes.json')) as Readonly<
  Record<string, { readonly options: readonly { readonly flags: string }[] }>
>;

/** The settings of a unit by section. */
function unitOf(name: string): ReadonlyMap<string, string> {
  let section = '';
  const found = new Map<string, string>();
  for (const line of read(`deploy/systemd/${name}`).split('\n')) {
    const [, head] = /^\[(\w+)\]$/.exec(line) ?? [];
    const [, key = '', value = ''] = /^(\w+)=(.*)$/.exec(line) ?? [];
    if (head !== undefined) section = head;
    else if (key !== '') found.set(`${section}.${key}`, value);
    else expect(line, name).toMatch(/^(#.*)?$/);
  }
  return found;
}

test.each(['sluice.service', 'sluice-backup.service'])('%s calls the program with flags that it has', (name) => {
  const line = unitOf(name).get('Service.ExecStart') ?? '';
  const [, command = '', rest = ''] = /\/usr\/local\/bin\/sluice (\w+) ([^&']*)/.exec(line) ?? [];
  const known = shapes[command]?.options.map(({ flags }) => flags.split(' ')[0]) ?? [];
  expect(known.length).toBeGreaterThan(0);
  for (const [flag] of rest.matchAll(/--[a-z-]+/g)) expect(known, line).toContain(flag);
  expect(rest).toContain('--data-dir /var/lib/sluice/hub');
});

test.each(['sluice.service', 'sluice-backup.service'])(
  '%s runs as a user of its own and keeps its files to itself',
  (name) => {
    const unit = unitOf(name);
    expect(unit.get('Service.User')).toBe('sluice');
    expect(unit.get('Service.UMask')).toBe('0077');
    expect(unit.get('Service.StateDirectoryMode')).toBe('0700');
  },
);

test('the hub is started again after a failure, and has time to stop', () => {
  const unit = unitOf('sluice.service');
  expect(unit.get('Service.Restart')).toBe('on-failure');
  expect(Number(unit.get('Service.TimeoutStopSec'))).toBeGreaterThan(5);
  expect(unit.get('Service.NoNewPrivileges')).toBe('yes');
  expect(unit.get('Install.WantedBy')).toBe('multi-user.target');
});

test('the timer starts the unit of its name, also after the machine was off', () => {
  const timer = unitOf('sluice-backup.timer');
  expect(timer.get('Timer.Persistent')).toBe('yes');
  expect(timer.get('Timer.OnCalendar')).toMatch(/^\*-\*-\* \d\d:\d\d:\d\d$/);
  expect(unitOf('sluice-backup.service').get('Service.Type')).toBe('oneshot');
});
