import { parseJsonPath, TemplateError, valuesAt } from '../../base/index.ts';
import type { Path } from '../../base/index.ts';
import type { Column, KindInfo, KubeObject } from '../../api/index.ts';
import { administrationColumns } from './administration.ts';
import { since } from './age.ts';
import { autoscalerColumns, scaleColumns } from './autoscalers.ts';
import { type Cell, type CellColumn, createdAtColumn, nameColumn } from './column.ts';
import { eventColumns } from './events.ts';
import { memberColumns } from './members.ts';
import { networkColumns } from './network.ts';
import { podColumns } from './pods.ts';
import { text } from './read.ts';
import { storageColumns } from './storage.ts';
import { workloadColumns } from './workloads.ts';

/** A column as a Table declares it. */
export interface TableColumn {
  readonly name: string;
  readonly type: string;
  readonly format: string;
  readonly description: string;
  readonly priority: number;
}

/** The cells of one object; `conditions` mark pods that have ended. */
export interface TableRow {
  readonly cells: readonly Cell[];
  readonly conditions?: readonly { readonly type: string; readonly status: string; readonly reason: string }[];
}

const builtin: Readonly<Record<string, readonly CellColumn[]>> = {
  ...workloadColumns,
  ...networkColumns,
  ...storageColumns,
  ...administrationColumns,
  '/pods': podColumns,
  '/events': eventColumns,
  'events.k8s.io/events': eventColumns,
  'autoscaling/horizontalpodautoscalers': autoscalerColumns,
  'autoscaling/scales': scaleColumns,
};

const plain: readonly CellColumn[] = [nameColumn, createdAtColumn];

/** The column of a custom kind that declares none. */
const customAge: Column = { name: 'Age', type: 'date', path: '.metadata.creationTimestamp' };

/** Compiled columns live as long as the kind that they were compiled from. */
const compiled = new WeakMap<KindInfo, readonly CellColumn[]>();

/** The columns of a kind, the wide ones included. */
export function tableColumns(kind: KindInfo): readonly TableColumn[] {
  return cellColumns(kind).map(({ name, type, format, description, priority }) => ({
    name,
    type,
    format: format ?? '',
    description: description ?? '',
    priority: priority ?? 0,
  }));
}

/** The cells of an object under the columns of its kind; `now` is in milliseconds. */
export function tableRow(kind: KindInfo, object: KubeObject, now: number): TableRow {
  const cells = cellColumns(kind).map(({ cell }) => cell(object, now));
  if (kind.group !== '' || kind.plural !== 'pods') return { cells };
  const phase = text(object, 'status.phase');
  if (phase !== 'Succeeded' && phase !== 'Failed') return { cells };
  return { cells, conditions: [{ type: 'Completed', status: 'True', reason: phase }] };
}

function cellColumns(kind: KindInfo): readonly CellColumn[] {
  if (!kind.custom) return builtin[`${kind.group}/${kind.plural}`] ?? plain;
  if (kind.group === 'cluster.karmada.io' && kind.plural === 'clusters') return memberColumns;
  const known = compiled.get(kind);
  if (known) return known;
  const columns = kind.columns.length > 0 ? kind.columns : [customAge];
  const made = [nameColumn, ...columns.map(customColumn)];
  compiled.set(kind, made);
  return made;
}

function customColumn(column: Column): CellColumn {
  const path = pathOf(column.path ?? '');
  const description = column.description ?? `JSONPath: ${column.path ?? ''}`;
  const toCell = customCells[column.type];
  return { ...column, description, cell: (object, now) => (path ? toCell(valuesAt(path, object)[0], now) : null) };
}

/** Undefined for a path that cannot be parsed: its cells are empty. */
function pathOf(text: string): Path | undefined {
  try {
    return parseJsonPath(text);
  } catch (error) {
    if (error instanceof TemplateError) return undefined;
    throw error;
  }
}

/** A cell is null where the path finds nothing, or something of another type than the column's. */
const customCells: Readonly<Record<Column['type'], (value: unknown, now: number) => Cell>> = {
  string: (value) => (typeof value === 'string' ? value : (value ?? null) === null ? null : JSON.stringify(value)),
  integer: (value) => (typeof value === 'number' ? Math.trunc(value) : null),
  number: (value) => (typeof value === 'number' ? value : null),
  boolean: (value) => (typeof value === 'boolean' ? value : null),
  date: (value, now) => (typeof value === 'string' ? since(value, now) : null),
};
