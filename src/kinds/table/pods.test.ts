import { expect, it } from 'vitest';
import { builtinCatalog } from '../../api/index.ts';
import { tableColumns, tableRow } from './table.ts';

const now = Date.parse('2026-01-01T01:00:00Z');
const created = '2026-01-01T00:00:00Z';
const kind = builtinCatalog().byKind('v1', 'Pod');
if (!kind) throw new Error('no pods');
const pods = kind;

interface PodCase {
  readonly spec?: object;
  readonly status?: object;
  readonly metadata?: object;
}

function row({ spec, status, metadata }: PodCase): readonly unknown[] {
  const object = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'p', creationTimestamp: created, ...metadata },
    spec: { containers: [{ name: 'a' }, { name: 'b' }], ...spec },
    status: { phase: 'Running', ...status },
  };
  return tableRow(pods, object, now).cells;
}

const up = (name: string): object => ({ name, ready: true, restartCount: 0, state: { running: {} } });
const ended = (name: string, terminated: object): object => ({ name, restartCount: 0, state: { terminated } });
const waits = (name: string, reason: string): object => ({ name, restartCount: 2, state: { waiting: { reason } } });
const init = { initContainers: [{ name: 'i' }, { name: 'j' }] };
const sidecar = { initContainers: [{ name: 'i', restartPolicy: 'Always' }] };

it.each<readonly [string, PodCase, readonly unknown[]]>([
  ['pending', { status: { phase: 'Pending' } }, ['0/2', 'Pending', '0']],
  ['running', { status: { containerStatuses: [up('a'), up('b')] } }, ['2/2', 'Running', '0']],
  ['evicted', { status: { phase: 'Failed', reason: 'Evicted' } }, ['0/2', 'Evicted', '0']],
  [
    'gated',
    { status: { phase: 'Pending', conditions: [{ type: 'PodScheduled', reason: 'SchedulingGated' }] } },
    ['0/2', 'SchedulingGated', '0'],
  ],
  [
    'crashing',
    { status: { containerStatuses: [up('a'), waits('b', 'CrashLoopBackOff')] } },
    ['1/2', 'CrashLoopBackOff', '2'],
  ],
  [
    'restarted',
    {
      status: {
        containerStatuses: [
          { ...up('a'), restartCount: 3, lastState: { terminated: { finishedAt: '2026-01-01T00:55:00Z' } } },
          { ...up('b'), restartCount: 1, lastState: { terminated: { finishedAt: '2026-01-01T00:50:00Z' } } },
        ],
      },
    },
    ['2/2', 'Running', '4 (5m ago)'],
  ],
  ['exit code', { status: { containerStatuses: [ended('a', { exitCode: 3 }), up('b')] } }, ['1/2', 'ExitCode:3', '0']],
  ['signal', { status: { containerStatuses: [ended('a', { exitCode: 137, signal: 9 })] } }, ['0/2', 'Signal:9', '0']],
  [
    'partly completed, ready',
    {
      status: {
        containerStatuses: [ended('a', { exitCode: 0, reason: 'Completed' }), up('b')],
        conditions: [{ type: 'Ready', status: 'True' }],
      },
    },
    ['1/2', 'Running', '0'],
  ],
  [
    'partly completed, not ready',
    { status: { containerStatuses: [ended('a', { exitCode: 0, reason: 'Completed' }), up('b')] } },
    ['1/2', 'NotReady', '0'],
  ],
  [
    'initialising',
    {
      spec: init,
      status: { phase: 'Pending', initContainerStatuses: [ended('i', { exitCode: 0 }), { name: 'j', state: {} }] },
    },
    ['0/2', 'Init:1/2', '0'],
  ],
  [
    'initialisation failed',
    { spec: init, status: { phase: 'Pending', initContainerStatuses: [ended('i', { exitCode: 1, reason: 'Error' })] } },
    ['0/2', 'Init:Error', '0'],
  ],
  [
    'initialisation waits',
    { spec: init, status: { phase: 'Pending', initContainerStatuses: [waits('i', 'ImagePullBackOff')] } },
    ['0/2', 'Init:ImagePullBackOff', '2'],
  ],
  [
    'initialised: what init containers restarted no longer counts',
    {
      spec: init,
      status: {
        initContainerStatuses: [{ ...ended('i', { exitCode: 0 }), restartCount: 4 }, ended('j', { exitCode: 0 })],
        containerStatuses: [up('a'), up('b')],
      },
    },
    ['2/2', 'Running', '0'],
  ],
  [
    'sidecar',
    {
      spec: sidecar,
      status: {
        initContainerStatuses: [{ ...up('i'), started: true, restartCount: 1 }],
        containerStatuses: [up('a'), up('b')],
      },
    },
    ['3/3', 'Running', '1'],
  ],
  ['deleted', { metadata: { deletionTimestamp: created } }, ['0/2', 'Terminating', '0']],
  [
    'deleted after it ended',
    { metadata: { deletionTimestamp: created }, status: { phase: 'Succeeded' } },
    ['0/2', 'Succeeded', '0'],
  ],
  ['lost', { metadata: { deletionTimestamp: created }, status: { reason: 'NodeLost' } }, ['0/2', 'Unknown', '0']],
])('%s', (_, pod, expected) => {
  expect(row(pod).slice(0, 5)).toEqual(['p', ...expected, '60m']);
});

it('has wide columns', () => {
  const wide = {
    spec: { nodeName: 'n1', readinessGates: [{ conditionType: 'x' }, { conditionType: 'y' }] },
    status: { podIPs: [{ ip: '10.0.0.1' }], conditions: [{ type: 'x', status: 'True' }] },
  };
  expect(row(wide).slice(5)).toEqual(['10.0.0.1', 'n1', '<none>', '1/2']);
  expect(row({}).slice(5)).toEqual(['<none>', '<none>', '<none>', '<none>']);
  expect(tableColumns(pods).map(({ name, priority }) => `${name}${priority ? '+' : ''}`)).toEqual([
    'Name',
    'Ready',
    'Status',
    'Restarts',
    'Age',
    'IP+',
    'Node+',
    'Nominated Node+',
    'Readiness Gates+',
  ]);
});

it('marks a pod that has ended', () => {
  const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' }, status: { phase: 'Succeeded' } };
  expect(tableRow(pods, pod, now).conditions).toEqual([{ type: 'Completed', status: 'True', reason: 'Succeeded' }]);
  expect(tableRow(pods, { ...pod, metadata: { name: 'q' } }, now).cells.at(-5)).toBe('<unknown>');
});
