import type { KubeObject } from '../../api/index.ts';
import type { Reason } from '../reasons.ts';

/** A fact that a person should look at: about which object, why, and in words. */
export interface Warning {
  /** `PropagationPolicy/shop/web`. */
  readonly object: string;
  readonly because: Reason;
  readonly message: string;
}

/** The name of an object in a warning: `PropagationPolicy/shop/web`, `Cluster/member1`. */
export function warnedName({ kind, metadata }: Pick<KubeObject, 'kind' | 'metadata'>): string {
  return `${kind}/${metadata.namespace ? `${metadata.namespace}/` : ''}${metadata.name}`;
}
