import { randomUUID } from 'node:crypto';
import type { InterpreterWebhook, WebhookAnswer, WebhookQuestion } from '../api/index.ts';
import { isObject } from '../base/index.ts';
import { HttpsTransport, memberBounds } from '../client/index.ts';
import { parseOperations } from '../patch/index.ts';

const contextApi = 'config.karmada.io/v1alpha1';
const usualSeconds = 10;

/** Asks webhooks that interpret kinds, over HTTPS and with Karmada's messages. */
export class InterpreterWebhooks {
  readonly #transports = new Map<string, HttpsTransport>();

  /** The answer of a webhook, or why there is none that counts. Never throws. */
  async call({ webhook, request }: WebhookQuestion): Promise<WebhookAnswer> {
    const uid = randomUUID();
    try {
      const { path, query, server } = addressOf(webhook);
      const { status, body } = await this.#transportTo(server, webhook).send({
        method: 'POST',
        path,
        query,
        headers: { accept: 'application/json', 'content-type': 'application/json' },
        body: { apiVersion: contextApi, kind: 'ResourceInterpreterContext', request: { uid, ...request } },
      });
      if (status !== 200) return { error: `the webhook answered with status ${status}` };
      return answerIn(typeof body === 'string' ? parsed(body) : body, uid);
    } catch (error) {
      return { error: error instanceof Error ? error.message : String(error) };
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.#transports.values()].map((transport) => transport.close()));
    this.#transports.clear();
  }

  #transportTo(server: string, { clientConfig, timeoutSeconds = usualSeconds }: InterpreterWebhook): HttpsTransport {
    const { caBundle = '' } = clientConfig;
    const key = [server, caBundle, timeoutSeconds].join(' ');
    const known = this.#transports.get(key);
    if (known) return known;
    const timeoutMilliseconds = timeoutSeconds * 1000;
    const authority = caBundle === '' ? {} : { caBundle: Buffer.from(caBundle, 'base64').toString('utf8') };
    const transport = new HttpsTransport(
      { server, ...authority },
      { bounds: memberBounds, timeoutMilliseconds, connectMilliseconds: timeoutMilliseconds },
    );
    this.#transports.set(key, transport);
    return transport;
  }
}

interface Address {
  readonly server: string;
  readonly path: string;
  readonly query: string;
}

/** A Service has the name that DNS gives it in the cluster of the hub. */
function addressOf({ clientConfig: { url, service } }: InterpreterWebhook): Address {
  if (service) {
    const { name, namespace, path = '/', port = 443 } = service;
    return { server: `https://${name}.${namespace}.svc:${port}`, path, query: '' };
  }
  const { origin, pathname, search } = new URL(url ?? '');
  return { server: origin, path: pathname, query: search.slice(1) };
}

/** Many webhooks send JSON without saying that it is JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The answer as far as it is one to this request, with its patch decoded. */
function answerIn(body: unknown, uid: string): WebhookAnswer {
  const response = isObject(body) ? body['response'] : undefined;
  if (!isObject(response)) return { error: 'the webhook answered without a response' };
  if (response['uid'] !== uid) return { error: 'the webhook answered another request: its uid differs' };
  if (response['successful'] !== true) return { error: refusalIn(response['status']) };
  const { patch, patchType, ...others } = response;
  if (typeof patch !== 'string' || patch === '') return { response: others };
  if (patchType !== 'JSONPatch') return { error: 'the webhook answered with a patch that is no JSONPatch' };
  try {
    const operations = parseOperations(JSON.parse(Buffer.from(patch, 'base64').toString('utf8')));
    return { response: { ...others, patch: operations } };
  } catch {
    return { error: 'the webhook answered with a patch that cannot be read' };
  }
}

function refusalIn(status: unknown): string {
  const { message, code } = isObject(status) ? status : {};
  const words = typeof message === 'string' && message !== '' ? `: ${message}` : '';
  return `the webhook refused${typeof code === 'number' ? ` with code ${code}` : ''}${words}`;
}
