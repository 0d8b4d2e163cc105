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
  const [, root = '', only, ...more] = request.path.split('/');
  const checks = ownMember(checksOf(store), root);
  if (!checks || more.length > 0 || (request.method !== 'GET' && request.method !== 'HEAD')) return undefined;
  const values = valuesOf(request.query);
  const excluded = values.get('exclude') ?? [];
  const asked = checks.filter(({ name }) => (only ? name === only : !excluded.includes(name)));
  if (only && asked.length === 0) return undefined;
  return report(root, asked, values.has('verbose'));
}

function checksOf(store: Store): Readonly<Record<string, readonly HealthCheck[]>> {
  const ping: HealthCheck = { name: 'ping', fault: () => undefined };
  const writable: HealthCheck = { name: 'store', fault: () => store.readonlyBecause };
  return { livez: [ping], readyz: [ping, writable], healthz: [ping, writable] };
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
