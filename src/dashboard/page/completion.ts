import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete';
import type { FleetView } from '../wire.ts';
import { client, queryOf, request } from './api.ts';
import { pathAt } from './yamlpath.ts';

/** A schema as the server sends it. */
interface Schema {
  readonly type?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly values?: readonly string[];
}

interface Kind {
  readonly apiVersion: string;
  readonly kind: string;
}

function known<T>(path: string): Promise<T> {
  return client.fetchQuery({ queryKey: ['schema', path], queryFn: () => request<T>(path), staleTime: Infinity });
}

/** Completes keys by the schema of the object's kind, and values where they are known: enumerations, members, namespaces, kinds. */
export async function complete({ state, pos, explicit }: CompletionContext): Promise<CompletionResult | null> {
  const line = state.doc.lineAt(pos);
  const written = line.text.slice(0, pos - line.from);
  const from = pos - matched(/[\w./-]*$/, written).length;
  const { path, document } = pathAt(state.doc.toString(), line.from + matched(/^[ -]*/, line.text).length);
  const key = /^[ -]*([\w./-]+):\s+["']?[\w./-]*$/.exec(written)?.[1];
  if (key !== undefined) return resultOf(from, await valuesOf([...path, key], document));
  const isKey = /^[ -]*[\w./-]*$/.test(written) && (written.trim() !== '' || explicit);
  if (!isKey) return null;
  const values = /^\s*-\s/.test(written) ? await valuesOf(path, document) : [];
  return resultOf(from, values.length > 0 ? values : await keysOf(path, document));
}

const matched = (pattern: RegExp, text: string): string => pattern.exec(text)?.[0] ?? '';

function resultOf(from: number, options: readonly Completion[]): CompletionResult | null {
  return options.length > 0 ? { from, options, validFor: /^[\w./-]*$/ } : null;
}

async function keysOf(path: readonly string[], document: string): Promise<readonly Completion[]> {
  const schema = schemaAt(await schemaOf(document), path);
  const { properties } = schema?.items ?? schema ?? {};
  if (!properties) return path.length === 0 ? topKeys : [];
  return Object.entries(properties).map(([label, { type = '', description }]) => ({
    label,
    type: 'property',
    detail: type,
    apply: `${label}: `,
    ...(description !== undefined && { info: description }),
  }));
}

const topKeys: readonly Completion[] = ['apiVersion', 'kind', 'metadata', 'spec'].map((label) => ({
  label,
  apply: `${label}: `,
}));

type Values = () => Promise<readonly string[]>;

const members: Values = async () => (await known<FleetView>('fleet')).members.map(({ name }) => name);

/** Keys whose values are names of what there is. */
const living: Readonly<Record<string, Values>> = {
  clusterNames: members,
  exclude: members,
  namespace: async () => (await known<FleetView>('fleet')).namespaces.map(({ namespace }) => namespace).filter(Boolean),
  apiVersion: async () => (await known<readonly Kind[]>('kinds')).map(({ apiVersion }) => apiVersion),
  kind: async () => (await known<readonly Kind[]>('kinds')).map(({ kind }) => kind),
};

async function valuesOf(path: readonly string[], document: string): Promise<readonly Completion[]> {
  const values = living[path.at(-1) ?? ''];
  if (values) return named([...new Set(await values())]);
  const schema = schemaAt(await schemaOf(document), path);
  if (schema?.type === 'boolean') return named(['true', 'false']);
  return named(schema?.values ?? schema?.items?.values ?? []);
}

const named = (labels: readonly string[]): readonly Completion[] => labels.map((label) => ({ label, type: 'enum' }));

async function schemaOf(document: string): Promise<Schema | null> {
  const apiVersion = /^apiVersion:\s*(\S+)/m.exec(document)?.[1];
  const kind = /^kind:\s*(\S+)/m.exec(document)?.[1];
  if (apiVersion === undefined || kind === undefined) return null;
  return known<Schema | null>(`schema${queryOf({ apiVersion, kind })}`);
}

function schemaAt(schema: Schema | null, path: readonly string[]): Schema | undefined {
  let at: Schema | undefined = schema ?? undefined;
  for (const key of path) at = (at?.items ?? at)?.properties?.[key];
  return at;
}
