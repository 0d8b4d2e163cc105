import type { InterpreterWebhook, WebhookAnswer, WebhookQuestion } from '../api/index.ts';
import { ContentHashes } from '../base/index.ts';
import type { Clock } from '../observe/index.ts';

export interface WebhookAnswersOptions {
  /** Asks the webhook; never throws. */
  readonly call: (question: WebhookQuestion) => Promise<WebhookAnswer>;
  readonly clock: Clock;
  /** Answers that are kept; the oldest goes first. */
  readonly most?: number;
}

interface Remembered {
  readonly answer: WebhookAnswer | undefined;
  /** Called when there is an answer, or when a failure is forgotten so that the webhook is asked anew. */
  readonly askers: Map<string, () => void>;
  readonly failures: number;
}

const shortestWait = 1_000;
const longestWait = 60_000;

/**
 * The answers of webhooks that interpret kinds, as facts for decisions.
 * Guarantees: the same question has the same answer for as long as it is remembered, so a decision that is made again is
 * the same; each question is asked once at a time; after a failure the webhook is asked again, ever more slowly; whoever
 * decided without an answer, or with a failure, is asked again when there is news.
 */
export class WebhookAnswers {
  readonly #options: WebhookAnswersOptions;
  readonly #known = new Map<string, Remembered>();
  readonly #hashes = new ContentHashes<object>((value) => value);
  readonly #cancels = new Set<() => void>();
  #asker: { readonly name: string; readonly again: () => void } | undefined;

  constructor(options: WebhookAnswersOptions) {
    this.#options = options;
  }

  /** Tells whether no webhook is being asked. */
  get idle(): boolean {
    for (const { answer } of this.#known.values()) if (!answer) return false;
    return true;
  }

  /** Decides in the name of an asker, who is asked again when an answer that the decision lacks is there. */
  decide<T>(asker: { readonly name: string; readonly again: () => void }, decision: () => T): T {
    const before = this.#asker;
    this.#asker = asker;
    try {
      return decision();
    } finally {
      this.#asker = before;
    }
  }

  /** For `View.askWebhook`. Outside of a decision nothing is asked: then a missing answer is a failure. */
  readonly ask = (question: WebhookQuestion): WebhookAnswer | undefined => {
    const id = this.#idOf(question);
    const known = this.#known.get(id);
    const asker = this.#asker;
    if (!asker) return known?.answer ?? { error: 'has not answered yet' };
    if (!known)
      this.#call(id, question, { answer: undefined, askers: new Map([[asker.name, asker.again]]), failures: 0 });
    else if (!known.answer || 'error' in known.answer) known.askers.set(asker.name, asker.again);
    return known?.answer;
  };

  close(): void {
    for (const cancel of this.#cancels) cancel();
    this.#cancels.clear();
  }

  #idOf({ webhook, request }: WebhookQuestion): string {
    const { operation, object, observedObject, replicas, aggregatedStatus } = request;
    const hash = (value: object | undefined): string => (value ? this.#hashes.of(value) : '');
    return [
      hash(clientOf(webhook)),
      operation,
      replicas ?? '',
      hash(object),
      hash(observedObject),
      hash(aggregatedStatus),
    ].join(' ');
  }

  #call(id: string, question: WebhookQuestion, asked: Remembered): void {
    this.#remember(id, asked);
    void this.#options.call(question).then((answer) => {
      const failures = 'error' in answer ? asked.failures + 1 : 0;
      const askers = new Map(asked.askers);
      this.#remember(id, { answer, askers: failures > 0 ? askers : new Map(), failures });
      for (const again of asked.askers.values()) again();
      if (failures > 0) this.#retryLater(id, question, failures);
    });
  }

  /** The failure stands until the webhook has answered anew. */
  #retryLater(id: string, question: WebhookQuestion, failures: number): void {
    const wait = Math.min(shortestWait * 2 ** (failures - 1), longestWait);
    const cancel = this.#options.clock.after(wait, () => {
      this.#cancels.delete(cancel);
      const known = this.#known.get(id);
      if (!known) return;
      void this.#options.call(question).then((answer) => this.#retried(id, question, answer));
    });
    this.#cancels.add(cancel);
  }

  #retried(id: string, question: WebhookQuestion, answer: WebhookAnswer): void {
    const known = this.#known.get(id);
    if (!known) return;
    const failures = 'error' in answer ? known.failures + 1 : 0;
    this.#remember(id, { answer, askers: failures > 0 ? known.askers : new Map(), failures });
    if (failures > 0) this.#retryLater(id, question, failures);
    if (failures === 0) for (const again of known.askers.values()) again();
  }

  #remember(id: string, remembered: Remembered): void {
    const { most = 20_000 } = this.#options;
    this.#known.delete(id);
    this.#known.set(id, remembered);
    for (const oldest of this.#known.keys()) {
      if (this.#known.size <= most) break;
      this.#known.delete(oldest);
    }
  }
}

const clients = new WeakMap<InterpreterWebhook, object>();

/** Everything of a webhook that its answers depend on. */
function clientOf(webhook: InterpreterWebhook): object {
  const known = clients.get(webhook);
  if (known) return known;
  const { name, clientConfig } = webhook;
  const client = { name, clientConfig };
  clients.set(webhook, client);
  return client;
}
