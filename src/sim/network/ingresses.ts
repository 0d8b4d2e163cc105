import type { Behaviour } from '../cluster/behaviour.ts';
import { kinds } from '../cluster/kinds.ts';
import { isGoing } from '../cluster/objects.ts';
import type { Ingress } from '../cluster/objects.ts';
import { addressFor, giveAddress } from './services.ts';

/** Gives every Ingress an address, whatever its class. */
export const ingresses: Behaviour<Ingress> = {
  name: 'ingresses',
  kind: kinds.ingresses,
  async look(cluster, ingress) {
    return isGoing(ingress) ? undefined : giveAddress(cluster, ingress, { ip: addressFor(ingress.metadata.uid) });
  },
};
