import type { KeyPair } from './authority.ts';
import { makeFolderOf, writePrivateFile } from './keyfile.ts';

/** One API that a kubeconfig leads to, and who the user is there. */
export interface KubeconfigContext {
  /** The name of the context and of its cluster. */
  readonly name: string;
  /** `https://127.0.0.1:7443` */
  readonly server: string;
  /** PEM. */
  readonly certificateAuthority: string;
  readonly user: KubeconfigUser;
  readonly namespace?: string;
}

/** How the user of a context shows who it is. */
export type KubeconfigUser = KeyPair | { readonly token: string };

/** The kubeconfig as kubectl reads it; the first context is the current one unless `current` names another. */
export function kubeconfigOf(contexts: readonly KubeconfigContext[], current = contexts[0]?.name ?? ''): object {
  return {
    apiVersion: 'v1',
    kind: 'Config',
    preferences: {},
    clusters: contexts.map((context) => ({
      name: context.name,
      cluster: { server: context.server, 'certificate-authority-data': base64(context.certificateAuthority) },
    })),
    users: contexts.map(({ name, user }) => ({
      name: userOf(name),
      user:
        'token' in user
          ? { token: user.token }
          : { 'client-certificate-data': base64(user.certificate), 'client-key-data': base64(user.key) },
    })),
    contexts: contexts.map(({ name, namespace }) => ({
      name,
      context: { cluster: name, user: userOf(name), ...(namespace && { namespace }) },
    })),
    'current-context': current,
  };
}

const base64 = (text: string): string => Buffer.from(text).toString('base64');

/** Users of other files are often called after the cluster too; the suffix keeps a merge from mixing them up. */
const userOf = (context: string): string => `${context}-admin`;

/**
 * Writes a kubeconfig that only its owner may read, all of it or none.
 * It is written as JSON, which is YAML too, so that nothing in a name can break it.
 */
export async function writeKubeconfig(
  file: string,
  contexts: readonly KubeconfigContext[],
  current?: string,
): Promise<void> {
  makeFolderOf(file);
  await writePrivateFile(file, `${JSON.stringify(kubeconfigOf(contexts, current), null, 2)}\n`);
}
