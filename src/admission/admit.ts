import { randomUUID } from 'node:crypto';
import { defaultGates, forbidden, invalid, isOwnApi } from '../api/index.ts';
import type { Cluster, Gates, KubeObject, MemberAccess, Settings } from '../api/index.ts';
import {
  isTemplateKind,
  mutate,
  unknownClusters,
  unsupported,
  validateDelete,
  validateRules,
  whyUnreadable,
} from '../engine/index.ts';
import type { ValidationFacts } from '../engine/index.ts';
import { demandAuthorRights } from './author.ts';
import { withClaimKept } from './protect.ts';

/** The facts that admission needs about a write; an API server's own review has these parts and more. */
export interface Review {
  readonly operation: 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';
  readonly kind: { readonly group: string; readonly kind: string; readonly plural: string };
  readonly namespace: string;
  readonly name: string;
  readonly subresource: string;
  readonly object?: KubeObject;
  readonly old?: KubeObject;
  readonly user: Author;
}

/** Somebody who writes. */
export interface Author {
  readonly name: string;
  readonly groups?: readonly string[];
}

/** Answers whether the author of a write has a permission. */
export interface Powers {
  may(
    user: Author,
    intent: {
      readonly verb: string;
      readonly apiVersion: string;
      readonly kind: string;
      readonly namespace: string;
      readonly name: string;
    },
  ): boolean;
}

/** How admission is set up. */
export interface AdmissionWords {
  /** The controllers' own users: they alone write claims. */
  readonly controllers: ReadonlySet<string>;
  readonly now: () => Date;
  /** How members may be reached; strictly unless told. */
  readonly memberAccess?: MemberAccess;
  /** The gates with which the controllers decide; the defaults unless told. */
  readonly gates?: Gates;
  /** The settings with which the controllers decide; the defaults unless told. */
  readonly settings?: Partial<Settings>;
  /** Whether authors of policies need the right to read what they place; default true. */
  readonly authorRights?: boolean;
  /** The clusters of the fleet, as far as they are known. */
  readonly clusters?: () => readonly Cluster[];
  /** The customizations of interpreters, as far as they are known. */
  readonly customizations?: () => readonly KubeObject[];
}

/** An accepted write: the object as it will be stored, and texts for the person who wrote it. */
export interface Admitted {
  readonly object?: KubeObject;
  readonly warnings?: readonly string[];
}

const allPowers: Powers = { may: () => true };

/** Makes the plugin that a hub calls before each write: it fills in, protects, and refuses with every reason at once. */
export function admission(words: AdmissionWords): (review: Review, powers?: Powers) => Admitted {
  return (review, powers = allPowers) => {
    if (review.subresource !== '') return {};
    if (review.operation === 'DELETE') return admitDelete(words, review);
    if (!review.object) return {};
    const admitted = admitWrite(words, review, review.object);
    if (words.authorRights !== false && !words.controllers.has(review.user.name))
      demandAuthorRights(review, admitted.object ?? review.object, powers);
    return admitted;
  };
}

function admitDelete(words: AdmissionWords, { old, kind, name, user }: Review): Admitted {
  const why = old && validateDelete(old, words.controllers.has(user.name) ? 'controller' : 'person');
  if (why) throw forbidden({ group: kind.group, plural: kind.plural }, name, why);
  return {};
}

function admitWrite(words: AdmissionWords, review: Review, object: KubeObject): Admitted {
  const { kind, old, user } = review;
  if (!isOwnApi(object.apiVersion)) {
    const faults = validateRules(object, old);
    if (faults.length > 0) throw invalid({ group: kind.group, kind: kind.kind }, review.name, faults);
    const own = words.controllers.has(user.name) || !isTemplateKind(object);
    return { object: own ? object : withClaimKept(object, old), ...warningsFor(words, review, object) };
  }
  const operation = review.operation === 'CREATE' ? 'CREATE' : 'UPDATE';
  const facts = {
    operation,
    namespace: review.namespace,
    uuid: randomUUID(),
    now: time(words),
    resourceModels: true,
  } as const;
  const mutated = mutate(object, old ? { ...facts, old } : facts);
  const errors = validateRules(mutated, old, validationFacts(words));
  if (errors.length > 0) throw invalid({ group: kind.group, kind: kind.kind }, review.name, errors);
  return { object: mutated, ...warningsFor(words, review, mutated) };
}

function validationFacts(words: AdmissionWords): ValidationFacts {
  return {
    ...(words.settings && { settings: words.settings }),
    ...(words.memberAccess && { memberAccess: words.memberAccess }),
    ...(words.customizations && { customizations: words.customizations() }),
  };
}

/** Warns a person of a kind or field on which nothing acts yet, and of clusters that do not exist. */
function warningsFor(words: AdmissionWords, { user }: Review, object: KubeObject): Pick<Admitted, 'warnings'> {
  // Admission runs before the schema is checked: an object of another shape is refused there.
  if (words.controllers.has(user.name) || whyUnreadable(object) !== undefined) return {};
  const { gates = defaultGates } = words;
  const found = [...unsupported(object, gates), ...unknownClusters(object, words.clusters?.() ?? [])];
  return found.length > 0 ? { warnings: found.map(({ message }) => message) } : {};
}

function time({ now }: AdmissionWords): string {
  return now()
    .toISOString()
    .replace(/\.\d{3}Z$/, 'Z');
}
