import { remembering } from '../../base/index.ts';

const maxLength = 128;

/** Under which name a request's changes are recorded: what it asked for, or the first word of its user agent. */
export function managerNameOf(fieldManager: string, userAgent: string): string {
  return fieldManager === '' ? programOf(userAgent) : fieldManager;
}

const programOf = remembering((userAgent) => {
  const [program = ''] = userAgent.split('/');
  return program.replaceAll(/[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu, '').slice(0, maxLength);
});
