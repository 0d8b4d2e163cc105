import type { Binding } from '../../api/index.ts';
import { priorityIn } from '../../engine/index.ts';
import type { Reason } from '../../engine/index.ts';
import type { ControllerDefinition, PerformedAction } from '../controller.ts';
import { clustersChosen } from '../messages.ts';

const unplaced: ReadonlySet<Reason> = new Set(['NoClusterFits', 'SchedulingFailed', 'QuotaExceeded']);
const isUnplaced = ({ decision }: PerformedAction): boolean => unplaced.has(decision.because);
const { message: _, ...notChosen } = clustersChosen;

/** Question 2: which clusters, how many replicas each? */
export const scheduler: ControllerDefinition<'schedule'> = {
  name: 'scheduler',
  question: 'schedule',
  urgentWorkers: 4,
  levelOf: (binding) => (binding ? priorityIn(binding as Binding) : 0),
  concurrent: ['report'],
  source: { component: 'default-scheduler' },
  events: {
    place: [{ ...clustersChosen, fails: isUnplaced }],
    report: [{ ...notChosen, when: isUnplaced, fails: isUnplaced }],
  },
};
