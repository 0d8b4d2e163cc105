import type { Logger } from './log.ts';

/** What a span says of itself. */
export type Attributes = Readonly<Record<string, string | number | boolean>>;

/** Runs work within a span. */
export interface Tracer {
  span<T>(name: string, attributes: Attributes, work: () => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** Runs work and traces nothing. */
export const noTracer: Tracer = {
  span: (_name, _attributes, work) => work(),
  close: () => Promise.resolve(),
};

/** A running OpenTelemetry SDK, as far as we need one. */
interface Sdk {
  start(): void;
  shutdown(): Promise<void>;
}

export interface TracerOptions {
  /** OTEL_EXPORTER_OTLP_ENDPOINT; without it nothing is traced and nothing is loaded. */
  readonly endpoint?: string | undefined;
  readonly log: Logger;
  /** Loads the SDK; by default the package that OpenTelemetry calls sdk-node, which is not one of our dependencies. */
  readonly loadSdk?: () => Promise<Sdk>;
}

/** A tracer that exports to the endpoint; one that does nothing where no endpoint or no SDK is there. */
export async function openTracer({ endpoint, log, loadSdk = installedSdk }: TracerOptions): Promise<Tracer> {
  if (!endpoint) return noTracer;
  let sdk: Sdk;
  try {
    sdk = await loadSdk();
    sdk.start();
  } catch (error) {
    log.warn('traces are off: an endpoint is configured and the OpenTelemetry SDK cannot be loaded', { error });
    return noTracer;
  }
  const { span } = await apiTracer();
  return { span, close: () => sdk.shutdown() };
}

async function installedSdk(): Promise<Sdk> {
  const name: string = '@opentelemetry/sdk-node';
  const { NodeSDK } = (await import(name)) as { readonly NodeSDK: new (options: object) => Sdk };
  return new NodeSDK({ serviceName: 'sluice' });
}

async function apiTracer(): Promise<Pick<Tracer, 'span'>> {
  const { SpanStatusCode, trace } = await import('@opentelemetry/api');
  const tracer = trace.getTracer('sluice');
  return {
    span: (name, attributes, work) =>
      tracer.startActiveSpan(name, { attributes }, async (span) => {
        try {
          return await work();
        } catch (error) {
          span.setStatus({
            code: SpanStatusCode.ERROR,
            message: error instanceof Error ? error.message : String(error),
          });
          throw error;
        } finally {
          span.end();
        }
      }),
  };
}
