import { ownMember } from '../../base/index.ts';
import type { Store } from '../../store/index.ts';
import type { HubRequest, HubResponse } from '../http.ts';
import { valuesOf } from '../request/options.ts';

/** One thing that must be well; answers why it is not. */
export interface HealthCheck {
  readonly name: string;
  readonly fault: () => string | undefined;
}

const text = { 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' } as const;

/** Answers /livez, /readyz and /healthz and single checks below them; undefined for any other path. */
export function healthResponse(store: Store, request: HubRequest): HubResponse | undefined {
  const [, root = '', ...rest] = request.path.split('/');
  const only = rest.join('/');
  const checks = ownMember(checksOf(store), root);
  if (!checks || (request.method !== 'GET' && request.method !== 'HEAD')) return undefined;
  const values = valuesOf(request.query);
  const excluded = values.get('exclude') ?? [];
  const asked = checks.filter(({ name }) => (only ? name === only : !excluded.includes(name)));
  if (only && asked.length === 0) return undefined;
  return report(root, asked, values.has('verbose'));
}

/**
 * The names under which monitors of Kubernetes look for the parts of an API server. The hub has a part of the same purpose for
 * each and begins to answer requests when all of them have started, so that they are well as soon as anything is asked.
 */
const started = [
  'log',
  'poststarthook/start-apiserver-admission-initializer',
  'poststarthook/generic-apiserver-start-informers',
  'poststarthook/start-apiextensions-informers',
  'poststarthook/start-apiextensions-controllers',
  'poststarthook/crd-informer-synced',
  'poststarthook/bootstrap-controller',
  'poststarthook/start-system-namespaces-controller',
  'poststarthook/start-service-ip-repair-controllers',
  'poststarthook/scheduling/bootstrap-system-priority-classes',
  'poststarthook/start-cluster-authentication-info-controller',
  'poststarthook/start-kube-aggregator-informers',
  'poststarthook/apiservice-registration-controller',
  'poststarthook/apiservice-status-local-available-controller',
  'poststarthook/apiservice-status-remote-available-controller',
  'poststarthook/kube-apiserver-autoregistration',
  'autoregister-completion',
  'poststarthook/apiservice-openapi-controller',
  'poststarthook/storage-readiness',
];

const well = (name: string): HealthCheck => ({ name, fault: () => undefined });

/** A store that cannot be written makes the hub not ready; it still lives, and answers reads. */
function checksOf(store: Store): Readonly<Record<string, readonly HealthCheck[]>> {
  const ping = well('ping');
  const writable = (name: string): HealthCheck => ({ name, fault: () => store.readonlyBecause });
  const parts = started.map(well);
  return {
    livez: [ping, well('etcd'), ...parts],
    readyz: [ping, writable('store'), writable('etcd'), well('informer-sync'), ...parts],
    healthz: [ping, writable('store'), writable('etcd'), ...parts],
  };
}

function report(root: string, checks: readonly HealthCheck[], verbose: boolean): HubResponse {
  const faults = checks.map((check) => ({ name: check.name, fault: check.fault() }));
  const broken = faults.some(({ fault }) => fault !== undefined);
  if (!broken && !verbose) return { status: 200, headers: text, body: Buffer.from('ok') };
  const lines = faults.map(({ name, fault }) =>
    fault === undefined ? `[+]${name} ok` : `[-]${name} failed: ${fault}`,
  );
  const verdict = broken ? `${root} check failed` : `${root} check passed`;
  return { status: broken ? 503 : 200, headers: text, body: Buffer.from(`${lines.join('\n')}\n${verdict}\n`) };
}
