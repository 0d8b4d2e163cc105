import {
  deployment,
  configMap,
  pod,
  selector,
  nginx,
  sidecar,
  web,
  create,
  strategic,
  merge,
  json,
  story,
  onConfigMap,
  template,
  order,
} from './story.ts';
import type { Case } from './story.ts';

/** Ownership by updates. */
export const updating: readonly Case[] = [
  story(
    'updates by several managers',
    create(
      web([{ ...nginx, resources: { requests: { cpu: '1' } }, securityContext: { runAsNonRoot: true } }, sidecar]),
    ),
    merge({ spec: { replicas: 2 } }, { manager: 'one' }),
    merge({ spec: { replicas: 3 }, metadata: { labels: { x: 'y' } } }, { manager: 'two' }),
    merge({ spec: { replicas: 3 } }, { manager: 'three' }),
    merge({ metadata: { labels: null, annotations: { q: 'r' } } }, { manager: 'one' }),
    strategic(template([{ name: 'sidecar', $patch: 'delete' }]), { manager: 'two' }),
    merge({ metadata: { annotations: null } }, { manager: 'three' }),
  ),
  onConfigMap(
    'more than ten updaters',
    create(configMap({ k: 'v' })),
    ...Array.from({ length: 12 }, (_, i) => merge({ data: { [`k${i}`]: 'v' } }, { manager: `m${i}` })),
  ),
  onConfigMap(
    'a manager without a change',
    create(configMap({ k: 'v' })),
    merge({ data: { k: 'v' } }),
    merge({ data: { k: null } }),
    merge({ data: { z: '1' } }),
  ),
];

/** Strategic merge and JSON patches. */
export const patching: readonly Case[] = [
  story(
    'set image, as kubectl sends it',
    create(web([nginx, sidecar])),
    strategic(
      template([{ name: 'nginx', image: 'nginx:2' }], { '$setElementOrder/containers': order('nginx', 'sidecar') }),
    ),
    strategic(
      template([{ name: 'new', image: 'n' }], { '$setElementOrder/containers': order('nginx', 'new', 'sidecar') }),
    ),
    strategic(template([{ name: 'first', image: 'n' }])),
    strategic({ spec: { template: { spec: { '$setElementOrder/containers': order('sidecar', 'nginx') } } } }),
    strategic(
      template([{ name: 'new', $patch: 'delete' }], {
        '$setElementOrder/containers': order('first', 'sidecar', 'nginx'),
      }),
    ),
    strategic(template([{ $patch: 'replace' }, { name: 'only', image: 'o' }])),
  ),
  story(
    'rollout restart and strategy',
    create(web()),
    strategic({ spec: { template: { metadata: { annotations: { 'kubectl.kubernetes.io/restartedAt': 'now' } } } } }),
    strategic({ spec: { strategy: { $retainKeys: ['type'], type: 'Recreate' } } }),
    strategic({ spec: { template: { metadata: { annotations: null } } } }),
  ),
  story(
    'volumes, env, ports, mounts',
    create(
      deployment({
        selector,
        template: pod(
          [
            {
              ...nginx,
              env: [{ name: 'x', value: '1' }],
              ports: [{ containerPort: 80 }],
              volumeMounts: [{ name: 'v', mountPath: '/v' }],
            },
          ],
          { volumes: [{ name: 'v', emptyDir: {} }] },
        ),
      }),
    ),
    strategic(
      template([
        {
          name: 'nginx',
          env: [
            { name: 'y', value: '2' },
            { name: 'x', value: '3' },
          ],
          ports: [{ containerPort: 80, name: 'http' }, { containerPort: 81 }],
        },
      ]),
    ),
    strategic({
      spec: {
        template: { spec: { volumes: [{ name: 'v', $retainKeys: ['name', 'hostPath'], hostPath: { path: '/x' } }] } },
      },
    }),
    strategic(
      template([
        { name: 'nginx', volumeMounts: [{ mountPath: '/v', $patch: 'delete' }], env: [{ name: 'x', value: null }] },
      ]),
    ),
    strategic({
      spec: {
        template: {
          spec: {
            tolerations: [{ key: 'a', operator: 'Exists' }],
            nodeSelector: { a: 'b' },
            imagePullSecrets: [{ name: 's' }],
          },
        },
      },
    }),
    strategic({
      spec: {
        template: {
          spec: {
            tolerations: [{ key: 'b', operator: 'Exists' }],
            nodeSelector: { c: 'd' },
            imagePullSecrets: [{ name: 't' }],
          },
        },
      },
    }),
    strategic({
      spec: {
        template: { spec: { nodeSelector: { $patch: 'replace', e: 'f' }, volumes: [{ $patch: 'delete', name: 'v' }] } },
      },
    }),
  ),
  onConfigMap(
    'scalars of a list',
    create(configMap({ k: 'v' }, { finalizers: ['example.com/a', 'example.com/b'] })),
    strategic({ metadata: { finalizers: ['example.com/c', 'example.com/a'] } }),
    strategic({
      metadata: {
        '$deleteFromPrimitiveList/finalizers': ['example.com/a'],
        '$setElementOrder/finalizers': ['example.com/b', 'example.com/c'],
      },
    }),
    strategic({ metadata: { finalizers: null }, data: { $patch: 'replace', z: '1' } }),
  ),
  story(
    'strategic patches that fail',
    create(web()),
    strategic(template([{ image: 'x' }])),
    strategic(template([{ name: 'nginx', $patch: 'unknown' }])),
    strategic({ spec: { $patch: 'merge' } }),
    strategic({ spec: { strategy: { $retainKeys: ['rollingUpdate'], type: 'Recreate' } } }),
    strategic({ spec: { template: { spec: { '$setElementOrder/containers': 'x' } } } }),
    strategic({
      spec: { template: { spec: { containers: order('nginx'), '$setElementOrder/containers': order('other') } } },
    }),
    strategic({ metadata: { $deleteFromPrimitiveList: ['x'] } }),
    strategic({ spec: { template: { spec: { containers: ['x'] } } } }),
  ),
  onConfigMap(
    'JSON patches',
    create(configMap({ a: '1' }, { labels: { x: 'y' } })),
    json(
      { op: 'test', path: '/data/a', value: '1' },
      { op: 'add', path: '/data/b', value: '2' },
      { op: 'move', from: '/data/b', path: '/data/c' },
    ),
    json({ op: 'replace', path: '/data/missing', value: '1' }),
    json({ op: 'copy', from: '/data/a', path: '/metadata/labels/a~1b' }),
    json({ op: 'test', path: '/data/a', value: '2' }),
    json({ op: 'remove', path: '/data/nothing' }),
    json({ op: 'add', path: '/nowhere/x', value: '2' }),
    json({ op: 'spam', path: '/data' }),
    { do: 'json', manager: 'patcher', body: { op: 'add' } },
    json({ op: 'add', path: 7 }),
  ),
];
