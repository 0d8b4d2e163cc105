import { expect, test } from 'vitest';
import { commands } from './commands.ts';
import { commandPages } from './help.ts';
import type { Io } from './io.ts';
import { inOurSpelling, spellings } from './spellings.ts';

test.each([
  ['get cm --labels=a=b --karmada-context x', 'get cm --selector=a=b --context x'],
  ['apply -f x --cluster member1', 'apply -f x --clusters member1'],
  ['join m --cluster-zones=a,b', 'join m --zone=a,b'],
  ['unjoin m --wait 5s', 'unjoin m --wait-timeout 5s'],
  ['taint clusters m a:NoSchedule', 'taint m a:NoSchedule'],
  ['taint cluster a:NoSchedule', 'taint cluster a:NoSchedule'],
  ['taint m a:NoSchedule', 'taint m a:NoSchedule'],
  ['reconcile all --wait', 'reconcile all --wait'],
  ['describe deployment nginx -n shop', 'describe deployment/nginx -n shop'],
  ['label cluster m a=b c-', 'label cluster/m a=b c-'],
  ['label cluster/m a=b', 'label cluster/m a=b'],
  ['label cluster a=b', 'label cluster a=b'],
  ['suspend policy web', 'suspend policy/web'],
  ['status -n shop', 'status -n shop'],
  ['status deployment -n shop', 'status deployment -n shop'],
  ['get deployment nginx', 'get deployment nginx'],
  ['annotate cm/a -- --cluster=x', 'annotate cm/a -- --cluster=x'],
  ['', ''],
])('%s is %s', (theirs, ours) => expect(inOurSpelling(theirs.split(' ')).join(' ')).toBe(ours));

test('every spelling stands for a flag that there is, and for none that there is', async () => {
  const pages = await commandPages({ io: {} as Io, exit: () => {} });
  for (const { name } of commands) {
    const flags = pages.find((page) => page.name === name)?.flags ?? [];
    for (const [theirs, ours] of Object.entries(spellings[name] ?? {})) {
      expect(flags).toContain(ours);
      expect(flags).not.toContain(theirs);
    }
  }
});
