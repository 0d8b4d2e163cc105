/**
 * Writes the facts of Kubernetes' built-in kinds that the hub serves. Run by hand, with Go on the machine,
 * when the release in scope.ts changes: `node tools/generate/main.ts`.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { compactDefinitions, readSources } from './definitions.ts';
import { readMessages } from './messages.ts';
import { readResources } from './resources.ts';
import { extraDefinitions, kubernetesVersion } from './scope.ts';
import { moduleFolder, oneMemberALine } from './sources.ts';

const root = join(import.meta.dirname, '../..');

function write(file: string, value: Readonly<Record<string, unknown>>): void {
  const text = oneMemberALine(value);
  mkdirSync(dirname(join(root, file)), { recursive: true });
  writeFileSync(join(root, file), text);
  console.log(`${file}: ${Object.keys(value).length} members, ${text.length} bytes`);
}

const kubernetes = moduleFolder('k8s.io/kubernetes', kubernetesVersion);
const resources = readResources(kubernetes);
write('src/api/gen/resources.json', resources);

const sources = readSources(kubernetes);
const roots = Object.keys(sources).filter((name) => servesKind(name));
const definitions = compactDefinitions(sources, [...roots, ...extraDefinitions]);
write('src/api/gen/definitions.json', definitions);

const kinds = roots.flatMap((name) =>
  (definitions[name]?.['x-kubernetes-group-version-kind'] ?? []).map(({ group, version, kind }) => ({
    name,
    apiVersion: group ? `${group}/${version}` : version,
    kind,
  })),
);
write('src/apiserver/protobuf/gen/messages.json', readMessages(kinds));

/** Top-level kinds of the served versions and their lists; meta's own kinds are registered in every group. */
function servesKind(name: string): boolean {
  const kinds = sources[name]?.['x-kubernetes-group-version-kind'];
  if (!kinds || name.includes('.meta.v1.')) return false;
  return !/\.ComponentStatus(List)?$/.test(name);
}
