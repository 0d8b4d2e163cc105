import { AsyncLocalStorage } from 'node:async_hooks';
import { isSpanContextValid, ROOT_CONTEXT, SpanStatusCode, trace } from '@opentelemetry/api';
import type { Context, Span, SpanContext } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace-base';
import type { Logger } from './log.ts';
import type { Attributes, TraceTarget, Tracing } from './trace.ts';

const closeMilliseconds = 1_000;
/** Number of spans that may wait for the exporter; further ones are dropped. */
const mostWaiting = 8_192;
const mostWritten = 10_000;
/** Work on an object that was written longer ago, for example after a restart of a watch, does not follow from that write. */
const longestLinkMilliseconds = 60_000;

/** A tracer that exports with the SDK of OpenTelemetry. Nothing waits for it, and nothing fails with it. */
export class SdkTracer implements Tracing {
  readonly #provider: BasicTracerProvider;
  readonly #active = new AsyncLocalStorage<SpanContext>();
  /** The span in which an object was last written, by the key of the object. */
  readonly #written = new Map<string, { readonly span: SpanContext; readonly at: number }>();

  constructor({ url, headers, service }: TraceTarget, log: Logger) {
    const exporter = warning(new OTLPTraceExporter({ url, headers }), url, log);
    this.#provider = new BasicTracerProvider({
      resource: resourceFromAttributes({ 'service.name': service }),
      spanProcessors: [new BatchSpanProcessor(exporter, { maxQueueSize: mostWaiting })],
    });
  }

  async span<T>(name: string, attributes: Attributes, work: () => Promise<T>): Promise<T> {
    const span = this.#provider.getTracer('sluice').startSpan(name, { attributes }, this.#parentOf(attributes));
    try {
      return await this.#active.run(span.spanContext(), work);
    } catch (error) {
      fail(span, error);
      throw error;
    } finally {
      span.end();
    }
  }

  #parentOf({ object }: Attributes): Context {
    const parent = this.#active.getStore() ?? (typeof object === 'string' ? this.#writerOf(object) : undefined);
    return parent ? trace.setSpanContext(ROOT_CONTEXT, parent) : ROOT_CONTEXT;
  }

  #writerOf(object: string): SpanContext | undefined {
    const written = this.#written.get(object);
    return written && performance.now() - written.at < longestLinkMilliseconds ? written.span : undefined;
  }

  follow<T>(traceparent: string | undefined, work: () => T): T {
    const parent = contextOf(traceparent);
    return parent ? this.#active.run(parent, work) : work();
  }

  wrote(object: string): void {
    const span = this.#active.getStore();
    if (!span) return;
    if (this.#written.size >= mostWritten) this.#written.clear();
    this.#written.set(object, { span, at: performance.now() });
  }

  traceparent(): string | undefined {
    const span = this.#active.getStore();
    return span && `00-${span.traceId}-${span.spanId}-${span.traceFlags.toString(16).padStart(2, '0')}`;
  }

  async close(): Promise<void> {
    const { promise: late, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, closeMilliseconds);
    await Promise.race([this.#provider.shutdown().catch(() => undefined), late]);
    clearTimeout(timer);
  }
}

function fail(span: Span, error: unknown): void {
  span.setStatus({ code: SpanStatusCode.ERROR, message: error instanceof Error ? error.message : String(error) });
}

/** A traceparent header of W3C Trace Context; undefined when the value is not one. */
function contextOf(header: string | undefined): SpanContext | undefined {
  const [, traceId = '', spanId = '', flags = ''] =
    /^[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})/.exec(header ?? '') ?? [];
  const context = { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true };
  return isSpanContextValid(context) ? context : undefined;
}

/** The exporter, with one warning when spans begin to be lost. */
function warning(exporter: SpanExporter, url: string, log: Logger): SpanExporter {
  let isFailing = false;
  return {
    shutdown: () => exporter.shutdown(),
    forceFlush: () => exporter.forceFlush?.() ?? Promise.resolve(),
    export: (spans: ReadableSpan[], done) =>
      exporter.export(spans, (result) => {
        const failed = result.error !== undefined;
        if (failed && !isFailing) log.warn('traces cannot be sent and are dropped', { url, error: result.error });
        isFailing = failed;
        done(result);
      }),
  };
}
