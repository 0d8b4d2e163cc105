import type { Schema } from '../schema.ts';
import { about, choice, int32, list, object, string } from './build.ts';

const statePreservation = about(
  'State that a workload carries along as labels when it moves with purgeMode Directly. Needs the feature gate StatefulFailoverInjection.',
  object(
    {
      rules: list(
        'The pieces of state to keep.',
        object(
          {
            aliasLabelName: string('The label that carries the piece in the new copy.'),
            jsonPath: string('The JSON path of the piece in the status of the workload.'),
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
      'The conditions under which a workload counts as failed.',
      object({
        tolerationSeconds: int32('The number of seconds that a workload may be unhealthy. Default 300.', {
          default: 300,
        }),
      }),
    ),
    purgeMode: purgeMode(
      'When the old copy is deleted. Directly: first. Gracefully: after the new one is healthy. Never: not at all. Default Gracefully.',
      ['Directly', 'Gracefully', 'Never'],
    ),
    gracePeriodSeconds: int32(
      'The number of seconds that Gracefully waits for the new copy at most. Default 600; not with another purgeMode.',
    ),
    statePreservation,
  },
  ['decisionConditions'],
);

const cluster = object({
  purgeMode: purgeMode(
    'When the old copy is deleted. Directly: before the new one is sent. Gracefully: when the new one is healthy, or after ten minutes. Default Gracefully.',
    ['Directly', 'Gracefully'],
  ),
  statePreservation,
});

/** How workloads move away from where they fail. */
export const failover = (): Schema =>
  about(
    'How workloads move away from members where they fail. A suspension suspends that, too.',
    object({
      application: about('The action for a workload that stays unhealthy. Needs propagateDeps.', application),
      cluster: about(
        'The action when a taint with the effect NoExecute evicts workloads from a member. Needs the feature gate Failover.',
        cluster,
      ),
    }),
  );
