import { expect, test } from 'vitest';
import { forbidden } from '../../api/index.ts';
import type { KubeObject } from '../../api/index.ts';
import { memoryStore } from '../../store/index.ts';
import { until } from '../../../test/kit/until.ts';
import { createHub } from '../hub.ts';
import type { HubResponse } from '../http.ts';

const user = { name: 'test', groups: ['system:masters'] };

test('a namespace goes as soon as what was refused may go, without a pause, and nobody is told of a fault', async () => {
  const faults: unknown[] = [];
  const store = memoryStore();
  const hub = await createHub({
    store,
    onFault: (error) => faults.push(error),
    // No pause ever ends.
    clock: { now: () => Date.now(), after: () => () => {} },
    admit: [
      ({ kind, operation, name, old }) => {
        if (operation === 'DELETE' && old?.metadata.labels?.['keep']) throw forbidden(kind, name, 'it is protected');
        return {};
      },
    ],
  });
  const ask = (method: string, path: string, object?: object): Promise<HubResponse> =>
    hub.handle({ method, path, query: '', headers: {}, user, wantsObjects: true, ...(object && { object }) });
  const namespace = '/api/v1/namespaces/shop';
  const guarded = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', labels: { keep: 'yes' } } };

  await ask('POST', '/api/v1/namespaces', { metadata: { name: 'shop' } });
  await ask('POST', `${namespace}/configmaps`, guarded);
  await ask('DELETE', namespace);
  await until('it says why', async () => JSON.stringify((await ask('GET', namespace)).object).includes('protected'));

  const { object } = await ask('GET', `${namespace}/configmaps/a`);
  const { labels: _, ...metadata } = (object as KubeObject).metadata;
  await ask('PUT', `${namespace}/configmaps/a`, { ...guarded, metadata });
  await until('the namespace is gone', async () => (await ask('GET', namespace)).status === 404);
  expect(faults).toEqual([]);
  await hub.close();
  await store.close();
});
