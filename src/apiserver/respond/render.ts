import { dump } from 'js-yaml';
import type { ApiError, Status } from '../../api/index.ts';
import type { HubRequest, HubResponse } from '../http.ts';
import { listOpening, listText } from './list-text.ts';
import type { Call, ListOutcome, Outcome } from '../call.ts';
import { servedBytes, servedObject } from '../storage/stored-form.ts';
import { warningHeaders } from './warnings.ts';
import { partialList, partialObject, shownObject, tableOf } from './transform.ts';

type Headers = Record<string, string | readonly string[]>;

const jsonType = 'application/json';

/** The answer to a call, in the representation that it asked for. */
export function rendered(call: Call, outcome: Outcome): HubResponse {
  if ('response' in outcome) return withWarnings(call, outcome.response);
  const { status } = outcome;
  if (call.accept.as !== 'object') return answer(call, status, transformed(shownCall(call), outcome));
  if ('list' in outcome) return listAnswer(call, status, outcome.list);
  if ('object' in outcome) return answer(call, status, outcome.object);
  if (call.request.wantsObjects || call.accept.format === 'yaml') {
    return answer(call, status, servedObject(outcome.entry, call.kind));
  }
  return { status, headers: headersOf(call, jsonType), body: servedBytes(outcome.entry, call.kind) };
}

/** A scale is shown as what it is, whatever it scales. */
function shownCall(call: Call): Call {
  if (call.target.subresource !== 'scale') return call;
  const scale = { group: 'autoscaling', version: 'v1', kind: 'Scale', plural: 'scales', custom: false };
  return { ...call, kind: { ...call.kind, ...scale } };
}

function transformed(call: Call, outcome: Exclude<Outcome, { response: HubResponse }>): object {
  const { as } = call.accept;
  if ('list' in outcome) return as === 'Table' ? tableOf(call, outcome.list) : partialList(call, outcome.list);
  const object = shownObject(call, outcome);
  if (!object) return 'object' in outcome ? outcome.object : {};
  return as === 'Table' ? tableOf(call, { objects: [object] }) : partialObject(call, object);
}

function answer(call: Call, status: number, object: object): HubResponse {
  if (call.request.wantsObjects) return { status, headers: headersOf(call, jsonType), object };
  if (call.accept.format === 'yaml') {
    return { status, headers: headersOf(call, 'application/yaml'), body: Buffer.from(yamlOf(object)) };
  }
  return { status, headers: headersOf(call, jsonType), body: Buffer.from(JSON.stringify(object)) };
}

/** Deeper levels stand on one line: as blocks each level would indent all below it, and megabytes would become gigabytes. */
function yamlOf(object: object): string {
  return dump(object, { noRefs: true, flowLevel: 40 });
}

function listAnswer(call: Call, status: number, list: ListOutcome): HubResponse {
  const { kind, request, accept } = call;
  if (request.wantsObjects || accept.format === 'yaml') {
    const items = list.entries.map((entry) => servedObject(entry, kind));
    return answer(call, status, { ...listOpening(call, list), items });
  }
  return { status, headers: headersOf(call, jsonType), ...listText(call, list) };
}

function headersOf(call: Call, type: string): Headers {
  const headers: Headers = { 'content-type': type };
  if (call.warnings.length > 0) headers['warning'] = warningHeaders(call.warnings);
  return headers;
}

function withWarnings(call: Call, response: HubResponse): HubResponse {
  if (call.warnings.length === 0) return response;
  return { ...response, headers: { ...response.headers, warning: warningHeaders(call.warnings) } };
}

/** The answer to a request that failed. */
export function failed(request: HubRequest, error: ApiError, warnings: readonly string[] = []): HubResponse {
  const { status } = error;
  const headers: Headers = { 'content-type': jsonType };
  const retry = status.details?.retryAfterSeconds;
  if (retry !== undefined) headers['retry-after'] = String(retry);
  if (warnings.length > 0) headers['warning'] = warningHeaders(warnings);
  return statusResponse(request, status, headers);
}

function statusResponse(request: HubRequest, status: Status, headers: Headers): HubResponse {
  const code = status.code ?? 500;
  if (request.wantsObjects) return { status: code, headers, object: status };
  return { status: code, headers, body: Buffer.from(JSON.stringify(status)) };
}
