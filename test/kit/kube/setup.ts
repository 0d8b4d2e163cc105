import { helmProgram, kubeBinaries } from './binaries.ts';

/** Builds the programs before the first test: a test would run out of time. */
export async function setup(): Promise<void> {
  await kubeBinaries((text) => console.log(text));
  await helmProgram((text) => console.log(text));
}
