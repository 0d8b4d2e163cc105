import { apiVersionOf, refOf } from '../api/index.ts';
import type { KubeObject } from '../api/index.ts';
import { compareRevisions, isNotFound } from '../client/index.ts';
import type { ResourceInfo, Selecting } from '../client/index.ts';
import type { Server } from './connect.ts';
import { Failure } from './failure.ts';
import type { Io } from './io.ts';
import { whyUnreadable } from './members.ts';
import type { Template } from '../base/index.ts';
import { cellOf, columnsOf, customColumns, sortedBy } from './print/columns.ts';
import { listOf, printed } from './print/output.ts';
import { Sheet } from './print/sheet.ts';
import type { MemberRow, SheetStyle } from './print/sheet.ts';
import { table } from './print/table.ts';
import { fetchRow, fetchTable } from './tables.ts';

/** A request to members: one kind, and one selection for each name. */
export interface Inquiry {
  readonly io: Io;
  readonly kind: ResourceInfo;
  readonly selects: readonly Selecting[];
  readonly servers: ReadonlyMap<string, Server>;
}

/** A change of an object in a member. */
export interface MemberChange {
  readonly cluster: string;
  readonly event: 'ADDED' | 'MODIFIED' | 'DELETED';
  /** As it is, or as it was before it went. */
  readonly object: KubeObject;
}

/** Shows objects of members: all that there are, and then what happens to them. */
export interface Display {
  /** Answers which there are, as `plural/name`. */
  showAll(): Promise<readonly string[]>;
  showChange(change: MemberChange): Promise<void>;
}

/** How they are shown. */
export interface DisplayStyle extends Omit<SheetStyle, 'wide'> {
  readonly output: string;
  /** Rows in the order of what this finds in their objects. */
  readonly sortBy?: Template;
}

/** The display for an output format. */
export function displayOf(inquiry: Inquiry, style: DisplayStyle): Display {
  return isTable(style) ? new TableDisplay(inquiry, style) : new ObjectDisplay(inquiry, style);
}

const isTable = ({ output }: DisplayStyle): boolean => output === 'table' || output === 'wide';

/** Shows objects of several kinds: a table each, or all in one list. Answers which there are. */
export async function showKinds(inquiries: readonly Inquiry[], style: DisplayStyle): Promise<readonly string[]> {
  const [first] = inquiries;
  if (!first) return [];
  if (inquiries.length === 1) return displayOf(first, style).showAll();
  if (!isTable(style)) return showObjects(inquiries, style);
  const found: string[] = [];
  for (const inquiry of inquiries) {
    const { plural, group } = inquiry.kind;
    const kind = `${inquiry.kind.singular ?? plural}${group && `.${group}`}`;
    const before = found.length > 0 ? () => inquiry.io.out('\n') : undefined;
    const display = new TableDisplay(inquiry, {
      ...style,
      kind,
      namespaces: style.namespaces && inquiry.kind.namespaced,
    });
    found.push(...(await display.showAll(before)));
  }
  return found;
}

async function showObjects(inquiries: readonly Inquiry[], style: DisplayStyle): Promise<readonly string[]> {
  const items: ShownObject[] = [];
  for (const inquiry of inquiries)
    items.push(...(await fetchItems(inquiry)).map((object) => ({ object, kind: inquiry.kind })));
  if (inquiries[0]) printItems(inquiries[0].io, items, style);
  return items.map(({ object, kind }) => wordOf(kind, object));
}

const wordOf = ({ plural }: ResourceInfo, { metadata }: KubeObject): string => `${plural}/${metadata.name}`;

/** Asks every member; of those that do not answer it is said why. */
async function asked<T>({ servers, io }: Inquiry, ask: (server: Server, cluster: string) => Promise<T>): Promise<T[]> {
  const silent = new Map<string, string>();
  const answers = await Promise.all(
    [...servers].map(async ([cluster, server]) => {
      try {
        return [await ask(server, cluster)];
      } catch (error) {
        silent.set(cluster, whyUnreadable(error));
        return [];
      }
    }),
  );
  const reasons = new Set(silent.values());
  // An error that all members report is about the request, and not about the members.
  if (silent.size === servers.size && reasons.size === 1) throw new Failure([...reasons].join(''));
  for (const [cluster, why] of silent) io.err(`warning: ${cluster} cannot be read: ${why}\n`);
  if (silent.size === servers.size && silent.size > 0) throw new Failure('no member can be read');
  return answers.flat();
}

/** Lines as the members draw them. */
class TableDisplay implements Display {
  readonly #inquiry: Inquiry;
  readonly #style: DisplayStyle;
  readonly #sheet: Sheet;
  /** The last line of each, for when it goes. */
  readonly #known = new Map<string, MemberRow>();

  constructor(inquiry: Inquiry, style: DisplayStyle) {
    this.#inquiry = inquiry;
    this.#style = style;
    this.#sheet = new Sheet(inquiry.io, { ...style, wide: style.output === 'wide' });
  }

  /** `before` is called before the first line, if there is one. */
  async showAll(before?: () => void): Promise<readonly string[]> {
    const { kind, selects } = this.#inquiry;
    const { sortBy } = this.#style;
    const tables = await asked(this.#inquiry, async ({ client }, cluster) => {
      const parts = await Promise.all(
        selects.map((select) => fetchTable(client, kind, { ...select, whole: sortBy !== undefined })),
      );
      return parts.flatMap(({ columns, rows }) =>
        rows.map((row): MemberRow => ({ cluster, columns, row, event: 'ADDED' })),
      );
    });
    const found = tables.flat();
    const rows = sortBy ? sortedBy(found, sortBy, ({ row }) => row.object) : found;
    for (const row of rows) this.#known.set(placeOf(row.cluster, row.row.object), row);
    if (rows.length > 0) before?.();
    this.#sheet.print(rows);
    return rows.map(({ row }) => wordOf(kind, row.object));
  }

  async showChange(change: MemberChange): Promise<void> {
    const place = placeOf(change.cluster, change.object);
    const known = this.#known.get(place);
    if (change.event !== 'DELETED' && isAsNew(known?.row.object, change.object)) return;
    const row = change.event === 'DELETED' ? known : await this.#rowOf(change);
    if (!row) return;
    if (change.event === 'DELETED') this.#known.delete(place);
    else this.#known.set(place, row);
    this.#sheet.print([{ ...row, event: change.event }]);
  }

  /** An object that is gone before it was drawn is reported when it goes. */
  async #rowOf({ cluster, object }: MemberChange): Promise<MemberRow | undefined> {
    const server = this.#inquiry.servers.get(cluster);
    if (!server) return undefined;
    try {
      const { columns, rows } = await fetchRow(server.client, this.#inquiry.kind, refOf(object));
      return rows[0] && { cluster, columns, row: rows[0] };
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }
}

/** Tells whether this state, or a later one, was shown already. */
function isAsNew(shown: KubeObject | undefined, { metadata }: KubeObject): boolean {
  if (!shown || shown.metadata.uid !== metadata.uid) return false;
  return (compareRevisions(shown.metadata.resourceVersion ?? '', metadata.resourceVersion ?? '') ?? -1) >= 0;
}

/** The parts that tell one object from the others of its kind; lines carry only the metadata of an object. */
function placeOf(cluster: string, { metadata: { namespace, name } }: KubeObject): string {
  return `${cluster}|${namespace ?? ''}|${name}`;
}

/** Objects as they are, or their names. */
class ObjectDisplay implements Display {
  readonly #inquiry: Inquiry;
  readonly #style: DisplayStyle;
  readonly #known = new Map<string, KubeObject>();

  constructor(inquiry: Inquiry, style: DisplayStyle) {
    this.#inquiry = inquiry;
    this.#style = style;
  }

  async showAll(): Promise<readonly string[]> {
    const { io, kind } = this.#inquiry;
    const items = await fetchItems(this.#inquiry);
    for (const item of items) this.#known.set(placeOf(clusterOf(item), item), item);
    printItems(
      io,
      items.map((object) => ({ object, kind })),
      this.#style,
    );
    return items.map((item) => wordOf(kind, item));
  }

  async showChange({ cluster, event, object }: MemberChange): Promise<void> {
    const item = from(cluster, object);
    const place = placeOf(cluster, item);
    if (event !== 'DELETED' && isAsNew(this.#known.get(place), item)) return;
    if (event === 'DELETED') this.#known.delete(place);
    else this.#known.set(place, item);
    const { output } = this.#style;
    const { kind, io } = this.#inquiry;
    if (output === 'name' || output.startsWith(customColumns)) printItems(io, [{ object: item, kind }], this.#style);
    else printed(this.#inquiry.io, this.#style.output, this.#style.events ? { type: event, object: item } : item);
  }
}

/** An object of a member, and the kind that it was asked for as. */
interface ShownObject {
  readonly object: KubeObject;
  readonly kind: ResourceInfo;
}

async function fetchItems(inquiry: Inquiry): Promise<readonly KubeObject[]> {
  const { kind, selects } = inquiry;
  const of = { apiVersion: apiVersionOf(kind), kind: kind.kind };
  const lists = await asked(inquiry, async ({ client }, cluster) => {
    const parts = await Promise.all(selects.map((select) => client.listAll(of, select)));
    return parts.flatMap(({ items }) => items.map((object) => from(cluster, object)));
  });
  return lists.flat();
}

function printItems(io: Io, found: readonly ShownObject[], { output, sortBy }: DisplayStyle): void {
  const items = sortBy ? sortedBy(found, sortBy, ({ object }) => object) : found;
  if (output === 'name') io.out(items.map(nameText).join(''));
  else if (output.startsWith(customColumns)) io.out(columnsText(items, output));
  else printed(io, output, listOf(items.map(({ object }) => object)));
}

function nameText({ object, kind: { plural, group } }: ShownObject): string {
  return `${clusterOf(object)}/${plural}${group && `.${group}`}/${object.metadata.name}\n`;
}

/** The columns that the user made, and the cluster last: rows of several members would look the same. */
function columnsText(items: readonly ShownObject[], output: string): string {
  if (items.length === 0) return '';
  const columns = columnsOf(output);
  const rows = items.map(({ object }) => [...columns.map((column) => cellOf(column, object)), clusterOf(object)]);
  return table([...columns.map(({ head }) => head), 'CLUSTER'], rows, { columns: undefined });
}

/** Where `-o json` says of which cluster an object is. */
const clusterAnnotation = 'resource.karmada.io/cached-from-cluster';
const clusterOf = ({ metadata }: KubeObject): string => metadata.annotations?.[clusterAnnotation] ?? '';

function from(cluster: string, object: KubeObject): KubeObject {
  const annotations = { ...object.metadata.annotations, [clusterAnnotation]: cluster };
  return { ...object, metadata: { ...object.metadata, annotations } };
}
