/** Node takes no longer timers, and rings at once instead: what waits longer is woken and waits again. */
export const longestTimer: number = 2 ** 31 - 1;
