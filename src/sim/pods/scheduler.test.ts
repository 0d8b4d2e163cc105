import { expect, test } from 'vitest';
import type { Pod } from '../cluster/objects.ts';
import { WaitingPods } from './scheduler.ts';

function pod(name: string, cpu: string, more: Partial<Pod['spec']> = {}): Pod {
  const containers = [{ name: 'main', image: 'nginx', resources: { requests: { cpu } } }];
  return { apiVersion: 'v1', kind: 'Pod', metadata: { name, namespace: 'shop' }, spec: { containers, ...more } };
}

/** A thousand small pods and two large ones that fit nowhere. */
function crowded(): WaitingPods {
  const waiting = new WaitingPods();
  for (let i = 0; i < 1000; i++) waiting.add(`small-${i}`, pod(`small-${i}`, '1'));
  for (let i = 0; i < 2; i++) waiting.add(`large-${i}`, pod(`large-${i}`, '4'));
  return waiting;
}

const bound = (one: Pod): Pod => ({ ...one, spec: { ...one.spec, nodeName: 'node1' } });

test('Freed capacity wakes one waiting pod of each size', () => {
  const gone = { key: 'gone', before: bound(pod('gone', '1')) };
  expect([...crowded().wokenBy(gone)]).toEqual(['small-0', 'large-0']);
});

test('A pod that completes frees its capacity', () => {
  const before = bound(pod('job', '1'));
  const after = { ...before, status: { phase: 'Succeeded' } };
  expect([...crowded().wokenBy({ key: 'job', before, after })]).toEqual(['small-0', 'large-0']);
});

test('A pod that finds a node wakes the next pod of its size', () => {
  const waiting = crowded();
  const change = { key: 'small-0', before: pod('small-0', '1'), after: bound(pod('small-0', '1')) };
  waiting.learn('/pods', change);
  expect([...waiting.wokenBy(change)]).toEqual(['small-1']);
});

test('The deletion of a waiting pod wakes the next pod of its size', () => {
  const waiting = crowded();
  const change = { key: 'large-0', before: pod('large-0', '4') };
  waiting.learn('/pods', change);
  expect([...waiting.wokenBy(change)]).toEqual(['large-1']);
});

test('A status change of a waiting pod wakes no other pod', () => {
  const before = pod('small-0', '1');
  const change = { key: 'small-0', before, after: { ...before, status: { phase: 'Pending' } } };
  const waiting = crowded();
  waiting.learn('/pods', change);
  expect([...waiting.wokenBy(change)]).toEqual([]);
  expect([...waiting.all()]).toHaveLength(1002);
});

test('A waiting pod whose tolerations change leaves its group', () => {
  const before = pod('large-1', '4');
  const after = pod('large-1', '4', { tolerations: [{ key: 'gpu', operator: 'Exists' }] });
  const waiting = crowded();
  waiting.learn('/pods', { key: 'large-1', before, after });
  expect([...waiting.all()]).not.toContain('large-1');
});
