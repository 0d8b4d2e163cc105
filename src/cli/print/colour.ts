import picocolors from 'picocolors';
import type { Io } from '../io.ts';

/** The few colours that mean something. */
export interface Colours {
  danger(text: string): string;
  caution(text: string): string;
  good(text: string): string;
  faint(text: string): string;
  strong(text: string): string;
}

/** Colours for this output, or none. */
export function coloursOf({ colour }: Pick<Io, 'colour'>): Colours {
  const { red, yellow, green, dim, bold } = picocolors.createColors(colour);
  return { danger: red, caution: yellow, good: green, faint: dim, strong: bold };
}
