import { randomBytes } from 'node:crypto';
import type { Logger } from './log.ts';
import type { Attributes, Tracer } from './trace.ts';

/** Where spans go, and under which name. */
export interface SenderOptions {
  /** The whole URL that takes traces. */
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly service?: string;
  readonly log: Logger;
}

const most = 512;
const mostWaiting = 16 * most;
const pauseMilliseconds = 5_000;
const sendMilliseconds = 10_000;
const closeMilliseconds = 1_000;

type Span = Readonly<Record<string, unknown>>;

/**
 * Sends spans as OTLP says it in JSON, a few hundred at a time.
 * Guarantees: nothing waits for it and nothing fails with it; what cannot be sent is dropped, and said once until it works again.
 */
export class SpanSender implements Tracer {
  readonly #options: SenderOptions;
  #waiting: Span[] = [];
  #timer: NodeJS.Timeout | undefined;
  #sending: Promise<void> | undefined;
  #isFailing = false;

  constructor(options: SenderOptions) {
    this.#options = options;
  }

  async span<T>(name: string, attributes: Attributes, work: () => Promise<T>): Promise<T> {
    const start = nanoseconds();
    let fault: { readonly said: string } | undefined;
    try {
      return await work();
    } catch (error) {
      fault = { said: error instanceof Error ? error.message : String(error) };
      throw error;
    } finally {
      this.#take({
        traceId: randomBytes(16).toString('hex'),
        spanId: randomBytes(8).toString('hex'),
        name,
        kind: 1,
        startTimeUnixNano: start,
        endTimeUnixNano: nanoseconds(),
        attributes: spelt(attributes),
        status: fault ? { code: 2, message: fault.said } : {},
      });
    }
  }

  /** Sends what is left, as far as that takes no time worth speaking of. */
  async close(): Promise<void> {
    const { promise: late, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, closeMilliseconds);
    await Promise.race([this.#drain(), late]);
    clearTimeout(timer);
    clearTimeout(this.#timer);
  }

  async #drain(): Promise<void> {
    await this.#sending;
    while (this.#waiting.length > 0 && !this.#isFailing) await this.#flush();
  }

  #take(span: Span): void {
    if (this.#waiting.length < mostWaiting) this.#waiting.push(span);
    this.#sendSoon();
  }

  #sendSoon(): void {
    if (this.#waiting.length >= most) void this.#flush();
    else if (this.#waiting.length > 0) this.#timer ??= setTimeout(() => void this.#flush(), pauseMilliseconds).unref();
  }

  /** One batch at a time. */
  #flush(): Promise<void> {
    this.#sending ??= this.#send(this.#waiting.splice(0, most)).finally(() => {
      this.#sending = undefined;
      this.#sendSoon();
    });
    return this.#sending;
  }

  async #send(spans: readonly Span[]): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (spans.length === 0) return;
    const { url, headers, log } = this.#options;
    try {
      const { ok, status } = await fetch(url, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify(this.#message(spans)),
        signal: AbortSignal.timeout(sendMilliseconds),
      });
      if (!ok) throw new Error(`it answered ${status}`);
      this.#isFailing = false;
    } catch (error) {
      if (!this.#isFailing) log.warn('traces cannot be sent and are dropped', { url, error: rootOf(error) });
      this.#isFailing = true;
    }
  }

  #message(spans: readonly Span[]): object {
    const resource = { attributes: spelt({ 'service.name': this.#options.service ?? 'sluice' }) };
    return { resourceSpans: [{ resource, scopeSpans: [{ scope: { name: 'sluice' }, spans }] }] };
  }
}

/** `fetch` hides why behind "fetch failed". */
const rootOf = (error: unknown): unknown => (error instanceof Error && error.cause ? error.cause : error);

const nanoseconds = (): string =>
  `${BigInt(Math.round((performance.timeOrigin + performance.now()) * 1_000)) * 1_000n}`;

function spelt(attributes: Attributes): object[] {
  return Object.entries(attributes).map(([key, value]) => ({ key, value: spelling(value) }));
}

function spelling(value: string | number | boolean): object {
  if (typeof value === 'string') return { stringValue: value };
  return typeof value === 'boolean' ? { boolValue: value } : { doubleValue: value };
}

/** Where the usual variables of OpenTelemetry say that traces go; undefined when they name no place. */
export function traceTarget(
  variables: Readonly<Record<string, string | undefined>>,
): Omit<SenderOptions, 'log'> | undefined {
  const base = variables['OTEL_EXPORTER_OTLP_ENDPOINT'];
  const url = variables['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'] || (base && `${base.replace(/\/+$/, '')}/v1/traces`);
  if (!url) return undefined;
  const service = variables['OTEL_SERVICE_NAME'];
  return { url, headers: headersIn(variables['OTEL_EXPORTER_OTLP_HEADERS'] ?? ''), ...(service && { service }) };
}

function headersIn(text: string): Readonly<Record<string, string>> {
  const pairs = text.split(',').filter((pair) => pair.includes('='));
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf('=');
      return [pair.slice(0, at).trim(), decodeURIComponent(pair.slice(at + 1).trim())];
    }),
  );
}
