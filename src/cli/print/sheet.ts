import { managedLabel } from '../../api/index.ts';
import type { Io } from '../io.ts';
import type { Column, Row } from '../tables.ts';
import { linesText, widthsOf } from './table.ts';

/** The options of a sheet beside the tables of the members. */
export interface SheetStyle {
  readonly namespaces: boolean;
  readonly wide: boolean;
  /** Shows in front what happened to each object. */
  readonly events: boolean;
  /** All labels, last. */
  readonly labels?: boolean;
  /** `deployment.apps`: in front of every name, where several kinds are shown. */
  readonly kind?: string;
}

/** A line of a member. */
export interface MemberRow {
  readonly cluster: string;
  readonly columns: readonly Column[];
  readonly row: Row;
  readonly event?: string;
}

/** Tables of members as one: CLUSTER after the name, ADOPTION last. Lines that come later stand below the first. */
export class Sheet {
  readonly #io: Io;
  readonly #style: SheetStyle;
  #columns: readonly string[] = [];
  #widths: readonly number[] = [];

  constructor(io: Io, style: SheetStyle) {
    this.#io = io;
    this.#style = style;
  }

  /** The first lines have heads; members that draw other columns are read by the names of the first's. */
  print(rows: readonly MemberRow[]): void {
    const [first] = rows;
    if (!first) return;
    const begins = this.#columns.length === 0;
    if (begins) this.#columns = first.columns.filter(({ priority }) => this.#style.wide || priority === 0).map(nameOf);
    const lines = [...(begins ? [this.#heads()] : []), ...rows.map((row) => this.#cells(row))];
    if (begins) this.#widths = widthsOf([...lines, this.#framed({ event: 'MODIFIED', namespace: '' }, [])]);
    // Cut lines would lose the columns at the end on a narrow terminal; like those of kubectl they run over.
    this.#io.out(linesText(lines, { columns: undefined, widths: this.#widths }));
  }

  #heads(): readonly string[] {
    const [name = 'NAME', ...others] = this.#columns.map((column) => column.toUpperCase());
    return this.#framed({ event: 'EVENT', namespace: 'NAMESPACE' }, [
      name,
      'CLUSTER',
      ...others,
      'ADOPTION',
      ...(this.#style.labels ? ['LABELS'] : []),
    ]);
  }

  #cells({ cluster, columns, row, event = '' }: MemberRow): readonly string[] {
    const byName = new Map(columns.map((column, i) => [nameOf(column), textOf(row.cells[i])]));
    const [name = '', ...others] = this.#columns.map((column) => byName.get(column) ?? '');
    const { namespace = '', labels } = row.object.metadata;
    const adopted = labels?.[managedLabel] === 'true' ? 'Y' : 'N';
    const whole = this.#style.kind === undefined ? name : `${this.#style.kind}/${name}`;
    const shown = this.#style.labels ? [labelsText(labels)] : [];
    return this.#framed({ event, namespace }, [whole, cluster, ...others, adopted, ...shown]);
  }

  #framed({ event, namespace }: { event: string; namespace: string }, cells: readonly string[]): readonly string[] {
    return [...(this.#style.events ? [event] : []), ...(this.#style.namespaces ? [namespace] : []), ...cells];
  }
}

const nameOf = ({ name }: Column): string => name;

function labelsText(labels: Readonly<Record<string, string>> = {}): string {
  const all = Object.entries(labels).map(([key, value]) => `${key}=${value}`);
  return all.sort().join(',') || '<none>';
}

function textOf(cell: unknown): string {
  if (cell === null || cell === undefined) return '';
  return typeof cell === 'string' ? cell : JSON.stringify(cell);
}
