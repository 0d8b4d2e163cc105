import { isObject } from '../base/index.ts';
import type { KubeObject, Ref } from '../api/index.ts';
import { collectionPath, nonsenseOf, objectPath, sound } from '../client/index.ts';
import type { ApiClient, ResourceInfo, Selecting, WireResponse } from '../client/index.ts';
import { ageOf } from './print/output.ts';

/** A table as a server draws it of objects. */
export interface ServerTable {
  readonly columns: readonly Column[];
  readonly rows: readonly Row[];
}

/** A column; one of a priority above 0 is for who wants to see more. */
export interface Column {
  readonly name: string;
  readonly priority: number;
}

/** A line, and of the object at least its metadata. */
export interface Row {
  readonly cells: readonly unknown[];
  readonly object: KubeObject;
}

type TableResponse = Pick<WireResponse, 'headers' | 'body'>;

const accept = 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json';

/** Selects objects, and whether the lines carry them whole instead of their metadata. */
export interface TableWish extends Selecting {
  readonly whole?: boolean;
}

/** Asks a server for a table of a kind, page after page. */
export async function fetchTable(client: ApiClient, kind: ResourceInfo, select: TableWish): Promise<ServerTable> {
  const { namespace, labelSelector = '', fieldSelector = '', whole } = select;
  const includeObject = whole ? 'Object' : '';
  const rows: Row[] = [];
  let columns: readonly Column[] = [];
  let more = '';
  do {
    const query = new URLSearchParams(
      Object.entries({ limit: '500', labelSelector, fieldSelector, includeObject, continue: more }).filter(
        ([, value]) => value !== '',
      ),
    );
    const path = collectionPath(kind, namespace);
    const answer = await client.raw({ method: 'GET', path, query: query.toString(), headers: { accept } });
    const table = tableOf(answer);
    if (columns.length === 0) ({ columns } = table);
    rows.push(...table.rows);
    more = continueOf(answer.body);
  } while (more !== '');
  return { columns, rows };
}

/** Asks a server for the line of one object. */
export async function fetchRow(client: ApiClient, kind: ResourceInfo, ref: Ref): Promise<ServerTable> {
  return tableOf(await client.raw({ method: 'GET', path: objectPath(kind, ref), headers: { accept } }));
}

/**
 * A body that is not a table is a list, or an object: not every server offers tables of everything. Throws when it is
 * not one of them.
 */
function tableOf(answer: TableResponse): ServerTable {
  const { body } = answer;
  if (!isObject(body)) throw nonsenseOf(answer, 'a table');
  if (body['kind'] === 'Table') return drawnTable(answer, body);
  const items = 'items' in body ? (body['items'] ?? []) : [body];
  if (!Array.isArray(items)) throw nonsenseOf(answer, 'a list');
  return {
    columns: [
      { name: 'Name', priority: 0 },
      { name: 'Age', priority: 0 },
    ],
    rows: items.map((item) => {
      const object = objectIn(answer, item);
      const { name, creationTimestamp } = object.metadata;
      return { cells: [name, ageOf(creationTimestamp, Date.now())], object };
    }),
  };
}

function drawnTable(
  answer: TableResponse,
  { columnDefinitions, rows }: Readonly<Record<string, unknown>>,
): ServerTable {
  const [columns, lines] = [columnDefinitions ?? [], rows ?? []];
  if (!Array.isArray(columns) || !columns.every(isColumn)) throw nonsenseOf(answer, 'a table with named columns');
  if (!Array.isArray(lines)) throw nonsenseOf(answer, 'a table with rows');
  return { columns, rows: lines.map((row) => rowIn(answer, row)) };
}

const isColumn = (value: unknown): value is Column =>
  isObject(value) && typeof value['name'] === 'string' && typeof value['priority'] === 'number';

function rowIn(answer: TableResponse, row: unknown): Row {
  if (!isObject(row) || !Array.isArray(row['cells'])) throw nonsenseOf(answer, 'a table whose rows have cells');
  return { cells: row['cells'], object: objectIn(answer, row['object']) };
}

function objectIn(answer: TableResponse, value: unknown): KubeObject {
  if (!isObject(value)) throw nonsenseOf(answer, 'an object');
  return sound(value);
}

function continueOf(body: unknown): string {
  const metadata = isObject(body) ? body['metadata'] : undefined;
  const token = isObject(metadata) ? metadata['continue'] : undefined;
  return typeof token === 'string' ? token : '';
}
