/*
 * Lua 5.1 for interpreters: compiles a script and calls its functions with values of JSON. It must not reach the world:
 * no I/O, no clock, no chance, and every run ends. Start at `compileScript` in script.ts: lexer, parser, functions that
 * run the tree, library.
 */
export { compileScript, defaultLimits } from './script.ts';
export type { ScriptResult, CallOptions, CompileError, Module, Script } from './script.ts';
export { LuaError } from './value.ts';
