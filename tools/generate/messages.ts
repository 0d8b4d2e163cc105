import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type GoField, readGoTypes } from './gotypes.ts';
import { kubernetesVersion, servedVersions } from './scope.ts';
import { moduleFolder } from './sources.ts';

interface ProtoField {
  readonly number: number;
  readonly name: string;
  readonly type: string;
  readonly label: '' | 'repeated' | 'map';
}

type Messages = Map<string, { readonly fields: readonly ProtoField[]; readonly go: ReadonlyMap<number, GoField> }>;

const stagingVersion = kubernetesVersion.replace('v1.', 'v0.');

/** Prefixes that are left out of the names of messages: the rest still tells them apart. */
const prefixes = [
  'k8s.io.api.',
  'k8s.io.apimachinery.pkg.apis.',
  'k8s.io.apimachinery.pkg.',
  'k8s.io.apiextensions_apiserver.pkg.apis.',
  'k8s.io.kube_aggregator.pkg.apis.',
];

const scalars: Readonly<Record<string, string>> = {
  string: 's',
  bytes: 'y',
  bool: 'b',
  int32: 'i',
  int64: 'i',
  double: 'd',
};

/** Types with a JSON form of their own, which the decoder knows by name and whose fields nobody needs. */
const wellKnown =
  /^(meta\.v1\.(Time|MicroTime|FieldsV1)|runtime\.RawExtension|api\.resource\.Quantity|util\.intstr\.IntOrString|apiextensions\.v1\.JSON)$/;

/** Types that write their JSON themselves and so have no tags: slices by a name, and unions. */
const untagged = /\.(ExtraValue|Verbs|JSONSchemaPropsOr\w+)$/;

const labelFlags = { '': '', repeated: 'r', map: 'm' } as const;

/** Kinds of meta that clients send under any group. */
const optionKinds = ['CreateOptions', 'DeleteOptions', 'PatchOptions', 'UpdateOptions', 'Status'];

/**
 * The protobuf fields of all kinds and what they are made of, each message as one text:
 * `number:name:type:flag` a field, where the flag is r repeated, m map, i inline, or d: the zero value, which Go
 * always writes, is one that JSON omits.
 * Member `kinds` maps `group/version/Kind` to the message.
 */
export function readMessages(
  definitions: readonly { name: string; apiVersion: string; kind: string }[],
): Record<string, unknown> {
  const messages = readAll();
  const kinds: Record<string, string> = {};
  for (const { name, apiVersion, kind } of definitions) {
    const message = messageName(name);
    if (messages.has(message)) kinds[`${apiVersion}/${kind}`] = message;
  }
  const done: Record<string, string> = {};
  const open = [...Object.values(kinds), ...optionKinds.map((kind) => `meta.v1.${kind}`)];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (done[name] !== undefined || wellKnown.test(name)) continue;
    const message = messages.get(name);
    if (!message) throw new Error(`no message ${name}`);
    done[name] = message.fields.map((field) => fieldText(name, field, message.go.get(field.number))).join(' ');
    open.push(...message.fields.map(({ type }) => type).filter((type) => !scalars[type]));
  }
  return { kinds, ...Object.fromEntries(Object.entries(done).sort(([a], [b]) => (a < b ? -1 : 1))) };
}

function fieldText(message: string, field: ProtoField, go: GoField | undefined): string {
  if (!go && !untagged.test(message)) throw new Error(`no Go field for ${message}.${field.name}`);
  const { json, pointer, omitEmpty, inline } = go ?? {
    json: field.name,
    pointer: true,
    omitEmpty: false,
    inline: false,
  };
  const flag = labelFlags[field.label] || (inline ? 'i' : '') || (omitEmpty && !pointer ? 'd' : '');
  return `${field.number}:${json}:${scalars[field.type] ?? field.type}:${flag}`;
}

/** `io.k8s.api.apps.v1.Deployment` → `apps.v1.Deployment`. */
function messageName(definition: string): string {
  return shortName(definition.replace(/^io\.k8s\./, 'k8s.io.').replaceAll('-', '_'));
}

function shortName(full: string): string {
  const prefix = prefixes.find((one) => full.startsWith(one));
  return prefix ? full.slice(prefix.length) : full;
}

function readAll(): Messages {
  const messages: Messages = new Map();
  for (const [module, path] of packages()) {
    const file = join(moduleFolder(module, stagingVersion), path, 'generated.proto');
    readProto(file, messages);
  }
  return messages;
}

function packages(): readonly (readonly [module: string, path: string])[] {
  const groups = servedVersions
    .map((version) => (version === 'v1' ? 'core/v1' : version.replace(/\..*?\//, '/')))
    .filter((path) => !/^(apiextensions|apiregistration)\//.test(path));
  return [
    ...groups.map((path) => ['k8s.io/api', path] as const),
    ['k8s.io/apimachinery', 'pkg/apis/meta/v1'],
    ['k8s.io/apiextensions-apiserver', 'pkg/apis/apiextensions/v1'],
    ['k8s.io/kube-aggregator', 'pkg/apis/apiregistration/v1'],
  ];
}

function readProto(file: string, messages: Messages): void {
  const source = readFileSync(file, 'utf8').replaceAll(/^\s*\/\/.*\n/gm, '');
  const packageName = /^package ([\w.]+);/m.exec(source)?.[1] ?? '';
  const structs = readGoTypes(dirname(file));
  for (const [, name = '', body = ''] of source.matchAll(/^message (\w+) \{\n(.*?)^\}/gms)) {
    const fields = [...body.matchAll(/^\s+(?:(optional|repeated|required) )?(.+?) (\w+) = (\d+);/gm)].map(
      ([, label, type = '', field = '', number = '']) => protoField({ label, type, field, number, packageName }),
    );
    messages.set(shortName(`${packageName}.${name}`), { fields, go: structs.get(name) ?? new Map() });
  }
}

interface ProtoText {
  readonly label: string | undefined;
  readonly type: string;
  readonly field: string;
  readonly number: string;
  readonly packageName: string;
}

function protoField({ label, type, field, number, packageName }: ProtoText): ProtoField {
  const map = /^map<string, (.+)>$/.exec(type);
  const element = map?.[1] ?? type;
  return {
    number: Number(number),
    name: field,
    type: scalars[element]
      ? element
      : shortName(element.startsWith('.') ? element.slice(1) : `${packageName}.${element}`),
    label: map ? 'map' : label === 'repeated' ? 'repeated' : '',
  };
}
