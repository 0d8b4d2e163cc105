import type { Logger } from './log.ts';

/** The attributes of a span. */
export type Attributes = Readonly<Record<string, string | number | boolean>>;

/** Runs work within a span. */
export interface Tracer {
  /** The span is a child of the one that runs it, else of the one in which its `object` was last written. */
  span<T>(name: string, attributes: Attributes, work: () => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** A tracer whose spans lead from one program or one object to the next. */
export interface Tracing extends Tracer {
  /** Runs work under the span that a W3C traceparent header names; a header that names none changes nothing. */
  follow<T>(traceparent: string | undefined, work: () => T): T;
  /** The object of this key was written within the running span: spans about the object are its children from now on. */
  wrote(object: string): void;
  /** The running span as a W3C traceparent header; undefined when nothing is traced. */
  traceparent(): string | undefined;
}

/** Runs work and traces nothing. */
export const noTracer: Tracing = {
  span: (_name, _attributes, work) => work(),
  follow: (_traceparent, work) => work(),
  wrote: () => {},
  traceparent: () => undefined,
  close: () => Promise.resolve(),
};

/** Where spans go, and under which name. */
export interface TraceTarget {
  /** The whole URL that takes traces. */
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly service: string;
}

/** The options of a tracer. */
export interface TracerOptions {
  /** The variables of the process; where those of OpenTelemetry name no endpoint, nothing is traced and nothing is loaded. */
  readonly variables?: Readonly<Record<string, string | undefined>>;
  readonly log: Logger;
  /** Loads the SDK of OpenTelemetry, which takes a tenth of a second. */
  readonly loadSdk?: () => Promise<Pick<typeof import('./sdk-tracer.ts'), 'SdkTracer'>>;
}

/** A tracer that exports to the endpoint which the usual variables of OpenTelemetry name. */
export async function openTracer({ variables = {}, log, loadSdk = sdk }: TracerOptions): Promise<Tracing> {
  const target = traceTarget(variables);
  if (!target) return noTracer;
  if (!URL.canParse(target.url)) {
    log.warn('traces are off: the configured endpoint is not a URL', { url: target.url });
    return noTracer;
  }
  const { SdkTracer } = await loadSdk();
  return new SdkTracer(target, log);
}

const sdk = (): Promise<typeof import('./sdk-tracer.ts')> => import('./sdk-tracer.ts');

/** Where the variables say that traces go; undefined when they name no place. */
export function traceTarget(variables: Readonly<Record<string, string | undefined>>): TraceTarget | undefined {
  const base = variables['OTEL_EXPORTER_OTLP_ENDPOINT'];
  const url = variables['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'] || (base && `${base.replace(/\/+$/, '')}/v1/traces`);
  if (!url) return undefined;
  const service = variables['OTEL_SERVICE_NAME'] || 'sluice';
  return { url, headers: headersIn(variables['OTEL_EXPORTER_OTLP_HEADERS'] ?? ''), service };
}

function headersIn(text: string): Record<string, string> {
  const pairs = text.split(',').filter((pair) => pair.includes('='));
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf('=');
      return [pair.slice(0, at).trim(), decodeURIComponent(pair.slice(at + 1).trim())];
    }),
  );
}
