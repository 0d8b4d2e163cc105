/**
 * The certificate of the webhook role. Without `--cert-dir` the replicas share one authority and one certificate in a Secret of the
 * hub, renew them before they end, and write the authority into the webhook configurations. With `--cert-dir` somebody else
 * does that, and only the files are read again. Start with `sharedCertificates` and `certificateFiles`.
 */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { ServingPair } from '../admission/index.ts';
import type { KubeObject, Ref } from '../api/index.ts';
import { equal } from '../base/index.ts';
import { openAuthority } from '../auth/index.ts';
import { isConflict } from '../client/index.ts';
import type { ApiClient } from '../client/index.ts';
import { SetupError } from './config.ts';

/** Where the certificate comes from. */
export interface CertificateSource {
  /** The certificate of this moment; renewed when it nears its end. */
  read(): Promise<ServingPair>;
}

/** `tls.crt` and `tls.key` of a folder, as a mounted Secret has them. */
export function certificateFiles(folder: string): CertificateSource {
  const text = async (name: string): Promise<string> => {
    try {
      return await readFile(path.join(folder, name), 'utf8');
    } catch (error) {
      throw new SetupError(`--cert-dir: ${path.join(folder, name)} cannot be read`, { cause: error });
    }
  };
  return { read: async () => ({ certificate: await text('tls.crt'), key: await text('tls.key') }) };
}

/** Where the shared certificate is kept, and who must know it. */
export interface SharedWords {
  readonly namespace: string;
  /** The names under which the hub calls. */
  readonly hosts: readonly string[];
  readonly now: () => Date;
}

/** The Secret that the replicas share. */
export const certificateSecret = 'sluice-webhook-certificates';
/** The webhook configurations of an installation. */
export const configurationName = 'sluice';

const files = ['ca.crt', 'ca.key', 'server.crt', 'server.key'] as const;
type Data = Readonly<Record<string, string>>;
type Secret = KubeObject & { readonly data?: Data };
const attempts = 10;

/** The certificate that all replicas share. */
export function sharedCertificates(hub: ApiClient, words: SharedWords): CertificateSource {
  return {
    async read() {
      const data = await renewed(hub, words);
      await trust(hub, data['ca.crt'] ?? '');
      return { certificate: textOf(data, 'server.crt'), key: textOf(data, 'server.key') };
    },
  };
}

/** The stored certificates, renewed and stored again where that is due; the first replica to write decides. */
async function renewed(hub: ApiClient, words: SharedWords): Promise<Data> {
  const ref: Ref = { apiVersion: 'v1', kind: 'Secret', namespace: words.namespace, name: certificateSecret };
  for (let attempt = 1; ; attempt++) {
    const stored = await hub.find<Secret>(ref);
    const data = await renewedData(stored?.data ?? {}, words);
    if (stored && equal(stored.data, data)) return data;
    try {
      await write(hub, stored, { ref, data });
      return data;
    } catch (error) {
      if (!isConflict(error) || attempt === attempts) throw error;
    }
  }
}

async function write(
  hub: ApiClient,
  stored: Secret | undefined,
  { ref, data }: { readonly ref: Ref; readonly data: Data },
): Promise<void> {
  if (stored) await hub.update<Secret>({ ...stored, data });
  else {
    const { apiVersion, kind, name } = ref;
    const metadata = { name, namespace: ref.namespace ?? '' };
    await hub.create({ apiVersion, kind, metadata, type: 'Opaque', data } as KubeObject);
  }
}

/** The authority works on files: they are written to a folder that only this process reads, and read back. */
async function renewedData(data: Data, { hosts, now }: SharedWords): Promise<Data> {
  const folder = await mkdtemp(path.join(tmpdir(), 'sluice-webhook-'));
  try {
    for (const name of files)
      if (data[name] !== undefined) await writeFile(path.join(folder, name), textOf(data, name), { mode: 0o600 });
    await openAuthority({ folder, hosts, now });
    const texts = await Promise.all(
      files.map(async (name) => [name, await readFile(path.join(folder, name))] as const),
    );
    return Object.fromEntries(texts.map(([name, bytes]) => [name, bytes.toString('base64')]));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function textOf(data: Data, name: string): string {
  return Buffer.from(data[name] ?? '', 'base64').toString('utf8');
}

interface Configuration extends KubeObject {
  readonly webhooks?: readonly { readonly clientConfig: { readonly caBundle?: string } }[];
}

const configurationKinds = ['MutatingWebhookConfiguration', 'ValidatingWebhookConfiguration'] as const;

/** Writes the authority into the configurations, where it is missing or another one. */
async function trust(hub: ApiClient, caBundle: string): Promise<void> {
  for (const kind of configurationKinds) {
    const ref = { apiVersion: 'admissionregistration.k8s.io/v1', kind, name: configurationName };
    const live = await hub.find<Configuration>(ref);
    const wrong =
      live?.webhooks?.flatMap(({ clientConfig }, i) => (clientConfig.caBundle === caBundle ? [] : [i])) ?? [];
    if (wrong.length === 0) continue;
    const version = { op: 'test', path: '/metadata/resourceVersion', value: live?.metadata.resourceVersion };
    const steps = wrong.map((i) => ({ op: 'add', path: `/webhooks/${i}/clientConfig/caBundle`, value: caBundle }));
    await hub.patch(ref, [version, ...steps], { type: 'json' });
  }
}
