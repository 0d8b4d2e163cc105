import type { Logger } from './log.ts';
import { SpanSender, traceTarget } from './otlp.ts';

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
  /** The variables of the process; where those of OpenTelemetry name no endpoint, nothing is traced and nothing is loaded. */
  readonly variables?: Readonly<Record<string, string | undefined>>;
  readonly log: Logger;
  /** Loads the SDK; by default the package that OpenTelemetry calls sdk-node, which is not one of our dependencies. */
  readonly loadSdk?: () => Promise<Sdk>;
}

/** A tracer that exports to the endpoint: by the SDK of OpenTelemetry where it is installed, else by ourselves. */
export async function openTracer({ variables = {}, log, loadSdk = installedSdk }: TracerOptions): Promise<Tracer> {
  const target = traceTarget(variables);
  if (!target) return noTracer;
  if (!URL.canParse(target.url)) {
    log.warn('traces are off: what is configured for them is no URL', { url: target.url });
    return noTracer;
  }
  let sdk: Sdk;
  try {
    sdk = await loadSdk();
  } catch {
    return new SpanSender({ ...target, log });
  }
  sdk.start();
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
