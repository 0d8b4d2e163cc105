import { randomInt } from 'node:crypto';
import { Argument, Command } from 'commander';
import { bootstrapSecretName, bootstrapTokenType, registrationGroup, tokenClusterAnnotation } from '../../api/index.ts';
import type { KubeObject } from '../../api/index.ts';
import { authorityHash, infoSignature } from '../../app/index.ts';
import { yamlOf } from '../../base/index.ts';
import type { ApiClient } from '../../client/index.ts';
import type { Run } from '../commands.ts';
import { connecting, durationOf, withHub } from '../connect.ts';
import type { Hub, HubFlags } from '../connect.ts';
import { Failure, UsageError } from '../failure.ts';
import type { Io } from '../io.ts';
import { systemLabels } from '../membership.ts';
import { liveWriter } from '../object-writer.ts';
import { table } from '../print/table.ts';

const namespace = 'kube-system';
const rbac = 'rbac.authorization.k8s.io';
const info = { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'kube-public', name: 'cluster-info' } as const;

interface CreateFlags extends HubFlags {
  readonly cluster?: string;
  readonly ttl: string;
  readonly description?: string;
  readonly printRegisterCommand?: boolean;
}

/** `sluice token` */
export function tokenCommand({ io }: Run): Command {
  return connecting(new Command('token'))
    .description(
      'Make, list or delete tokens with which Pull members register: bootstrap tokens as kubeadm makes them. A list does not show their secret parts.',
    )
    .addArgument(new Argument('<ACTION>', 'what to do').choices(['create', 'list', 'delete']))
    .argument('[TOKEN]', 'the token to delete, or the part before its dot')
    .option('--cluster <NAME>', 'the one member that a new token is for; without, it fits every new member')
    .option('--ttl <DURATION>', 'how long a new token can be used; 0 for ever', '24h')
    .option('--description <TEXT>', 'what a new token is for')
    .option('--print-register-command', 'print the whole command to run beside the member')
    .addHelpText(
      'after',
      '\nExamples:\n  sluice token create --cluster edge --print-register-command\n  sluice token list\n  sluice token delete abcdef\n',
    )
    .action((action: Action, token: string | undefined, flags: CreateFlags) => {
      if (action === 'delete' && token === undefined)
        throw new UsageError('delete needs a token, or the part before its dot');
      return withHub(flags, io, (hub) => actions[action](hub, { flags, token: token ?? '', io }));
    });
}

type Action = 'create' | 'list' | 'delete';

interface Asked {
  readonly flags: CreateFlags;
  readonly token: string;
  readonly io: Io;
}

const actions: Readonly<Record<Action, (hub: Hub, asked: Asked) => Promise<void>>> = {
  async create(hub, { flags, io }) {
    const token = await createToken(hub, flags);
    io.out(flags.printRegisterCommand ? `${registerLine(hub, token, flags.cluster)}\n` : `${token}\n`);
  },
  list: ({ client }, { io }) => listTokens(client, io),
  delete: ({ client }, { token, io }) => deleteToken(client, token, io),
};

const letters = 'abcdefghijklmnopqrstuvwxyz0123456789';
const random = (length: number): string => Array.from({ length }, () => letters[randomInt(letters.length)]).join('');

/** Makes a bootstrap token, and what somebody who has nothing but the token needs to find the hub. */
export async function createToken(
  hub: Hub,
  { cluster, ttl, description }: Pick<CreateFlags, 'cluster' | 'ttl' | 'description'>,
): Promise<string> {
  const [id, secret] = [random(6), random(16)];
  const milliseconds = durationOf(ttl, '--ttl');
  const ends = milliseconds > 0 ? { expiration: new Date(Date.now() + milliseconds).toISOString() } : {};
  const stringData = {
    'token-id': id,
    'token-secret': secret,
    'usage-bootstrap-authentication': 'true',
    'usage-bootstrap-signing': 'true',
    'auth-extra-groups': registrationGroup,
    ...ends,
    ...(description !== undefined && { description }),
  };
  const data = Object.fromEntries(Object.entries(stringData).map(([field, text]) => [field, base64(text)]));
  const annotations = cluster !== undefined && { annotations: { [tokenClusterAnnotation]: cluster } };
  const metadata = { name: bootstrapSecretName(id), namespace, ...annotations };
  const writer = liveWriter(hub.client);
  for (const object of registrationObjects()) await writer.put(object);
  await hub.client.create({ apiVersion: 'v1', kind: 'Secret', metadata, type: bootstrapTokenType, data } as KubeObject);
  await publish(hub, `${id}.${secret}`);
  return `${id}.${secret}`;
}

const base64 = (text: string): string => Buffer.from(text).toString('base64');

/** The rights of bootstrap tokens, and of everybody to read the address and the authority of the hub. */
function registrationObjects(): readonly object[] {
  const [agents, signer] = ['system:karmada:agent-bootstrap', 'system:karmada:bootstrap-signer-clusterinfo'];
  const place = { name: signer, namespace: info.namespace, labels: systemLabels };
  const asked = ['certificatesigningrequests'];
  const rules = [
    { apiGroups: ['certificates.k8s.io'], resources: asked, verbs: ['create', 'get', 'list', 'watch'] },
    { apiGroups: ['certificates.k8s.io'], resources: asked.map((one) => `${one}/clusteragent`), verbs: ['create'] },
  ];
  const readInfo = { apiGroups: [''], resources: ['configmaps'], resourceNames: [info.name], verbs: ['get'] };
  const bound = (kind: string, name: string, subject: object): object => ({
    roleRef: { apiGroup: rbac, kind, name },
    subjects: [{ apiGroup: rbac, ...subject }],
  });
  return [
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: info.namespace } },
    { apiVersion: `${rbac}/v1`, kind: 'ClusterRole', metadata: { name: agents, labels: systemLabels }, rules },
    {
      apiVersion: `${rbac}/v1`,
      kind: 'ClusterRoleBinding',
      metadata: { name: agents, labels: systemLabels },
      ...bound('ClusterRole', agents, { kind: 'Group', name: registrationGroup }),
    },
    { apiVersion: `${rbac}/v1`, kind: 'Role', metadata: place, rules: [readInfo] },
    {
      apiVersion: `${rbac}/v1`,
      kind: 'RoleBinding',
      metadata: place,
      ...bound('Role', signer, { kind: 'User', name: 'system:anonymous' }),
    },
  ];
}

/** Writes `cluster-info`, signed by the token: with it a member recognises the hub. */
async function publish({ client, connection }: Hub, token: string): Promise<void> {
  const { server, caBundle = '' } = connection;
  const cluster = { server, 'certificate-authority-data': base64(caBundle) };
  const kubeconfig = yamlOf({ apiVersion: 'v1', kind: 'Config', clusters: [{ name: '', cluster }] });
  const present = await client.find<KubeObject & { readonly data?: Record<string, string> }>(info);
  const isSame = present?.data?.['kubeconfig'] === kubeconfig;
  const key = `jws-kubeconfig-${token.slice(0, 6)}`;
  const data = { ...(isSame && present.data), kubeconfig, [key]: infoSignature(kubeconfig, token) };
  const { apiVersion, kind, ...metadata } = info;
  if (present) await client.update({ ...present, data } as KubeObject);
  else await client.create({ apiVersion, kind, metadata, data } as KubeObject);
}

/** The command that registers a member with this token. */
export function registerLine({ connection }: Hub, token: string, cluster = '<NAME>'): string {
  const { server, caBundle } = connection;
  const pin = caBundle
    ? `--discovery-token-ca-cert-hash ${authorityHash(caBundle)}`
    : '--discovery-token-unsafe-skip-ca-verification';
  return `sluice register ${new URL(server).host} --cluster ${cluster} --token ${token} ${pin}`;
}

interface TokenSecret extends KubeObject {
  readonly type?: string;
  readonly data?: Readonly<Record<string, string>>;
}

async function listTokens(client: ApiClient, io: Io): Promise<void> {
  const { items } = await client.listAll<TokenSecret>({ apiVersion: 'v1', kind: 'Secret' }, { namespace });
  const rows = items.filter(({ type }) => type === bootstrapTokenType).map(rowOf);
  if (rows.length === 0) io.err('No tokens found.\n');
  else io.out(table(['TOKEN', 'CLUSTER', 'EXPIRES', 'DESCRIPTION'], rows, { columns: io.columns }));
}

function rowOf({ metadata, data = {} }: TokenSecret): readonly string[] {
  const text = (field: string): string => Buffer.from(data[field] ?? '', 'base64').toString('utf8');
  const ends = text('expiration');
  const isOver = ends !== '' && Date.parse(ends) <= Date.now();
  const words = isOver ? `${ends} (expired)` : ends || 'never';
  return [
    text('token-id'),
    metadata.annotations?.[tokenClusterAnnotation] ?? 'any new one',
    words,
    text('description'),
  ];
}

async function deleteToken(client: ApiClient, token: string, io: Io): Promise<void> {
  const id = token.split('.')[0] ?? '';
  if (!/^[a-z0-9]{6}$/.test(id))
    throw new UsageError(`${JSON.stringify(token)} must be a token (abcdef.0123456789abcdef) or its first part`);
  const ref = { apiVersion: 'v1', kind: 'Secret', namespace, name: bootstrapSecretName(id) };
  if (!(await client.find(ref))) throw new Failure(`there is no token ${id}`);
  await client.delete(ref);
  await client.patch(info, { data: { [`jws-kubeconfig-${id}`]: null } }, { type: 'merge' });
  io.out(`token ${id} deleted\n`);
}
