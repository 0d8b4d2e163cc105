import path from 'node:path';
import { Command } from 'commander';
import { discoverHub, obtainCertificate, writeUserKubeconfig } from '../../app/index.ts';
import type { Run } from '../commands.ts';
import { durationOf } from '../connect.ts';
import { UsageError } from '../failure.ts';
import type { Io } from '../io.ts';

interface RegisterFlags {
  readonly cluster?: string;
  readonly clusterName?: string;
  readonly token: string;
  readonly discoveryTokenCaCertHash: readonly string[];
  readonly discoveryTokenUnsafeSkipCaVerification?: boolean;
  readonly write: string;
  readonly certExpirationSeconds: string;
  readonly discoveryTimeout: string;
}

const form = /^[a-z0-9]{6}\.[a-z0-9]{16}$/;

/** `sluice register` */
export function registerCommand({ io }: Run): Command {
  return new Command('register')
    .description(
      'Register a Pull member with a token, beside it: checks that the hub is the one that made the token, gets a certificate for the agent and writes its kubeconfig. The private key never leaves this machine.',
    )
    .argument('<HOST:PORT>', 'the address of the hub')
    .option('--cluster <NAME>', 'the name of the member on the hub')
    .option('--cluster-name <NAME>', 'the same, as karmadactl spells it')
    .requiredOption('--token <TOKEN>', 'a token of `sluice token create`')
    .option('--discovery-token-ca-cert-hash <HASHES...>', "the hash of the hub's authority: sha256:…", [])
    .option('--discovery-token-unsafe-skip-ca-verification', 'trust whoever knows the token, without a hash')
    .option('--write <FILE>', 'where to write the kubeconfig of the agent', 'hub.kubeconfig')
    .option(
      '--cert-expiration-seconds <N>',
      'how long the certificate lasts; the agent replaces it in time',
      '31536000',
    )
    .option('--discovery-timeout <DURATION>', 'how long to wait for the certificate', '5m')
    .addHelpText(
      'after',
      '\nExamples:\n  sluice register hub.example.com:7443 --cluster edge --token abcdef.0123456789abcdef --discovery-token-ca-cert-hash sha256:…\n',
    )
    .action((endpoint: string, flags: RegisterFlags) => register(endpoint, flags, io));
}

async function register(endpoint: string, flags: RegisterFlags, io: Io): Promise<void> {
  const member = flags.cluster ?? flags.clusterName;
  if (!member) throw new UsageError('--cluster is required: the name of the member on the hub');
  const { token, discoveryTokenCaCertHash: hashes } = flags;
  if (!form.test(token))
    throw new UsageError('--token must be a token of `sluice token create`: abcdef.0123456789abcdef');
  if (hashes.length === 0 && !flags.discoveryTokenUnsafeSkipCaVerification)
    throw new UsageError(
      '--discovery-token-ca-cert-hash is required: without it another server could pretend to be the hub (--discovery-token-unsafe-skip-ca-verification accepts that)',
    );
  const seconds = Number(flags.certExpirationSeconds);
  if (!Number.isInteger(seconds) || seconds < 600)
    throw new UsageError('--cert-expiration-seconds must be a number of seconds, at least 600');
  const hub = await discoverHub({ endpoint, token, hashes });
  const user = await obtainCertificate(
    { ...hub, token },
    {
      member,
      seconds,
      waitMilliseconds: durationOf(flags.discoveryTimeout, '--discovery-timeout'),
      onWait: (name) =>
        io.err(`the certificate waits for a person on the hub: \`kubectl certificate approve ${name}\`\n`),
    },
  );
  const file = path.resolve(io.directory, flags.write);
  await writeUserKubeconfig(file, hub, user);
  io.out(`${member} is registered. Its agent: sluice agent --hub-kubeconfig ${flags.write} --cluster ${member}\n`);
}
