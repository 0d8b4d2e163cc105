import { ApiError } from '../api/index.ts';
import type { Metrics } from '../observe/index.ts';

/** Counts the calls to one server. */
export interface Meter {
  measured<T extends { readonly status: number }>(verb: string, work: () => Promise<T>): Promise<T>;
  answered(verb: string, code: number): void;
}

const unmeasured: Meter = { measured: (_verb, work) => work(), answered: () => {} };

/** The meter of a server; one that does nothing where nobody measures. */
export function meterOf(metrics: Metrics | undefined, server: string): Meter {
  if (!metrics) return unmeasured;
  const answers = metrics.counter({
    name: 'sluice_client_requests_total',
    help: 'Requests to API servers by their answer; code 0 is none.',
    labels: ['server', 'verb', 'code'],
  });
  const seconds = metrics.histogram({
    name: 'sluice_client_request_seconds',
    help: 'Time until an API server has answered.',
    labels: ['server', 'verb'],
  });
  const answered = (verb: string, code: number): void => answers(server, verb, String(code)).add();
  return {
    answered,
    async measured(verb, work) {
      const start = performance.now();
      try {
        const response = await work();
        answered(verb, response.status);
        return response;
      } catch (error) {
        answered(verb, error instanceof ApiError ? error.code : 0);
        throw error;
      } finally {
        seconds(server, verb).observe((performance.now() - start) / 1000);
      }
    },
  };
}
