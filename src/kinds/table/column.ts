import type { Column, KubeObject } from '../../api/index.ts';
import { since } from './age.ts';

/** The value of a cell. */
export type Cell = string | number | boolean | null;

/** A column of a built-in kind and how its cell is made; `now` is in milliseconds. */
export interface CellColumn extends Column {
  readonly cell: (object: KubeObject, now: number) => Cell;
}

type CellOf = CellColumn['cell'];

/** The name of the object, which kubectl prefixes with the kind when it lists several. */
export const nameColumn: CellColumn = { ...column('Name', ({ metadata }) => metadata.name), format: 'name' };

/** How long ago the object was created. */
export const ageColumn: CellColumn = column('Age', ({ metadata }, now) => since(metadata.creationTimestamp, now));

/** When the object was created; all that kinds without columns of their own show beside the name. */
export const createdAtColumn: CellColumn = {
  ...column('Created At', ({ metadata }) => metadata.creationTimestamp ?? null),
  type: 'date',
};

/** A column of text. */
export function column(name: string, cell: CellOf): CellColumn {
  return { name, type: 'string', cell };
}

/** A column of whole numbers. */
export function integer(name: string, cell: (object: KubeObject) => number): CellColumn {
  return { name, type: 'integer', cell };
}

/** A column of true and false. */
export function boolean(name: string, cell: (object: KubeObject) => boolean): CellColumn {
  return { name, type: 'boolean', cell };
}

/** A column that only `-o wide` shows. */
export function wide(of: CellColumn): CellColumn {
  return { ...of, priority: 1 };
}
