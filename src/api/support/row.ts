import type { Gates } from '../view.ts';

/** The effect that a kind, field or setting of Karmada has here. */
export type Support = 'works' | 'differs' | 'notYet';

/** One row of docs/karmada.md. */
export interface SupportRow {
  readonly support: Support;
  /** How it differs, what is missing, or what to know. */
  readonly note: string;
  /** Nobody is warned: the hub itself fills the field in. */
  readonly isFilledIn?: true;
  /** It acts only while this gate is on. */
  readonly gate?: keyof Gates;
}

/** It acts as in Karmada. */
export const works = (note = ''): SupportRow => ({ support: 'works', note });
/** It acts as in Karmada while a gate is on that is off by default. */
export const worksWith = (gate: keyof Gates, note = ''): SupportRow => ({
  ...works(`with the gate ${gate}${note && `; ${note}`}`),
  gate,
});
/** It acts, in another way. */
export const differs = (note: string): SupportRow => ({ support: 'differs', note });
/** It is accepted and kept, and nothing acts on it; the note says what does not happen. */
export const notYet = (note: string): SupportRow => ({ support: 'notYet', note });

/** A kind, and its fields by path: `spec.placement.clusterAffinities[].overflowAffinities`, `spec.syncMode=Pull` for one value. */
export interface KindSupport extends SupportRow {
  readonly group: string;
  readonly kinds: readonly string[];
  readonly fields: Readonly<Record<string, SupportRow>>;
}

/** Settings of one sort by name. */
export interface SettingSupport {
  readonly title: string;
  readonly rows: Readonly<Record<string, SupportRow>>;
}
