import { isObject } from '../base/index.ts';
import type { KubeObject, Ref } from '../api/index.ts';
import { collectionPath, objectPath } from '../client/index.ts';
import type { ApiClient, ResourceInfo, Selecting } from '../client/index.ts';
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

const accept = 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json';

/** Which objects, and whether the lines carry them whole instead of their metadata. */
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
    const { body } = await client.raw({ method: 'GET', path, query: query.toString(), headers: { accept } });
    const table = tableOf(body);
    if (columns.length === 0) ({ columns } = table);
    rows.push(...table.rows);
    more = continueOf(body);
  } while (more !== '');
  return { columns, rows };
}

/** Asks a server for the line of one object. */
export async function fetchRow(client: ApiClient, kind: ResourceInfo, ref: Ref): Promise<ServerTable> {
  const { body } = await client.raw({ method: 'GET', path: objectPath(kind, ref), headers: { accept } });
  return tableOf(body);
}

interface WireTable {
  readonly columnDefinitions: readonly Column[];
  readonly rows: readonly Row[] | null;
}

/** What is no table is a list, or an object: not every server draws tables of everything. */
function tableOf(body: unknown): ServerTable {
  if (!isObject(body)) return { columns: [], rows: [] };
  if (body['kind'] === 'Table') {
    const { columnDefinitions, rows } = body as unknown as WireTable;
    return { columns: columnDefinitions, rows: rows ?? [] };
  }
  const items = (Array.isArray(body['items']) ? body['items'] : [body]) as readonly KubeObject[];
  return {
    columns: [
      { name: 'Name', priority: 0 },
      { name: 'Age', priority: 0 },
    ],
    rows: items.map((object) => {
      const { name, creationTimestamp } = object.metadata;
      return { cells: [name, ageOf(creationTimestamp, Date.now())], object };
    }),
  };
}

function continueOf(body: unknown): string {
  const metadata = isObject(body) ? body['metadata'] : undefined;
  const token = isObject(metadata) ? metadata['continue'] : undefined;
  return typeof token === 'string' ? token : '';
}
