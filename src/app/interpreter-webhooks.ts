import { randomUUID } from 'node:crypto';
import type { WebhookAnswer, WebhookQuestion } from '../api/index.ts';
import { isObject } from '../base/index.ts';
import { WebhookClient } from '../client/index.ts';
import { parseOperations } from '../patch/index.ts';

const contextApi = 'config.karmada.io/v1alpha1';
const usualSeconds = 10;

/** Asks webhooks that interpret kinds, over HTTPS and with Karmada's messages. */
export class InterpreterWebhooks {
  readonly #client = new WebhookClient();

  /** The answer of a webhook, or why there is none that counts. Never throws. */
  async call({ webhook, request }: WebhookQuestion): Promise<WebhookAnswer> {
    const uid = randomUUID();
    const { clientConfig: address, timeoutSeconds = usualSeconds } = webhook;
    try {
      const asked = { apiVersion: contextApi, kind: 'ResourceInterpreterContext', request: { uid, ...request } };
      const { status, body } = await this.#client.post({ address, timeoutSeconds, body: asked });
      if (status !== 200) return { error: `the webhook answered with status ${status}` };
      return answerIn(body, uid);
    } catch (error) {
      return { error: error instanceof Error ? error.message : String(error) };
    }
  }

  close(): Promise<void> {
    return this.#client.close();
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
