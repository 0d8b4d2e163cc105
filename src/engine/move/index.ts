/**
 * Moves: the tasks of copies that stay until they are replaced, and how they are read.
 * Nothing here decides: the scheduler begins a move, the evictor ends it.
 * Start with tasks.ts.
 */
export {
  deadlineOf,
  isMove,
  isMovedGracefully,
  isMoving,
  isPurgedFirst,
  keepsCopyOn,
  movesOf,
  moveTask,
} from './tasks.ts';
export { lastReportOf } from './report.ts';
export { movingWords } from './words.ts';
export { keptWithin } from './share.ts';
export type { Kept } from './share.ts';
