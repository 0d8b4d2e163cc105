/** karmadactl's names of flags that we call otherwise; '*' stands for every command. */
export const spellings: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  '*': { '--karmada-context': '--context' },
  get: { '--cluster': '--clusters', '--labels': '--selector' },
  apply: { '--cluster': '--clusters' },
  join: {
    '--cluster-provider': '--provider',
    '--cluster-region': '--region',
    '--cluster-zones': '--zone',
    '--cluster-zone': '--zone',
  },
  unjoin: { '--wait': '--wait-timeout' },
};

/** Commands whose object is named KIND/NAME; kubectl and karmadactl take two words as well. */
export const ofOneObject: ReadonlySet<string> = new Set([
  'status',
  'explain',
  'describe',
  'suspend',
  'resume',
  'label',
  'annotate',
  'reconcile',
]);

/** Arguments with our own spellings; `karmadactl taint` names the kind before the member. */
export function inOurSpelling(args: readonly string[]): readonly string[] {
  const [command = '', ...rest] = args;
  const own: Readonly<Record<string, string>> = { ...spellings['*'], ...spellings[command] };
  const named = ofOneObject.has(command) ? inOneWord(rest) : rest;
  const words = command === 'taint' && namesKind(named) ? named.slice(1) : named;
  return [command, ...untilDashes(words, (word) => renamed(word, own))];
}

/** `deployment nginx` is `deployment/nginx`; `cluster a=b` or `cluster a-` leaves the name out. */
function inOneWord(words: readonly string[]): readonly string[] {
  const [kind = '', name = '', ...rest] = words;
  const isPair = /^[^-/=][^/=]*$/.test(kind) && /^[^-/=]([^/=]*[^-/=])?$/.test(name);
  return isPair ? [`${kind}/${name}`, ...rest] : words;
}

/** A first word `cluster` names a kind only when two more words follow: alone it is another word for a member. */
function namesKind(words: readonly string[]): boolean {
  return /^clusters?$/.test(words[0] ?? '') && words.filter((word) => !word.startsWith('-')).length >= 3;
}

/** Words after `--` are not flags. */
function untilDashes(words: readonly string[], change: (word: string) => string): readonly string[] {
  const end = words.includes('--') ? words.indexOf('--') : words.length;
  return [...words.slice(0, end).map(change), ...words.slice(end)];
}

function renamed(word: string, names: Readonly<Record<string, string>>): string {
  const [flag = '', ...value] = word.split('=');
  const ours = Object.hasOwn(names, flag) ? names[flag] : undefined;
  return ours === undefined ? word : [ours, ...value].join('=');
}
