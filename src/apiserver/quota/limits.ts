import { forbidden } from '../../api/index.ts';
import type { KubeObject } from '../../api/index.ts';
import { clone } from '../../base/index.ts';
import { addLimitDefaults, limitFaults } from '../../kinds/index.ts';
import type { Counted, Draft } from '../../kinds/index.ts';
import type { HubParts } from '../call.ts';
import type { AdmissionReview, Admit } from '../request/admission.ts';
import { namespacePrefix } from '../storage/object-keys.ts';

const rangesResource: Counted = { group: '', plural: 'limitranges' };
const limited = new Set(['pods', 'persistentvolumeclaims']);

/** Gives pods the requests and limits of the LimitRanges in their namespace, and refuses what is out of bounds. */
export function limitRanger(store: HubParts['store']): Admit {
  return (review) => {
    const { operation, kind, namespace, object } = review;
    if (!object || !isLimited(review)) return {};
    const ranges = store
      .list(namespacePrefix(rangesResource, namespace))
      .entries.map(({ value }) => value as KubeObject);
    if (ranges.length === 0) return {};
    const draft = clone(object) as Draft;
    if (operation === 'CREATE' && kind.plural === 'pods') addLimitDefaults(draft, ranges);
    const faults = [...new Set(limitFaults(kind, draft, ranges))];
    if (faults.length > 0)
      throw forbidden(kind, object.metadata.name, faults.length > 1 ? `[${faults.join(', ')}]` : faults.join());
    return { object: draft };
  };
}

/** Tells whether an object is a new pod or claim, or one that is resized. */
function isLimited({ operation, kind, subresource }: AdmissionReview): boolean {
  if (kind.group !== '' || !limited.has(kind.plural)) return false;
  if (operation === 'CREATE') return subresource === '';
  return operation === 'UPDATE' && subresource === (kind.plural === 'pods' ? 'resize' : '');
}
