import { arch, platform, version } from 'node:process';
import type { HubRequest, HubResponse } from '../http.ts';

/** The release whose API this is; clients compare it with their own. */
const release = { major: '1', minor: '34', gitVersion: 'v1.34.0+sluice' };

const architectures: Readonly<Record<string, string>> = { x64: 'amd64' };

const body = Buffer.from(
  JSON.stringify(
    {
      ...release,
      emulationMajor: release.major,
      emulationMinor: release.minor,
      minCompatibilityMajor: release.major,
      minCompatibilityMinor: '33',
      gitCommit: '',
      gitTreeState: 'clean',
      buildDate: '2025-08-27T00:00:00Z',
      goVersion: `node ${version}`,
      compiler: 'v8',
      platform: `${platform}/${architectures[arch] ?? arch}`,
    },
    null,
    2,
  ),
);

/** Answers /version; undefined for any other path. */
export function versionResponse(request: HubRequest): HubResponse | undefined {
  if (request.path !== '/version' && request.path !== '/version/') return undefined;
  return { status: 200, headers: { 'content-type': 'application/json' }, body };
}
