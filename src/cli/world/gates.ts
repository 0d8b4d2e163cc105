import { ApiError, defaultGates, defaultSettings, gatesRef } from '../../api/index.ts';
import type { Gates, KubeObject, Settings } from '../../api/index.ts';
import type { ApiClient } from '../../client/index.ts';

/** The gates and settings with which the controllers of a hub decide. */
export interface HubChoices {
  readonly gates: Gates;
  readonly settings: Settings;
}

/** The choices of a hub; undefined when it does not tell, or not to this caller. */
export async function fetchChoices(client: ApiClient): Promise<HubChoices | undefined> {
  try {
    const map = await client.find<KubeObject & { readonly data?: Readonly<Record<string, string>> }>(gatesRef);
    return map?.data && { gates: gatesFrom(map.data), settings: settingsFrom(map.data) };
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

/** Earlier releases publish no settings. */
function settingsFrom({ settings = '{}' }: Readonly<Record<string, string>>): Settings {
  try {
    return { ...defaultSettings, ...(JSON.parse(settings) as Partial<Settings>) };
  } catch {
    return defaultSettings;
  }
}
