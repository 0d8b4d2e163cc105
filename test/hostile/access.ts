/** How a test reaches a hub that is a process of its own: its address, the administrator's certificate, its memory. */
import { readFile } from 'node:fs/promises';
import { load } from 'js-yaml';

/** The credentials of the administrator. */
export interface Access {
  readonly url: string;
  readonly ca: string;
  readonly cert: string;
  readonly key: string;
}

interface Kubeconfig {
  readonly 'current-context': string;
  readonly contexts: readonly {
    readonly name: string;
    readonly context: { readonly cluster: string; readonly user: string };
  }[];
  readonly clusters: readonly { readonly name: string; readonly cluster: Readonly<Record<string, string>> }[];
  readonly users: readonly { readonly name: string; readonly user: Readonly<Record<string, string>> }[];
}

/** The access that the current context of a kubeconfig gives. */
export function accessIn(text: string): Access {
  const file = load(text) as Kubeconfig;
  const context = file.contexts.find(({ name }) => name === file['current-context'])?.context;
  const cluster = file.clusters.find(({ name }) => name === context?.cluster)?.cluster;
  const user = file.users.find(({ name }) => name === context?.user)?.user;
  const decoded = (value = ''): string => Buffer.from(value, 'base64').toString();
  return {
    url: cluster?.['server'] ?? '',
    ca: decoded(cluster?.['certificate-authority-data']),
    cert: decoded(user?.['client-certificate-data']),
    key: decoded(user?.['client-key-data']),
  };
}

/** The resident memory of a process in bytes, as the kernel counts it; 0 when it is gone. */
export async function residentBytes(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(text)?.[1] ?? 0) * 1024;
}
