import type { HubResponse } from '../apiserver/index.ts';

/** Whether the controllers have nothing left to do, and at which revision of the hub. */
export interface Rest {
  readonly settled: boolean;
  readonly revision: number;
}

/** The answer to `/restz`; the version identifies the rules. */
export function restAnswer(version: string, { settled, revision }: Rest): HubResponse {
  return {
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: Buffer.from(JSON.stringify({ by: `sluice ${version}`, settled, revision })),
  };
}
