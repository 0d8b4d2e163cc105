/**
 * The manual page, man/sluice.1, made of the commands themselves; `node tools/cli.ts` writes it.
 * It must not know a command by name: what help tells is all it says of one.
 * Start with `manualPage`.
 */
import { commandGroups, packageVersion } from '../src/cli/index.ts';
import type { CommandPage, CommandShape } from '../src/cli/index.ts';

const description = `Sluice places Kubernetes objects that are applied to one API, the hub, onto member clusters, as policies say, and
reports back. A policy edit never surprises a running workload: what it would do can be seen before, and taken up in steps.`;

const environment: Readonly<Record<string, string>> = {
  KUBECONFIG: 'Kubeconfigs of the hub, where the working directory has no .sluice/kubeconfig.',
  NO_COLOR: 'If set to anything, no colours.',
};

const files: Readonly<Record<string, string>> = {
  '.sluice/kubeconfig': 'What sluice up writes, and every other command reads first.',
  '~/.kube/config': 'Read when there is neither that nor $KUBECONFIG.',
};

const codes: Readonly<Record<string, string>> = {
  '0': 'Done.',
  '1': 'Failed; one line says why. Of plan: the change would be refused.',
  '2': 'Wrong usage.',
  '3': 'Of plan only: the change has an effect on what runs.',
};

/** The manual page of these commands, in the language of man(7). */
export function manualPage(pages: readonly CommandPage[]): string {
  const groups = commandGroups.map((group) => {
    const own = pages.filter((page) => page.group === group);
    return `.SH ${heading(`${group} commands`)}\n${own.map(commandText).join('')}`;
  });
  return [
    `.TH SLUICE 1 "" "sluice ${packageVersion()}" "User Commands"\n`,
    '.SH NAME\nsluice \\- multi\\-cluster control plane for Kubernetes\n',
    '.SH SYNOPSIS\n.B sluice\n.I COMMAND\n.RI [ options ]\n.br\n.B kubectl sluice\n.I COMMAND\n.RI [ options ]\n',
    `.SH DESCRIPTION\n${prose(description)}`,
    ...groups,
    `.SH EXIT STATUS\n${listed(codes)}`,
    `.SH ENVIRONMENT\n${listed(environment)}`,
    `.SH FILES\n${listed(files)}`,
    '.SH SEE ALSO\n.BR kubectl (1)\n',
  ].join('');
}

const heading = (text: string): string => prose(text.toUpperCase()).trimEnd();

function commandText({ name, shape }: CommandPage): string {
  const operands = shape.arguments.map(({ term }) => ` ${term}`).join('');
  const lines = [
    `.SS ${prose(`sluice ${name}${operands} [options]`)}`,
    shape.description
      .split('\n\n')
      .map((paragraph) => prose(paragraph))
      .join('.PP\n'),
    ...shape.arguments.map(({ term, description: text }) => item(term, text)),
    ...shape.options.map((option) => item(option.flags, optionText(option))),
    examples(shape.after),
  ];
  return lines.join('');
}

function optionText({ description: text, choices, ...rest }: CommandShape['options'][number]): string {
  const parts = [
    ...(choices ? [`one of ${choices.join(', ')}`] : []),
    ...(rest.default === undefined || rest.default === '' ? [] : [`default: ${rest.default}`]),
  ];
  return parts.length === 0 ? text : `${text}${text === '' ? '' : ' '}(${parts.join('; ')})`;
}

const listed = (words: Readonly<Record<string, string>>): string =>
  Object.entries(words)
    .map(([word, text]) => item(word, text))
    .join('');

const item = (term: string, text: string): string => `.TP\n.B ${prose(term)}${prose(text)}`;

/** The end of the help text, exactly as printed. */
function examples(after: string): string {
  const text = after.trim();
  if (text === '') return '';
  const [first = '', ...rest] = text.split('\n');
  return `.PP\n${prose(first)}.PP\n.nf\n${rest.map((line) => prose(line)).join('')}.fi\n`;
}

/** Text as it is: no letter of it is an instruction. */
function prose(text: string): string {
  const plain = text.replaceAll('\\', '\\e').replaceAll('-', '\\-').replaceAll('`', '');
  return `${plain.replaceAll(/^(?=[.'])/gm, '\\&')}\n`;
}
