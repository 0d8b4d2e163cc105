import { convertObject, type KubeObject } from '../../api/index.ts';
import { since } from './age.ts';
import { type CellColumn, column, nameColumn, wide } from './column.ts';
import { at, number, text } from './read.ts';

/** A column over the core form of an event, in which both groups tell the same. */
function eventColumn(name: string, cell: CellColumn['cell']): CellColumn {
  return column(name, (event, now) => cell(convertObject(event, 'v1'), now));
}

function firstSeen(event: KubeObject, now: number): string {
  return since(text(event, 'firstTimestamp') || text(event, 'eventTime'), now);
}

function lastSeen(event: KubeObject, now: number): string {
  if (at(event, 'series') !== undefined) return since(text(event, 'series.lastObservedTime'), now);
  const last = text(event, 'lastTimestamp');
  return last ? since(last, now) : firstSeen(event, now);
}

function regarding(event: KubeObject): string {
  const kind = text(event, 'involvedObject.kind').toLowerCase();
  const name = text(event, 'involvedObject.name');
  return name ? `${kind}/${name}` : kind;
}

function source(event: KubeObject): string {
  const component = text(event, 'source.component') || text(event, 'reportingComponent');
  const instance = text(event, 'source.host') || text(event, 'reportingInstance');
  return instance ? `${component}, ${instance}` : component;
}

function count(event: KubeObject): number {
  return at(event, 'series') === undefined ? number(event, 'count') || 1 : number(event, 'series.count');
}

/** Columns of events, the same in both groups. */
export const eventColumns: readonly CellColumn[] = [
  eventColumn('Last Seen', lastSeen),
  eventColumn('Type', (event) => text(event, 'type')),
  eventColumn('Reason', (event) => text(event, 'reason')),
  eventColumn('Object', regarding),
  wide(eventColumn('Subobject', (event) => text(event, 'involvedObject.fieldPath'))),
  wide(eventColumn('Source', source)),
  eventColumn('Message', (event) => text(event, 'message').trim()),
  wide(eventColumn('First Seen', firstSeen)),
  wide(eventColumn('Count', count)),
  wide(nameColumn),
];
