/**
 * Writes docs/cli.md, man/sluice.1 and what `--help` reads from the commands themselves: `node tools/cli.ts`. A test keeps
 * them equal.
 * It must not run a command; it only asks each for its help.
 * Start with `commandsPage`.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { commandPages, spellings } from '../src/cli/index.ts';
import type { CommandPage, Io } from '../src/cli/index.ts';
import { manualPage } from './man.ts';

const intro = `# Commands

Every command takes \`--kubeconfig\` and \`--context\` as kubectl does. Without them the \`.sluice/kubeconfig\` of the working
directory is used, then \`$KUBECONFIG\`, then \`~/.kube/config\`. Tables are for people; \`-o json\` and \`-o yaml\` are for programs.
[JSON Schemas](schemas) say what is in these. Colours appear on a terminal only, and not with \`NO_COLOR\`.

| exit code | meaning                                                |
| --------- | ------------------------------------------------------ |
| 0         | done                                                   |
| 1         | failed; one line says why. \`plan\`: it would be refused |
| 2         | wrong usage                                            |
| 3         | \`plan\` only: the change has an effect on what runs     |

\`--debug\` shows where an error came from.

The same is in the manual: \`man sluice\`, or \`man -l man/sluice.1\` in a checkout.

Installed on \`PATH\` as \`kubectl-sluice\`, the program is a plugin of kubectl: \`kubectl sluice plan -f policy.yaml\`.
`;

/** The flags of karmadactl and their names here. */
function spellingsSection(): string {
  const rows = Object.entries(spellings).flatMap(([command, flags]) =>
    Object.entries(flags).map(([theirs, ours]) => [
      command === '*' ? 'every command' : `\`${command}\``,
      `\`${theirs}\``,
      `\`${ours}\``,
    ]),
  );
  return `## Coming from karmadactl

These spellings of karmadactl are understood too, \`KIND NAME\` as well as \`KIND/NAME\`, and \`taint cluster NAME\` as well as \`taint NAME\`.

${grid([['command', 'karmadactl', 'sluice'], ...rows])}`;
}

/** A table of Markdown with its columns below each other, as the formatter likes it. */
function grid(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, i) => Math.max(...rows.map((row) => row[i]?.length ?? 0)));
  const lines = rows.map((row) => `| ${row.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join(' | ')} |\n`);
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |\n`;
  return [lines[0], rule, ...lines.slice(1)].join('');
}

const silent: Io = {
  out: () => {},
  err: () => {},
  columns: undefined,
  colour: false,
  progress: false,
  interactive: false,
  environment: {},
  directory: '.',
  readInput: async () => '',
  ask: async () => '',
  interrupted: new AbortController().signal,
};

/** Every command as it tells itself. */
const told = (): Promise<readonly CommandPage[]> => commandPages({ io: silent, exit: () => {} });

/** The shapes of commands, from which help prints without loading the commands. */
export async function shapesFile(): Promise<string> {
  const shapes = Object.fromEntries((await told()).map(({ name, shape }) => [name, shape]));
  return `${JSON.stringify(shapes, undefined, 1)}\n`;
}

/** The manual page. */
export async function manual(): Promise<string> {
  return manualPage(await told());
}

/** The page about all commands. */
export async function commandsPage(): Promise<string> {
  const pages = await told();
  const groups = [...new Set(pages.map(({ group }) => group))];
  const sections = groups.map((group) => {
    const own = pages.filter((page) => page.group === group);
    return `## ${group}\n\n${own.map(section).join('\n')}`;
  });
  return [intro, ...sections, spellingsSection()].join('\n');
}

function section({ name, help }: CommandPage): string {
  return `### sluice ${name}\n\n\`\`\`text\n${help.trimEnd()}\n\`\`\`\n`;
}

if (import.meta.main) {
  writeFileSync(join(import.meta.dirname, '../docs/cli.md'), await commandsPage());
  writeFileSync(join(import.meta.dirname, '../src/cli/gen/shapes.json'), await shapesFile());
  writeFileSync(join(import.meta.dirname, '../man/sluice.1'), await manual());
}
