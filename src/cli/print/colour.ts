import picocolors from 'picocolors';
import type { Io } from '../io.ts';

/** The few colours that mean something. */
export interface Colours {
  readonly danger: (text: string) => string;
  readonly caution: (text: string) => string;
  readonly good: (text: string) => string;
  readonly faint: (text: string) => string;
  readonly strong: (text: string) => string;
}

/** Colours for this output, or none. */
export function coloursOf({ colour }: Pick<Io, 'colour'>): Colours {
  const { red, yellow, green, dim, bold } = picocolors.createColors(colour);
  return { danger: red, caution: yellow, good: green, faint: dim, strong: bold };
}
