import { createHash } from 'node:crypto';
import type { Catalog, Definitions, KindInfo } from '../../api/index.ts';
import { perOwner } from '../../base/index.ts';

/** Raise it when the documents change for the same kinds, so that no client keeps an old one. */
const edition = 2;

const digest = (text: string): string => createHash('sha512').update(text).digest('hex').toUpperCase();

const ofDefinitions = perOwner((definitions: Definitions) => digest(`${edition}${JSON.stringify(definitions)}`));
const ofKind = perOwner((kind: KindInfo) => digest(JSON.stringify(kind)));

/** The hash of a document by what it is made of: the index tells it without making the document. */
export function hashOfKinds(catalog: Catalog, kinds: readonly KindInfo[]): string {
  return digest([ofDefinitions(catalog.definitions, ''), ...kinds.map((kind) => ofKind(kind, ''))].join());
}
