/**
 * The words of the product: metadata, kinds and their schemas, errors.
 * Nothing here does I/O or decides anything.
 * Start with meta.ts for objects, kinds.ts for what a kind is, errors.ts for what can go wrong.
 */
export * from './errors.ts';
export * from './field.ts';
export * from './kinds.ts';
export * from './meta.ts';
export * from './schema.ts';
