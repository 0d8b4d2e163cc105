import type { Schema } from '../schema.ts';
import { about, choice, int32, list, object, string } from './build.ts';

const statePreservation = about(
  'What a workload is meant to take along of its state when it moves. Nothing is taken along yet.',
  object(
    {
      rules: list(
        'The pieces of state to take along.',
        object(
          {
            aliasLabelName: string('The label that is to carry the piece in the new place.'),
            jsonPath: string('Where the piece is found in the status of the workload.'),
          },
          ['aliasLabelName', 'jsonPath'],
        ),
      ),
    },
    ['rules'],
  ),
);

const purgeMode = (description: string, modes: readonly string[]): Schema =>
  choice(description, modes, { default: 'Gracefully' });

const application = object(
  {
    decisionConditions: about(
      'When a workload counts as failed.',
      object({
        tolerationSeconds: int32('For how many seconds a workload may be unhealthy. Default 300.', { default: 300 }),
      }),
    ),
    purgeMode: purgeMode(
      'When the old copy is to go. Directly: first. Gracefully: after the new one is healthy. Never: not at all. Default Gracefully.',
      ['Directly', 'Gracefully', 'Never'],
    ),
    gracePeriodSeconds: int32(
      'How long Gracefully is to wait for the new copy at most. Default 600; not with another purgeMode.',
    ),
    statePreservation,
  },
  ['decisionConditions'],
);

const cluster = object({
  purgeMode: purgeMode(
    'When the old copy goes. Directly: before the new one is sent. Gracefully: when the new one is healthy, or after ten minutes. Default Gracefully.',
    ['Directly', 'Gracefully'],
  ),
  statePreservation,
});

/** How workloads move away from where they fail. */
export const failover = (): Schema =>
  about(
    'How workloads move away from where they fail. A suspension holds that, too.',
    object({
      application: about(
        'What to do with a workload that stays unhealthy. Needs propagateDeps. Checked and kept; nothing moves because of it yet.',
        application,
      ),
      cluster: about(
        'What to do when a taint with the effect NoExecute drives workloads out of a member. Needs the feature gate Failover.',
        cluster,
      ),
    }),
  );
