import { apiVersionOf, refOf } from '../api/index.ts';
import type { KubeObject } from '../api/index.ts';
import { compareRevisions, isNotFound } from '../client/index.ts';
import type { ResourceInfo, Selecting } from '../client/index.ts';
import type { Server } from './connect.ts';
import { Failure } from './failure.ts';
import type { Io } from './io.ts';
import { whyUnreadable } from './members.ts';
import { listOf, printed } from './print/output.ts';
import { Sheet } from './print/sheet.ts';
import type { MemberRow, SheetStyle } from './print/sheet.ts';
import { fetchRow, fetchTable } from './tables.ts';

/** What is asked of members. */
export interface Inquiry {
  readonly io: Io;
  readonly kind: ResourceInfo;
  readonly select: Selecting;
  readonly servers: ReadonlyMap<string, Server>;
}

/** What happened to an object of a member. */
export interface MemberChange {
  readonly cluster: string;
  readonly event: 'ADDED' | 'MODIFIED' | 'DELETED';
  /** As it is, or as it was before it went. */
  readonly object: KubeObject;
}

/** Shows objects of members: all that there are, and then what happens to them. */
export interface Display {
  /** Answers how many there are. */
  showAll(): Promise<number>;
  showChange(change: MemberChange): Promise<void>;
}

/** How they are shown. */
export interface DisplayStyle extends Omit<SheetStyle, 'wide'> {
  readonly output: string;
}

/** The display for an output format. */
export function displayOf(inquiry: Inquiry, style: DisplayStyle): Display {
  const { output } = style;
  return output === 'table' || output === 'wide'
    ? new TableDisplay(inquiry, { ...style, wide: output === 'wide' })
    : new ObjectDisplay(inquiry, style);
}

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
  // What all of them say is an answer to the question, and not about the members.
  if (silent.size === servers.size && reasons.size === 1) throw new Failure([...reasons].join(''));
  for (const [cluster, why] of silent) io.err(`warning: ${cluster} cannot be read: ${why}\n`);
  if (silent.size === servers.size && silent.size > 0) throw new Failure('no member can be read');
  return answers.flat();
}

/** Lines as the members draw them. */
class TableDisplay implements Display {
  readonly #inquiry: Inquiry;
  readonly #sheet: Sheet;
  /** The last line of each, for when it goes. */
  readonly #known = new Map<string, MemberRow>();

  constructor(inquiry: Inquiry, style: SheetStyle) {
    this.#inquiry = inquiry;
    this.#sheet = new Sheet(inquiry.io, style);
  }

  async showAll(): Promise<number> {
    const { kind, select } = this.#inquiry;
    const tables = await asked(this.#inquiry, async ({ client }, cluster) => {
      const { columns, rows } = await fetchTable(client, kind, select);
      return rows.map((row): MemberRow => ({ cluster, columns, row, event: 'ADDED' }));
    });
    const rows = tables.flat();
    for (const row of rows) this.#known.set(placeOf(row.cluster, row.row.object), row);
    this.#sheet.print(rows);
    return rows.length;
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

  /** What is gone again before it could be drawn is told when it goes. */
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

/** Has been shown already what is, or what came after it? */
function isAsNew(shown: KubeObject | undefined, { metadata }: KubeObject): boolean {
  if (!shown || shown.metadata.uid !== metadata.uid) return false;
  return (compareRevisions(shown.metadata.resourceVersion ?? '', metadata.resourceVersion ?? '') ?? -1) >= 0;
}

/** What tells one object from the others of its kind; lines carry of an object only its metadata. */
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

  async showAll(): Promise<number> {
    const { kind, select } = this.#inquiry;
    const of = { apiVersion: apiVersionOf(kind), kind: kind.kind };
    const lists = await asked(this.#inquiry, async ({ client }, cluster) => {
      const { items } = await client.listAll(of, select);
      return items.map((object) => from(cluster, object));
    });
    const items = lists.flat();
    for (const item of items) this.#known.set(placeOf(clusterOf(item), item), item);
    if (this.#style.output === 'name') for (const item of items) this.#printName(item);
    else printed(this.#inquiry.io, this.#style.output, listOf(items));
    return items.length;
  }

  async showChange({ cluster, event, object }: MemberChange): Promise<void> {
    const item = from(cluster, object);
    const place = placeOf(cluster, item);
    if (event !== 'DELETED' && isAsNew(this.#known.get(place), item)) return;
    if (event === 'DELETED') this.#known.delete(place);
    else this.#known.set(place, item);
    if (this.#style.output === 'name') this.#printName(item);
    else printed(this.#inquiry.io, this.#style.output, this.#style.events ? { type: event, object: item } : item);
  }

  #printName(object: KubeObject): void {
    const { plural, group } = this.#inquiry.kind;
    const resource = `${plural}${group && `.${group}`}`;
    this.#inquiry.io.out(`${clusterOf(object)}/${resource}/${object.metadata.name}\n`);
  }
}

/** Where `-o json` says of which cluster an object is. */
const clusterAnnotation = 'resource.karmada.io/cached-from-cluster';
const clusterOf = ({ metadata }: KubeObject): string => metadata.annotations?.[clusterAnnotation] ?? '';

function from(cluster: string, object: KubeObject): KubeObject {
  const annotations = { ...object.metadata.annotations, [clusterAnnotation]: cluster };
  return { ...object, metadata: { ...object.metadata, annotations } };
}
