import { refOf } from '../api/index.ts';
import type { KubeObject } from '../api/index.ts';
import { equal } from '../base/index.ts';
import { isNotFound } from '../client/index.ts';
import type { ApiClient } from '../client/index.ts';
import { nameOf } from './change.ts';

/** Creates objects or brings our fields of them up to date, or only lets the server say what would become of them. */
export interface ObjectWriter {
  readonly writes: boolean;
  readonly put: (object: object) => Promise<KubeObject>;
}

/** A hand that writes. */
export function liveWriter(client: ApiClient): ObjectWriter {
  return { writes: true, put: (object) => applied(client, object as KubeObject, false) };
}

/** A hand that writes nothing, and says what it would. */
export function dryRunWriter(client: ApiClient, say: (what: string) => void): ObjectWriter {
  const put = async (object: object): Promise<KubeObject> => {
    const wanted = object as KubeObject;
    const live = await client.find(refOf(wanted));
    const after = await tried(client, wanted);
    say(`${nameOf(refOf(wanted))} ${verdictOf(live, after)}`);
    return after;
  };
  return { writes: false, put };
}

/** An object of a namespace that does not exist yet cannot be validated. */
async function tried(client: ApiClient, object: KubeObject): Promise<KubeObject> {
  try {
    return await applied(client, object, true);
  } catch (error) {
    if (isNotFound(error) && object.metadata.namespace) return object;
    throw error;
  }
}

function applied(client: ApiClient, object: KubeObject, dryRun: boolean): Promise<KubeObject> {
  return client.patch(refOf(object), object, { type: 'apply', force: true, fieldManager: 'sluice-cli', dryRun });
}

/** The result of a write, in kubectl's words. */
export function verdictOf(live: KubeObject | undefined, after: KubeObject): string {
  if (!live) return 'created';
  return equal(contentOf(after), contentOf(live)) ? 'unchanged' : 'configured';
}

/** Everything but what the server counts and notes; a dry run does not count. */
function contentOf({ metadata, ...content }: KubeObject): object {
  const { managedFields: _fields, resourceVersion: _revision, generation: _generation, ...said } = metadata;
  return { ...content, metadata: said };
}
