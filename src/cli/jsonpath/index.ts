export { evaluate } from './evaluate.ts';
export { parseTemplate, TemplateError } from './parse.ts';
export type { Template } from './parse.ts';
