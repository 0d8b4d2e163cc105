import {
  deployment,
  configMap,
  pod,
  selector,
  nginx,
  sidecar,
  web,
  create,
  apply,
  strategic,
  merge,
  story,
  onConfigMap,
  template,
} from './story.ts';
import type { Case } from './story.ts';

/** Server-side apply. */
export const applying: readonly Case[] = [
  story('apply creates, and again is nothing', apply('a', web()), apply('a', web())),
  story(
    'what an applier leaves out goes',
    apply('a', web([{ ...nginx, env: [{ name: 'x', value: '1' }], args: ['--x'] }], { minReadySeconds: 3 })),
    apply('a', web([nginx])),
  ),
  story(
    'appliers of different fields',
    apply('a', web()),
    apply('b', deployment({ minReadySeconds: 5 }, { labels: { team: 'b' } })),
    apply('a', web([nginx], { revisionHistoryLimit: 3 })),
    apply('b', deployment({})),
  ),
  story(
    'appliers that share a value',
    apply('a', web([nginx], { minReadySeconds: 5 })),
    apply('b', deployment({ minReadySeconds: 5 })),
    apply('a', web([nginx])),
    apply('b', deployment({})),
  ),
  story(
    'a conflict of appliers, then force',
    apply('a', web()),
    apply('b', deployment({ replicas: 3 })),
    apply('b', deployment({ replicas: 3 }), { force: true }),
    apply('a', web()),
  ),
  story(
    'conflicts with a client-side apply',
    create(web([{ ...nginx, env: [{ name: 'x', value: '1' }] }]), 'kubectl-client-side-apply'),
    apply('kubectl', deployment({ replicas: 3 })),
    apply('kubectl', web([{ ...nginx, image: 'nginx:2' }], { replicas: 4 })),
    apply('kubectl', web([{ ...nginx, image: 'nginx:2' }], { replicas: 4 }), { force: true }),
  ),
  story(
    'an update takes a field from an applier',
    apply('a', web()),
    merge({ spec: { replicas: 7 } }),
    apply('a', web()),
    apply('c', deployment({ replicas: 7 })),
    apply('a', web([nginx], { replicas: 7 })),
    apply('a', web([nginx], { replicas: 2 }), { force: true }),
  ),
  story(
    'containers of two appliers',
    apply('a', web([nginx])),
    apply('b', deployment({ template: { spec: { containers: [sidecar] } } })),
    apply('a', web([nginx, { name: 'third', image: 'c' }])),
    apply('b', deployment({ template: { spec: {} } })),
    apply('a', web([{ name: 'third', image: 'c' }, nginx])),
  ),
  story(
    'a container in which another manager owns a field',
    apply('a', web([nginx, sidecar])),
    strategic(template([{ name: 'sidecar', env: [{ name: 'x', value: '1' }] }])),
    apply('a', web([nginx])),
  ),
  story(
    'ports: the protocol has a default',
    apply('a', web([{ ...nginx, ports: [{ containerPort: 80 }, { containerPort: 80, protocol: 'UDP' }] }])),
    apply('a', web([{ ...nginx, ports: [{ containerPort: 80, protocol: 'TCP', name: 'http' }] }])),
    apply('a', web([{ ...nginx, ports: [{ containerPort: 81 }] }])),
  ),
  story(
    'env and volumes come and go',
    apply(
      'a',
      deployment({
        selector,
        template: pod(
          [
            {
              ...nginx,
              env: [
                { name: 'x', value: '1' },
                { name: 'y', value: '2' },
              ],
              volumeMounts: [{ name: 'v', mountPath: '/v' }],
            },
          ],
          { volumes: [{ name: 'v', emptyDir: {} }] },
        ),
      }),
    ),
    apply(
      'a',
      deployment({
        selector,
        template: pod([
          {
            ...nginx,
            env: [
              { name: 'y', value: '3' },
              { name: 'z', value: '1' },
            ],
          },
        ]),
      }),
    ),
    apply('a', deployment({ selector, template: pod([{ ...nginx, env: [] }]) })),
  ),
  story(
    'empty structs and nulls',
    apply('a', web([{ ...nginx, resources: { limits: { cpu: '1' } } }])),
    apply('a', web([{ ...nginx, resources: {} }], { strategy: {} })),
    apply('a', web([{ ...nginx, resources: null, args: null }], { minReadySeconds: null, strategy: {} })),
  ),
  story(
    'atomic fields',
    apply(
      'a',
      deployment({
        selector,
        template: pod([{ ...nginx, args: ['a', 'b'] }], {
          nodeSelector: { x: 'y' },
          tolerations: [{ key: 'k', operator: 'Exists' }],
        }),
      }),
    ),
    apply('b', deployment({ template: { spec: { nodeSelector: { z: 'w' } } } })),
    apply('b', deployment({ template: { spec: { nodeSelector: { z: 'w' } } } }), { force: true }),
    apply('a', deployment({ selector, template: pod([{ ...nginx, args: ['c'] }]) })),
  ),
  onConfigMap(
    'keys of a map',
    apply('a', configMap({ a: '1', b: '2' })),
    apply('b', configMap({ c: '3', a: '1' })),
    apply('a', configMap({ b: '3' })),
    apply('b', configMap(undefined)),
    apply('a', configMap(undefined)),
  ),
  onConfigMap(
    'labels, annotations, finalizers, owners',
    apply(
      'a',
      configMap(
        {},
        {
          labels: { a: '1' },
          annotations: { x: 'y' },
          finalizers: ['example.com/a'],
          ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name: 'p', uid: 'u1' }],
        },
      ),
    ),
    apply(
      'b',
      configMap(undefined, {
        finalizers: ['example.com/b'],
        labels: { b: '2' },
        ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name: 'q', uid: 'u2' }],
      }),
    ),
    apply('a', configMap(undefined, { labels: {} })),
    apply('b', configMap(undefined)),
    merge({ metadata: { finalizers: null } }),
  ),
  onConfigMap(
    'an object that no one applied to',
    create(configMap({ a: '1' }), 'creator'),
    merge({ metadata: { managedFields: [] } }),
    merge({ data: { b: '2' } }),
    apply('a', configMap({ a: '2' })),
    apply('a', configMap({ a: '1' })),
    apply('a', configMap({ c: '1' })),
    apply('a', configMap({ a: '2' }), { force: true }),
  ),
  story(
    'from client-side to server-side apply',
    create(
      deployment(
        { replicas: 1, selector, template: pod([nginx]) },
        { annotations: { 'kubectl.kubernetes.io/last-applied-configuration': JSON.stringify(web()), note: 'a<b' } },
      ),
      'kubectl-client-side-apply',
    ),
    apply('kubectl', web([{ ...nginx, image: 'nginx:2' }])),
    merge({ spec: { replicas: 9 } }),
    apply('kubectl', web([{ ...nginx, image: 'nginx:3' }])),
  ),
  story(
    'the status is owned apart',
    create(web()),
    merge(
      {
        status: {
          observedGeneration: 1,
          conditions: [{ type: 'Available', status: 'True', reason: 'x', message: 'y' }],
        },
      },
      { subresource: 'status', manager: 'controller' },
    ),
    apply(
      's',
      {
        ...deployment({ replicas: 3 }),
        status: { replicas: 2, conditions: [{ type: 'Progressing', status: 'True' }] },
      },
      { subresource: 'status' },
    ),
    apply('a', { ...deployment({ minReadySeconds: 1 }), status: { replicas: 9 } }),
    apply('s', { ...deployment({}), status: { replicas: 2 } }, { subresource: 'status' }),
  ),
  story(
    'scale',
    apply('a', web()),
    merge({ spec: { replicas: 4 } }, { subresource: 'scale', manager: 'scaler' }),
    apply('a', web()),
  ),
  story(
    'what cannot be applied',
    create(web()),
    apply('a', deployment({ nonsense: 1 })),
    apply('a', deployment({ replicas: 'x' })),
    apply('a', deployment({ template: { spec: { containers: [nginx, nginx] } } })),
    apply('a', deployment({ template: { spec: { containers: [{ image: 'x' }] } } })),
    apply('a', { ...web(), kind: 'Other' }),
    apply('a', deployment({}, { managedFields: [] })),
    apply('a', deployment({ template: { spec: { containers: 'x' } } })),
  ),
];
