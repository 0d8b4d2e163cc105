import type { Environment } from '@marcbachmann/cel-js';
import { isRequestUri } from '../../structural/formats.ts';
import { fail } from '../failure.ts';

const sync = { async: false } as const;
const type = 'kubernetes.URL';

/** A URL, absolute or only a path, as a value of CEL. */
class CelUrl {
  readonly url: URL;
  readonly absolute: boolean;
  constructor(text: string) {
    this.absolute = !text.startsWith('/');
    this.url = new URL(text, 'http://nowhere');
  }
}

function parse(text: string): CelUrl {
  if (!isRequestUri(text))
    throw fail(`URL parse error during conversion from string: parse ${JSON.stringify(text)}: invalid URI for request`);
  return new CelUrl(text);
}

/** URLs: url, isURL and the parts of one. */
export function registerUrls(env: Environment): void {
  const part = (signature: string, read: (url: URL) => unknown, always = false): void => {
    const handler = (one: CelUrl): unknown => (one.absolute || always ? read(one.url) : '');
    env.registerFunction(`${type}.${signature}`, handler, sync);
  };
  env.registerType(type, CelUrl);
  env.registerFunction(`url(string): ${type}`, parse, sync);
  env.registerFunction('isURL(string): bool', isRequestUri, sync);
  env.registerOperator(`${type} == ${type}`, (a: CelUrl, b: CelUrl) => a.url.href === b.url.href);
  part('getScheme(): string', (url) => url.protocol.slice(0, -1));
  part('getHost(): string', (url) => url.host);
  part('getHostname(): string', (url) => url.hostname.replaceAll(/^\[|\]$/g, ''));
  part('getPort(): string', (url) => url.port);
  part('getEscapedPath(): string', (url) => url.pathname, true);
  part('getQuery(): map<string, list<string>>', queryOf, true);
}

function queryOf(url: URL): Record<string, string[]> {
  const query: Record<string, string[]> = {};
  for (const [key, value] of url.searchParams) (query[key] ??= []).push(value);
  return query;
}
