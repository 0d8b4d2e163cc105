import { ApiError, defaultGates, gatesRef } from '../../api/index.ts';
import type { Gates, KubeObject } from '../../api/index.ts';
import type { ApiClient } from '../../client/index.ts';

/** The switches of a hub; undefined when it does not tell, or not to this caller. */
export async function fetchGates(client: ApiClient): Promise<Gates | undefined> {
  try {
    const map = await client.find<KubeObject & { readonly data?: Readonly<Record<string, string>> }>(gatesRef);
    return map?.data && gatesFrom(map.data);
  } catch (error) {
    if (error instanceof ApiError && error.code === 403) return undefined;
    throw error;
  }
}

function gatesFrom(data: Readonly<Record<string, string>>): Gates {
  const gates: Record<string, boolean> = { ...defaultGates };
  for (const name in gates) if (data[name] !== undefined) gates[name] = data[name] === 'true';
  return gates as unknown as Gates;
}
