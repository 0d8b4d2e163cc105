import { badRequest, notFound } from '../../api/index.ts';
import { objectKey } from '../../apiserver/index.ts';
import type { HubOptions } from '../../apiserver/index.ts';
import type { Store } from '../../store/index.ts';

const pods = { group: '', plural: 'pods' };

/** Answers requests about the containers of a pod: they are simulated, so there is no process to speak of. */
export function containerHandlers(store: Store): NonNullable<HubOptions['handlers']> {
  const requirePod = (namespace: string, name: string): void => {
    if (!store.get(objectKey(pods, namespace, name))) throw notFound(pods, name);
  };
  const log = Buffer.from('this pod is simulated: it runs no process and writes no log\n');
  return {
    '/pods/log': ({ target }) => {
      requirePod(target.namespace, target.name);
      return { response: { status: 200, headers: { 'content-type': 'text/plain' }, body: log } };
    },
    ...Object.fromEntries(
      ['exec', 'attach', 'portforward'].map((subresource) => [
        `/pods/${subresource}`,
        ({ target }: { readonly target: { readonly namespace: string; readonly name: string } }): never => {
          requirePod(target.namespace, target.name);
          throw badRequest(`pods/${subresource}: this pod is simulated and runs no process`);
        },
      ]),
    ),
  };
}
