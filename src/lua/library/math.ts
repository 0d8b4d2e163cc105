import type { Run } from '../compile/frame.ts';
import type { Table } from '../table.ts';
import { libraryOf } from './arguments.ts';
import type { Native } from './arguments.ts';

const plain =
  (compute: (number: number) => number): Native =>
  (args) => [compute(args.number(0))];

const extreme =
  (choose: (...numbers: number[]) => number): Native =>
  (args) => {
    const first = args.number(0);
    return [args.values.reduce<number>((best, _, index) => choose(best, args.number(index)), first)];
  };

/** There is no chance in a decision. */
const noChance: Native = (args) => {
  throw args.error('interpreters have no random numbers: their answers must not differ between runs');
};

const mathFunctions: Readonly<Record<string, Native>> = {
  abs: plain(Math.abs),
  acos: plain(Math.acos),
  asin: plain(Math.asin),
  atan: plain(Math.atan),
  atan2: (args) => [Math.atan2(args.number(0), args.number(1))],
  ceil: plain(Math.ceil),
  cos: plain(Math.cos),
  cosh: plain(Math.cosh),
  deg: plain((angle) => (angle * 180) / Math.PI),
  exp: plain(Math.exp),
  floor: plain(Math.floor),
  fmod: (args) => [args.number(0) % args.number(1)],
  frexp: (args) => [...fraction(args.number(0))],
  ldexp: (args) => [args.number(0) * 2 ** args.number(1)],
  log: plain(Math.log),
  log10: plain(Math.log10),
  max: extreme(Math.max),
  min: extreme(Math.min),
  mod: (args) => [args.number(0) % args.number(1)],
  modf: (args) => [Math.trunc(args.number(0)), args.number(0) % 1],
  pow: (args) => [args.number(0) ** args.number(1)],
  rad: plain((angle) => (angle * Math.PI) / 180),
  random: noChance,
  randomseed: noChance,
  sin: plain(Math.sin),
  sinh: plain(Math.sinh),
  sqrt: plain(Math.sqrt),
  tan: plain(Math.tan),
  tanh: plain(Math.tanh),
};

function fraction(number: number): readonly [number, number] {
  if (number === 0 || !Number.isFinite(number)) return [number, 0];
  const exponent = Math.max(-1023, Math.floor(Math.log2(Math.abs(number))) + 1);
  return [number * 2 ** -exponent, exponent];
}

/** The library `math`. */
export function mathLibrary(run: Run): Table {
  const library = libraryOf(run, mathFunctions);
  library.set('pi', Math.PI);
  library.set('huge', Infinity);
  return library;
}
