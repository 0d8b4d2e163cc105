import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { until } from '../until.ts';
import { kubeBinaries } from './binaries.ts';
import { hubControllers, startCluster, startEtcd } from './cluster.ts';
import type { KubeCluster } from './cluster.ts';
import { freePort, startProgram } from './process.ts';
import type { Program } from './process.ts';

const sluice = join(import.meta.dirname, '../../../bin/sluice.js');
const webhookUser = 'system:serviceaccount:sluice-system:sluice-webhook';

/** Starts the hub of all scenarios, installs Sluice and runs its webhook; what it returns ends all of them. */
export async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  await kubeBinaries((text) => console.log(text));
  const etcd = await startEtcd();
  const hub = await startCluster({ name: 'hub', etcd, controllers: hubControllers });
  const port = await freePort();
  // The scenarios place cluster roles.
  const flags = ['--no-programs', '--privileged-templates', '--webhook-url', `https://127.0.0.1:${port}`];
  const installing = start(hub, ['install', '--hub-kubeconfig', hub.kubeconfig, ...flags]);
  if ((await installing.exited) !== 0) throw new Error(`cannot install: ${installing.tail()}`);
  const kubeconfig = await hub.kubeconfigFor({ name: webhookUser });
  const webhook = start(hub, [
    'webhook',
    `--hub-kubeconfig=${kubeconfig}`,
    `--listen=127.0.0.1:${port}`,
    '--allow-no-execute-taint-policy',
  ]);
  await until('the webhook is ready', async () => webhook.tail().includes('sluice webhook is ready'));
  provide('kubeHub', { url: hub.url, folder: hub.folder });
  return async () => {
    await webhook.stop();
    await hub.close();
    await etcd.close();
  };
}

function start(hub: KubeCluster, args: readonly string[]): Program {
  return startProgram(process.execPath, [sluice, ...args], join(hub.folder, 'roles.log'));
}
