import { forbidden, invalid } from '../../api/index.ts';
import type { KindInfo } from '../../api/index.ts';
import type { Admit } from '../../apiserver/index.ts';
import { controllerUser } from '../cluster/ownapi.ts';
import type { Faults } from './faults.ts';

/** Users that write on the member's own behalf. */
const own = new Set([controllerUser.name, 'system:apiserver']);

/** Refuses the writes that the faults name; what the member does by itself is let through. */
export function refusing(faults: () => Faults): Admit {
  return ({ kind, name, user, operation }) => {
    const refusal = faults().refuse.find((one) => isNamed(kind, one.kind));
    if (!refusal || own.has(user.name)) return {};
    const why = `this member refuses every ${operation} of ${kind.kind}, as it was told to`;
    if (refusal.code === 403) throw forbidden(kind, name, why);
    throw invalid(kind, name, [{ type: 'forbidden', field: 'spec', detail: why }]);
  };
}

/** Tells whether a user may mean this kind by `deployment`, `Deployment`, `deploy` or `deployments.apps`. */
function isNamed({ group, kind, plural, singular, shortNames }: KindInfo, text: string): boolean {
  const [name = '', ...rest] = text.toLowerCase().split('.');
  if (rest.length > 0 && rest.join('.') !== group) return false;
  return [kind.toLowerCase(), plural, singular, ...shortNames].includes(name);
}
