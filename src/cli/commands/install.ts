import { Command } from 'commander';
import type { KubeObject } from '../../api/index.ts';
import {
  FlagError,
  foreignTemplates,
  install,
  manifests,
  nameText,
  uninstall,
  usualWords,
  whyNotUninstalled,
} from '../../app/index.ts';
import type { Installed, InstallWords } from '../../app/index.ts';
import { yamlOf } from '../../base/index.ts';
import { clock, connecting, withHub } from '../connect.ts';
import type { Hub, HubFlags } from '../connect.ts';
import { agree, yesOption } from '../consent.ts';
import { Failure } from '../failure.ts';
import type { Run } from '../commands.ts';
import { counted, formatOption } from '../print/output.ts';
import { packageVersion } from './version.ts';

/** The flags that both commands have; the roles call the flags of the connection `--hub-kubeconfig` and `--hub-context`. */
interface SiteFlags extends HubFlags {
  readonly hubKubeconfig?: string;
  readonly hubContext?: string;
  readonly namespace: string;
  readonly dryRun?: boolean;
}

interface InstallFlags extends SiteFlags {
  readonly image?: string;
  readonly replicas: string;
  readonly webhookUrl?: string;
  readonly programs: boolean;
  readonly monitoring?: boolean;
  readonly privilegedTemplates?: boolean;
  readonly featureGates: string;
  readonly output: 'text' | 'yaml' | 'json';
}

interface UninstallFlags extends SiteFlags {
  readonly orphan?: boolean;
  readonly deleteDefinitions?: boolean;
  readonly yes?: boolean;
}

/** Adds the flags that both commands have. */
function aboutHub(command: Command): Command {
  return connecting(command)
    .option('--hub-kubeconfig <FILE>', 'the same as --kubeconfig; `sluice controllers` calls it so')
    .option('--hub-context <NAME>', 'the same as --context; `sluice controllers` calls it so')
    .option('--namespace <NS>', 'the namespace of the programs', 'sluice-system')
    .option('--dry-run', 'say what would be done, and write nothing');
}

/** `sluice install` */
export function installCommand({ io }: Run): Command {
  return aboutHub(new Command('install'))
    .description(
      'Install Sluice on an existing kube-apiserver: definitions, permissions, webhooks and programs. Run it again to upgrade; what is already so is not written.',
    )
    .option('--image <IMAGE>', 'the image of the programs')
    .option('--replicas <N>', 'replicas of each program', '2')
    .option('--webhook-url <URL>', 'where the hub calls the webhook (default: a Service of the hub)')
    .option('--no-programs', 'install no Deployments: the hub runs no Pods, and the programs are started elsewhere')
    .option('--monitoring', 'also a ServiceMonitor and alert rules for the Prometheus operator')
    .option(
      '--privileged-templates',
      'roles, webhooks, nodes and other kinds that rule the hub can be templates; controllers may then write them',
    )
    .option('--feature-gates <LIST>', 'feature gates of the programs, for example StaticPolicy=true', '')
    .addOption(formatOption('text', 'yaml', 'json'))
    .addHelpText(
      'after',
      '\nExamples:\n  sluice install --hub-kubeconfig hub.kubeconfig\n  sluice install -o yaml > sluice.yaml\n  sluice install --no-programs --webhook-url https://10.0.0.7:9443\n',
    )
    .action(async (flags: InstallFlags) => {
      const words = wordsOf(flags);
      if (flags.output !== 'text') return io.out(printed(manifests(words), flags.output));
      await withSite(flags, io, async (hub) => {
        const { dryRun = false } = flags;
        const objects = manifests({ ...words, templates: foreignTemplates(hub) });
        const done = await install(hub, objects, { dryRun, clock, tell: sayTo(io, dryRun) });
        io.out(`${summary(done)}${dryRun ? ' (dry run)' : ''}\n`);
      });
    });
}

/** `sluice uninstall` */
export function uninstallCommand({ io }: Run): Command {
  return aboutHub(new Command('uninstall'))
    .description(
      'Remove Sluice from an existing kube-apiserver. Refused while policies manage templates, because nobody would maintain their copies in the members. The definitions stay, with all objects, unless --delete-definitions is given.',
    )
    .option('--orphan', 'leave the copies of managed templates in the members as they are')
    .option(
      '--delete-definitions',
      'also delete the definitions, and with them all policies, bindings, Works and members',
    )
    .addOption(yesOption())
    .addHelpText(
      'after',
      '\nExamples:\n  sluice uninstall --hub-kubeconfig hub.kubeconfig --dry-run\n  sluice uninstall --hub-kubeconfig hub.kubeconfig --delete-definitions --yes\n',
    )
    .action(async (flags: UninstallFlags) => {
      await withSite(flags, io, async (hub) => {
        const { dryRun = false, orphan, deleteDefinitions } = flags;
        const why = orphan ? undefined : await whyNotUninstalled(hub.client);
        if (why !== undefined) throw new Failure(why);
        const all = manifests(wordsOf({ ...flags, replicas: '2', featureGates: '', programs: true, monitoring: true }));
        const objects = all.filter(({ kind }) => deleteDefinitions || !kept.has(kind));
        if (!dryRun)
          await agree(io, flags, {
            question: deleteDefinitions ? 'Delete Sluice with all policies and members?' : 'Remove Sluice?',
            why: 'uninstall removes the controllers of every policy',
          });
        const done = await uninstall(hub, objects, { dryRun, clock, tell: sayTo(io, dryRun) });
        io.out(`${summary(done)}${dryRun ? ' (dry run)' : ''}\n`);
      });
    });
}

/** Namespaces go with the definitions only: credentials of members are in them. */
const kept: ReadonlySet<string> = new Set(['CustomResourceDefinition', 'Namespace']);

type WordFlags = Omit<InstallFlags, 'output' | 'replicas'> & { readonly replicas: string };

function wordsOf(flags: WordFlags): InstallWords {
  const usual = usualWords(packageVersion());
  const { image = usual.image, webhookUrl, namespace, programs, featureGates } = flags;
  if (!/^[1-9]\d?$/.test(flags.replicas)) throw new FlagError('--replicas must be a whole number from 1 to 99');
  if (webhookUrl !== undefined && !webhookUrl.startsWith('https://'))
    throw new FlagError('--webhook-url must begin with https://');
  const replicas = Number(flags.replicas);
  return {
    ...usual,
    namespace,
    image,
    programs,
    featureGates,
    replicas: { controllers: replicas, webhook: replicas },
    monitoring: flags.monitoring === true,
    privilegedTemplates: flags.privilegedTemplates === true,
    ...(webhookUrl !== undefined && { webhookUrl: webhookUrl.replace(/\/+$/, '') }),
  };
}

function withSite(flags: SiteFlags, io: Run['io'], work: (hub: Hub) => Promise<void>): Promise<void> {
  const { kubeconfig, context, timeout, hubKubeconfig = kubeconfig, hubContext = context } = flags;
  const found = {
    timeout,
    ...(hubKubeconfig !== undefined && { kubeconfig: hubKubeconfig }),
    ...(hubContext !== undefined && { context: hubContext }),
  };
  return withHub(found, io, work);
}

function sayTo({ out }: Run['io'], dryRun: boolean): (installed: Installed) => void {
  return ({ ref, did }) => {
    if (did !== 'unchanged') out(`${nameText(ref)} ${did}${dryRun ? ' (dry run)' : ''}\n`);
  };
}

function summary(done: readonly Installed[]): string {
  const counts = (['created', 'configured', 'unchanged', 'deleted'] as const).map((did) => {
    const count = done.filter((one) => one.did === did).length;
    return count > 0 ? `${count} ${did}` : '';
  });
  return `${counted(done.length, 'object')}: ${counts.filter(Boolean).join(', ') || 'nothing to do'}`;
}

function printed(objects: readonly KubeObject[], format: 'yaml' | 'json'): string {
  if (format === 'json') return `${JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects }, null, 2)}\n`;
  return objects.map((object) => `---\n${yamlOf(object)}`).join('');
}
