import type { HubWords } from './complete.ts';
import type { HubFlags } from './connect.ts';
import type { CommandShape } from './shape.ts';

/** The possible values of a flag. */
export interface FlagValue {
  readonly choices?: readonly string[];
  readonly of?: HubWords | 'files';
}

const valuesByName: Readonly<Record<string, HubWords | 'files'>> = {
  '--namespace': 'namespaces',
  '--clusters': 'members',
  '--cluster': 'members',
  '--context': 'contexts',
  '--policy': 'policies',
  '--delete': 'objects',
  '--filename': 'files',
  '--kubeconfig': 'files',
  '--cluster-kubeconfig': 'files',
  '--snapshot': 'files',
  '--data-dir': 'files',
};

/** The possible values after a flag of a command; undefined when it takes no value. */
export function valueOf({ options }: CommandShape, flag: string): FlagValue | undefined {
  const option = options.find(({ flags }) => flags.split(/[ ,]+/).includes(flag));
  if (!option?.flags.includes('<')) return undefined;
  if (option.choices) return { choices: option.choices };
  const [long = ''] = /--[a-z-]+/.exec(option.flags) ?? [];
  const of = Object.hasOwn(valuesByName, long) ? valuesByName[long] : undefined;
  return of ? { of } : {};
}

const hubFlags: Readonly<Record<string, 'kubeconfig' | 'context' | 'namespace'>> = {
  '--kubeconfig': 'kubeconfig',
  '--context': 'context',
  '-n': 'namespace',
  '--namespace': 'namespace',
};

/** The flags of a line that say which hub and which namespace is meant. */
export function asHubFlags(words: readonly string[]): HubFlags {
  const found: Record<string, string> = {};
  words.forEach((word, i) => {
    const [flag = '', ...value] = word.split('=');
    const name = Object.hasOwn(hubFlags, flag) ? hubFlags[flag] : undefined;
    const said = value.length > 0 ? value.join('=') : words[i + 1];
    if (name && said) found[name] = said;
  });
  return { ...found, timeout: '2s' };
}
