import { Command } from 'commander';
import { addressOf } from '../../app/index.ts';
import type { Run } from '../commands.ts';
import { choosing, kubeconfigsOf } from '../connect.ts';
import type { HubFlags } from '../connect.ts';
import { startDashboard } from '../dashboard.ts';
import { untilSignal } from './up.ts';

interface DashboardFlags extends Pick<HubFlags, 'kubeconfig' | 'context'> {
  readonly listen: string;
}

/** `sluice dashboard` */
export function dashboardCommand({ io }: Run): Command {
  return choosing(new Command('dashboard'))
    .description(
      'Serve the dashboard for a hub. The link that it prints logs in once, as the user of your kubeconfig; everybody else logs in with a token or a kubeconfig and works with their own permissions.',
    )
    .option('--listen <HOST:PORT>', 'address of the dashboard (HTTP); port 0 picks a free one', '127.0.0.1:7480')
    .addHelpText(
      'after',
      `
Examples:
  sluice dashboard
  sluice dashboard --kubeconfig hub.yaml --listen 127.0.0.1:0
`,
    )
    .action(async (flags: DashboardFlags) => {
      const signalled = untilSignal();
      const dashboard = await startDashboard({
        listen: addressOf(flags.listen, '--listen'),
        kubeconfig: kubeconfigsOf(flags, io),
        ...(flags.context !== undefined && { context: flags.context }),
        note: (line) => io.err(`${line}\n`),
      });
      io.out(
        `the dashboard is ready: ${dashboard.url}\n\n  open ${dashboard.link ?? dashboard.url}\n\n  The link logs in once. Stop with Ctrl-C.\n`,
      );
      await signalled;
      await dashboard.stop();
    });
}
