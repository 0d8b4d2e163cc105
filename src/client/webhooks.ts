import { memberBounds } from './bounds.ts';
import { HttpsTransport } from './https.ts';

/** Where a webhook is, as configurations of Kubernetes and of Karmada say it. */
export interface WebhookAddress {
  readonly url?: string;
  readonly service?: {
    readonly name: string;
    readonly namespace: string;
    readonly path?: string;
    readonly port?: number;
  };
  /** PEM in base64. */
  readonly caBundle?: string;
}

/** A question to a webhook. */
export interface WebhookCall {
  readonly address: WebhookAddress;
  readonly timeoutSeconds: number;
  readonly body: unknown;
}

/** The answer of a webhook. */
export interface WebhookReply {
  readonly status: number;
  readonly body: unknown;
}

/** Calls webhooks over HTTPS, one pool of connections for each server. Answers are bounded as those of members; redirects are not followed. */
export class WebhookClient {
  readonly #transports = new Map<string, HttpsTransport>();

  /** Posts a body; throws Unreachable when nothing came back in time. */
  async post({ address, timeoutSeconds, body }: WebhookCall): Promise<WebhookReply> {
    const { server, path, query } = placeOf(address);
    const reply = await this.#transportTo(server, address.caBundle ?? '', timeoutSeconds * 1000).send({
      method: 'POST',
      path,
      query,
      headers: { accept: 'application/json', 'content-type': 'application/json' },
      body,
      signal: AbortSignal.timeout(timeoutSeconds * 1000),
    });
    return { status: reply.status, body: typeof reply.body === 'string' ? jsonIn(reply.body) : reply.body };
  }

  async close(): Promise<void> {
    await Promise.all([...this.#transports.values()].map((transport) => transport.close()));
    this.#transports.clear();
  }

  #transportTo(server: string, caBundle: string, timeoutMilliseconds: number): HttpsTransport {
    const key = [server, caBundle, timeoutMilliseconds].join(' ');
    const known = this.#transports.get(key);
    if (known) return known;
    const authority = caBundle === '' ? {} : { caBundle: Buffer.from(caBundle, 'base64').toString('utf8') };
    const options = { bounds: memberBounds, timeoutMilliseconds, connectMilliseconds: timeoutMilliseconds };
    const transport = new HttpsTransport({ server, ...authority }, options);
    this.#transports.set(key, transport);
    return transport;
  }
}

/** Some webhooks send their JSON as plain text. */
function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

interface Place {
  readonly server: string;
  readonly path: string;
  readonly query: string;
}

/** A Service has the name that DNS gives it in the cluster of the hub. */
function placeOf({ url, service }: WebhookAddress): Place {
  if (service) {
    const { name, namespace, path = '/', port = 443 } = service;
    return { server: `https://${name}.${namespace}.svc:${port}`, path, query: '' };
  }
  const { origin, pathname, search } = new URL(url ?? '');
  return { server: origin, path: pathname, query: search.slice(1) };
}
