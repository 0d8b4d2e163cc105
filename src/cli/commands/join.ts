import { Command, Option } from 'commander';
import { clusterApi, impersonatorSecretRef, refOf } from '../../api/index.ts';
import type { Cluster, KubeObject } from '../../api/index.ts';
import { contextOf, readKubeconfig } from '../../client/index.ts';
import type { ApiClient, Connection } from '../../client/index.ts';
import path from 'node:path';
import type { Run } from '../commands.ts';
import { connecting, connectToMember, dryRunOption, dryWords, durationOf, withHub } from '../connect.ts';
import type { Hub, Server, TryingFlags } from '../connect.ts';
import { Failure, UsageError } from '../failure.ts';
import { dryRunWriter, liveWriter } from '../object-writer.ts';
import type { ObjectWriter } from '../object-writer.ts';
import type { Invocation, Io } from '../io.ts';
import {
  clusterIdOf,
  deleteIfThere,
  grantAccess,
  hasAccess,
  home,
  homeObject,
  revokeAccess,
  secretsOf,
  systemLabels,
} from '../membership.ts';
import { pollUntil } from '../poll.ts';
import { createToken, registerLine } from './token.ts';
import { told, writtenOption } from '../print/output.ts';

interface JoinFlags extends TryingFlags {
  readonly clusterKubeconfig?: string;
  readonly clusterContext?: string;
  readonly syncMode: 'Push' | 'Pull';
  readonly provider?: string;
  readonly region?: string;
  readonly zone?: string;
  readonly waitTimeout: string;
}

/** `sluice join` */
export function joinCommand({ io }: Run): Command {
  return connecting(new Command('join'))
    .description(
      'Make a cluster a member: a service account with its rights in it, its credentials and a Cluster on the hub. Waits until the hub calls it ready. Safe to repeat, for example after an interruption or to renew the credentials. A join that fails leaves nothing in the cluster.',
    )
    .argument('<NAME>', 'the name of the member')
    .option(
      '--cluster-kubeconfig <FILE>',
      'kubeconfig of the cluster, for a user who may grant all permissions there; a Pull member needs none',
    )
    .option('--cluster-context <NAME>', 'context of that kubeconfig (default: its current one)')
    .addOption(
      new Option('--sync-mode <MODE>', 'who sends objects there: the hub (Push), or an agent beside the member (Pull)')
        .choices(['Push', 'Pull'])
        .default('Push'),
    )
    .option('--provider <NAME>', 'the provider, for placements that spread by it')
    .option('--region <NAME>', 'the region')
    .option('--zone <NAMES>', 'the zone, or several: a,b')
    .option('--wait-timeout <DURATION>', 'how long to wait for the member to become ready; 0 does not wait', '60s')
    .addOption(dryRunOption('print the plan step by step, and write nothing'))
    .addOption(writtenOption())
    .addHelpText(
      'after',
      `
Examples:
  sluice join member4 --cluster-kubeconfig ~/.kube/member4
  sluice join member4 --cluster-kubeconfig ~/.kube/member4 --dry-run
  sluice join edge --cluster-kubeconfig fleet.yaml --cluster-context edge --region eu-west --zone eu-west-1a
  sluice join shop --sync-mode Pull --region eu-west
`,
    )
    .action((name: string, flags: JoinFlags) => {
      if (flags.clusterKubeconfig === undefined && flags.syncMode === 'Push')
        throw new UsageError(
          "required option '--cluster-kubeconfig <FILE>' not specified: the hub writes to a Push member",
        );
      return withHub(flags, io, (hub) => join(hub, name, { flags, io }));
    });
}

async function join(hub: Hub, name: string, asked: Invocation<JoinFlags>): Promise<void> {
  const { flags, io } = asked;
  if (flags.syncMode === 'Pull') return joinPull(hub, name, asked);
  // From here on an interruption waits until what was begun is whole.
  const { interrupted } = io;
  const config = await readKubeconfig([path.resolve(io.directory, flags.clusterKubeconfig ?? '')]);
  const { connection } = contextOf(config, flags.clusterContext);
  const member = await connectToMember(connection, { timeout: flags.timeout });
  try {
    const id = await clusterIdOf(member.client);
    if (interrupted.aborted) throw new Failure('interrupted before anything was written');
    await checkIdentity(hub, { name, id, server: connection.server });
    const newcomer = { name, id, connection, flags };
    await checkOnHub(hub, newcomer);
    const cluster = await enroll(hub, member, { ...newcomer, asked });
    if (flags.dryRun)
      return told(io, flags.output, { objects: [cluster], words: `cluster ${name} would be joined (dry run)\n` });
  } finally {
    await member.client.close();
  }
  const wait = durationOf(flags.waitTimeout, '--wait-timeout');
  if (wait > 0) await untilReady(hub, name, { wait, io });
  const cluster = await hub.client.get<Cluster>({ apiVersion: clusterApi, kind: 'Cluster', name });
  told(io, flags.output, { objects: [cluster], words: `cluster ${name} is joined${wait > 0 ? ' and ready' : ''}\n` });
}

/** Makes the Cluster of a Pull member and a token for it, and prints what to run beside the member. The hub need not reach it. */
async function joinPull(hub: Hub, name: string, { flags, io }: Invocation<JoinFlags>): Promise<void> {
  const present = await hub.client.find<Cluster>({ apiVersion: clusterApi, kind: 'Cluster', name });
  if (present && present.spec.syncMode !== 'Pull')
    throw new Failure(`${name} is a Push member already: \`sluice unjoin ${name}\` first`);
  const id = flags.clusterKubeconfig === undefined ? present?.spec.id : await idOf(flags, io);
  const spec = { ...(id && { id }), syncMode: 'Pull' as const, ...locationOf(flags, present?.spec) };
  const cluster: Cluster = { apiVersion: clusterApi, kind: 'Cluster', metadata: { name }, spec };
  const made = await handIn(hub, 'on the hub', { flags, io }).put(cluster);
  if (flags.dryRun)
    return told(io, flags.output, { objects: [made], words: `cluster ${name} would be joined (dry run)\n` });
  const token = await createToken(hub, { cluster: name, ttl: '24h', description: `for ${name}` });
  const words = [
    `cluster ${name} is a Pull member; it is ready when its agent runs. Beside the member, within a day:`,
    `  ${registerLine(hub, token, name)}`,
    `  sluice agent --hub-kubeconfig hub.kubeconfig --cluster ${name}`,
  ];
  told(io, flags.output, { objects: [made], words: `${words.join('\n')}\n` });
}

async function idOf({ clusterKubeconfig = '', clusterContext, timeout }: JoinFlags, io: Io): Promise<string> {
  const config = await readKubeconfig([path.resolve(io.directory, clusterKubeconfig)]);
  const member = await connectToMember(contextOf(config, clusterContext).connection, { timeout });
  try {
    return await clusterIdOf(member.client);
  } finally {
    await member.client.close();
  }
}

/** Asks the hub whether it would accept the Cluster, before anything is written in the cluster itself. */
async function checkOnHub({ client }: Hub, newcomer: Omit<Newcomer, Tokens>): Promise<void> {
  const cluster = await clusterObject(client, newcomer);
  await client.patch(refOf(cluster), cluster, { type: 'apply', force: true, fieldManager: 'sluice-cli', dryRun: true });
}

/** Writes the account into the cluster and the Cluster onto the hub; a failure in between leaves nothing behind. */
async function enroll(
  hub: Hub,
  member: Server,
  { asked, ...newcomer }: Omit<Newcomer, Tokens> & { readonly asked: Invocation<JoinFlags> },
): Promise<KubeObject> {
  const { name, flags } = newcomer;
  const isKnown = await hasAccess(member.client, name);
  try {
    const { ends, ...tokens } = await grantAccess(member.client, name, handIn(member, `in ${name}`, asked));
    if (ends !== undefined)
      asked.io.err(
        `warning: the token for ${name} ends at ${ends}: the cluster grants no longer one; run join again before\n`,
      );
    return await registerMember(hub, { ...newcomer, ...tokens }, handIn(hub, 'on the hub', asked));
  } catch (error) {
    if (!isKnown && !flags.dryRun) await undo(hub, member, { name, io: asked.io });
    throw error;
  }
}

/** Takes back what a join wrote that did not succeed. */
async function undo(hub: Hub, member: Server, { name, io }: { readonly name: string; readonly io: Io }): Promise<void> {
  try {
    await revokeAccess(member.client, name);
    for (const secret of secretsOf(name)) await deleteIfThere(hub.client, secret, {});
  } catch (error) {
    io.err(`warning: the account of the hub stays in ${name}: ${String(error)}\n`);
  }
}

/** Writes the requested objects, or lists the steps. */
function handIn({ client }: Server, place: string, { flags, io }: Invocation<JoinFlags>): ObjectWriter {
  if (!flags.dryRun) return liveWriter(client);
  return dryRunWriter(client, (what) => {
    if (flags.output === 'text') io.out(`${place}: ${what}${dryWords(flags)}\n`);
  });
}

/** One cluster under two names would get everything twice, and two clusters under one name would lose it. */
async function checkIdentity({ client }: Hub, { name, id, server }: Identity): Promise<void> {
  const { items } = await client.listAll<Cluster>({ apiVersion: clusterApi, kind: 'Cluster' });
  const isSame = ({ spec }: Cluster): boolean => (spec.id ? spec.id === id : sameServer(spec.apiEndpoint, server));
  const twin = items.find((cluster) => cluster.metadata.name !== name && isSame(cluster));
  if (twin) throw new Failure(`this cluster is joined already, as ${twin.metadata.name}: unjoin that member first`);
  const present = items.find(({ metadata }) => metadata.name === name);
  if (present && !isSame(present)) {
    throw new Failure(`${name} is another cluster already: choose another name, or \`sluice unjoin ${name}\` first`);
  }
}

interface Identity {
  readonly name: string;
  readonly id: string;
  readonly server: string;
}

/** Members that were not joined by this command may lack an id; then the address tells. */
function sameServer(a: string | undefined, b: string): boolean {
  return a !== undefined && URL.canParse(a) && new URL(a).origin === new URL(b).origin;
}

interface Newcomer {
  readonly name: string;
  readonly id: string;
  readonly token: string;
  readonly impersonatorToken: string;
  readonly connection: Connection;
  readonly flags: JoinFlags;
}

type Tokens = 'token' | 'impersonatorToken';

async function registerMember({ client }: Hub, newcomer: Newcomer, hand: ObjectWriter): Promise<KubeObject> {
  const { name, token, impersonatorToken, connection } = newcomer;
  const { caBundle } = connection;
  await hand.put(homeObject);
  const data = { token: base64(token), ...(caBundle && { caBundle: base64(caBundle) }) };
  await hand.put(secretObject({ namespace: home, name }, data));
  await hand.put(secretObject(impersonatorSecretRef(name), { token: base64(impersonatorToken) }));
  return hand.put(await clusterObject(client, newcomer));
}

function secretObject(place: { readonly namespace: string; readonly name: string }, data: object): object {
  return { apiVersion: 'v1', kind: 'Secret', metadata: { ...place, labels: systemLabels }, type: 'Opaque', data };
}

async function clusterObject(client: ApiClient, newcomer: Omit<Newcomer, Tokens>): Promise<Cluster> {
  const { name, id, connection, flags } = newcomer;
  const { server, insecureSkipTLSVerification: insecure } = connection;
  const present = await client.find<Cluster>({ apiVersion: clusterApi, kind: 'Cluster', name });
  const spec: Cluster['spec'] = {
    id,
    syncMode: 'Push',
    apiEndpoint: server,
    secretRef: { namespace: home, name },
    impersonatorSecretRef: impersonatorSecretRef(name),
    ...(insecure && { insecureSkipTLSVerification: true }),
    ...locationOf(flags, present?.spec),
  };
  return { apiVersion: clusterApi, kind: 'Cluster', metadata: { name }, spec };
}

/** A flag that is absent keeps its earlier value: policies may choose members by it. */
function locationOf(
  flags: JoinFlags,
  before: Pick<Cluster['spec'], 'provider' | 'region' | 'zones'> = {},
): Pick<Cluster['spec'], 'provider' | 'region' | 'zones'> {
  const { provider = before.provider, region = before.region } = flags;
  const zones = flags.zone?.split(',').map((name) => name.trim()) ?? before.zones;
  return { ...(provider && { provider }), ...(region && { region }), ...(zones?.[0] && { zones }) };
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}

async function untilReady(
  { client }: Hub,
  name: string,
  { wait, io }: { readonly wait: number; readonly io: Io },
): Promise<void> {
  let message = 'the hub has not probed it yet';
  const ready = await pollUntil({ wait, signal: io.interrupted }, async () => {
    const cluster = await client.find<Cluster>({ apiVersion: clusterApi, kind: 'Cluster', name });
    const condition = cluster?.status?.conditions?.find(({ type }) => type === 'Ready');
    if (condition) message = condition.message;
    return condition?.status === 'True';
  });
  if (!ready)
    throw new Failure(
      `${name} is registered, but not ready in time: ${message}; run it again to wait on, or \`sluice unjoin ${name}\``,
    );
}
