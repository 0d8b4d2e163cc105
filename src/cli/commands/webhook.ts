import { Command } from 'commander';
import { namesOf, runWebhook, userOf } from '../../app/index.ts';
import type { Run } from '../commands.ts';
import { asRole, roleOptions, untilStopped } from './controllers.ts';
import type { RoleFlags } from './controllers.ts';

interface WebhookFlags extends RoleFlags {
  readonly certDir?: string;
  readonly tlsSan: string;
  readonly controllerUsers?: string;
}

/** `sluice webhook` */
export function webhookCommand({ io }: Run): Command {
  return asRole(new Command('webhook'), '127.0.0.1:9443')
    .description('serve admission for a hub that is an existing kube-apiserver')
    .option(
      '--cert-dir <DIR>',
      'a folder with tls.crt and tls.key, read again when they change (default: a certificate in a Secret that all replicas share)',
    )
    .option('--tls-san <NAMES>', 'further host names and addresses for the shared certificate', '')
    .option('--controller-users <NAMES>', 'the users as whom controllers write (default: those of the installation)')
    .addHelpText('after', '\nExample:\n  sluice webhook --hub-kubeconfig hub.kubeconfig --tls-san 10.0.0.7\n')
    .action(async (flags: WebhookFlags) => {
      const { certDir, controllerUsers = userOf('controllers', flags.namespace) } = flags;
      const { signal } = untilStopped();
      const options = {
        ...(await roleOptions(flags)),
        hosts: namesOf(flags.tlsSan),
        controllers: controllerUsers.split(',').map((name) => name.trim()),
        ...(certDir !== undefined && { certDir }),
      };
      const running = await runWebhook(options, signal);
      io.out(`sluice webhook is ready: ${options.connection.server}, port ${running.port}\n`);
      await new Promise<void>((resolve) => {
        if (signal.aborted) resolve();
        signal.addEventListener('abort', () => resolve(), { once: true });
      });
      await running.stop();
    });
}
