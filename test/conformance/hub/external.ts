import { readFileSync } from 'node:fs';
import { Agent } from 'node:https';
import { load } from 'js-yaml';
import { crds } from '../../../src/api/index.ts';
import type { Driver, OpenTarget, Target } from './driver.ts';
import { at, textAt } from './driver.ts';
import { httpsDriver } from './https.ts';

/** Where the kubeconfig of another API server is, to run the suite against it too. */
const variable = 'CONFORMANCE_KUBECONFIG';

/** The API server that the environment names, if it names one. */
export function externalTargets(): readonly Target[] {
  const file = process.env[variable];
  return file ? [{ name: `external (${file})`, open: () => open(file) }] : [];
}

async function open(file: string): Promise<OpenTarget> {
  const config = load(readFileSync(file, 'utf8'));
  const { hostname: host, port } = new URL(textAt(config, 'clusters.0.cluster.server'));
  const agent = new Agent({
    keepAlive: true,
    ca: decoded(config, 'clusters.0.cluster.certificate-authority-data'),
    cert: decoded(config, 'users.0.user.client-certificate-data'),
    key: decoded(config, 'users.0.user.client-key-data'),
  });
  const driver = httpsDriver({ host, port: Number(port), agent });
  await install(driver);
  return {
    driver,
    close() {
      agent.destroy();
      return Promise.resolve();
    },
  };
}

function decoded(config: unknown, path: string): string {
  return Buffer.from(textAt(config, path), 'base64').toString('utf8');
}

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

/** Puts the definitions of our kinds there and waits until they are served. */
async function install(driver: Driver): Promise<void> {
  for (const body of crds()) await driver.send({ method: 'POST', path: definitions, body });
  for (const { metadata } of crds()) {
    for (;;) {
      const { body } = await driver.send({ method: 'GET', path: `${definitions}/${metadata.name}` });
      const conditions = (at(body, 'status.conditions') ?? []) as { type: string; status: string }[];
      if (conditions.some(({ type, status }) => type === 'Established' && status === 'True')) break;
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
}
