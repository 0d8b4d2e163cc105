import path from 'node:path';
import { Argument, Command } from 'commander';
import type { KubeObject } from '../../api/index.ts';
import { obtainUserCertificate, writeUserKubeconfig } from '../../app/index.ts';
import type { KubeconfigUser } from '../../app/index.ts';
import type { ApiClient } from '../../client/index.ts';
import type { Run } from '../commands.ts';
import { connecting, durationOf, withHub } from '../connect.ts';
import type { Hub, HubFlags } from '../connect.ts';
import { Failure, UsageError } from '../failure.ts';
import type { Io } from '../io.ts';
import { systemLabels } from '../membership.ts';
import { liveWriter } from '../object-writer.ts';

interface UserFlags extends HubFlags {
  readonly group: readonly string[];
  readonly token?: boolean;
  readonly ttl: string;
  readonly write?: string;
}

/** The namespace of the accounts of users who log in with a token. */
const home = 'sluice-users';

/** `sluice user` */
export function userCommand({ io }: Run): Command {
  return connecting(new Command('user'))
    .description(
      'Make a kubeconfig for a user of the hub, with a client certificate or a token. It carries no rights: grant them with `kubectl create clusterrolebinding` to the user or the group.',
    )
    .addArgument(new Argument('<ACTION>', 'what to do').choices(['create']))
    .argument('<NAME>', 'the name of the user')
    .option('--group <NAMES...>', 'the groups of the user; only with a certificate', [])
    .option('--token', 'a token of a service account, which ends when the account is deleted, instead of a certificate')
    .option('--ttl <DURATION>', 'how long the certificate or the token lasts', '365d')
    .option('--write <FILE>', 'where to write the kubeconfig (default: NAME.kubeconfig)')
    .addHelpText(
      'after',
      '\nExamples:\n  sluice user create jane --group developers\n  sluice user create ci --token --ttl 30d\n',
    )
    .action((_: 'create', name: string, flags: UserFlags) =>
      withHub(flags, io, (hub) => createUser(hub, name, { flags, io })),
    );
}

async function createUser(hub: Hub, name: string, { flags, io }: { flags: UserFlags; io: Io }): Promise<void> {
  if (name.startsWith('system:') || flags.group.some((group) => group.startsWith('system:')))
    throw new UsageError('names and groups that begin with system: are those of Kubernetes itself');
  if (flags.token && flags.group.length > 0) throw new UsageError('--group needs a certificate: a token has no groups');
  const seconds = Math.floor(durationOf(flags.ttl, '--ttl') / 1000);
  if (seconds < 600) throw new UsageError('--ttl must be at least 10m');
  const user = flags.token
    ? await tokenFor(hub.client, name, seconds)
    : await certificateFor(hub, name, { flags, seconds });
  const file = flags.write ?? `${name}.kubeconfig`;
  await writeUserKubeconfig(path.resolve(io.directory, file), hub.connection, user);
  const who = flags.token ? `--serviceaccount=${home}:${name}` : `--user=${name}`;
  io.out(
    `${file} written. Grant rights with: kubectl create clusterrolebinding ${name} --clusterrole=sluice-viewer ${who}\n`,
  );
}

function certificateFor(
  { connection }: Hub,
  name: string,
  { flags, seconds }: { readonly flags: UserFlags; readonly seconds: number },
): Promise<KubeconfigUser> {
  return obtainUserCertificate(connection, { commonName: name, organizations: flags.group }, seconds);
}

async function tokenFor(client: ApiClient, name: string, seconds: number): Promise<KubeconfigUser> {
  const writer = liveWriter(client);
  await writer.put({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: home, labels: systemLabels } });
  await writer.put({ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name, namespace: home } });
  const { body } = await client.raw({
    method: 'POST',
    path: `/api/v1/namespaces/${home}/serviceaccounts/${encodeURIComponent(name)}/token`,
    headers: { accept: 'application/json', 'content-type': 'application/json' },
    body: { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: { expirationSeconds: seconds } },
  });
  const { status } = body as KubeObject & { readonly status?: { readonly token?: string } };
  if (!status?.token) throw new Failure('the hub gave no token');
  return { token: status.token };
}
