import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { KeyFileError } from '../../auth/index.ts';
import { documentIn, isObject } from '../../base/index.ts';
import type { Sealing } from '../../store/index.ts';
import { partsOfKey } from './object-keys.ts';

/** A key by which values are encrypted, and the name under which values refer to it. */
interface NamedKey {
  readonly name: string;
  readonly secret: Buffer;
}

/** The keys of a provider, the first of which is used to write; no keys: values stay as they are. */
type Provider = { readonly type: 'aesgcm'; readonly keys: readonly NamedKey[] } | { readonly type: 'identity' };

interface Rule {
  /** `secrets`, `deployments.apps`, `*.apps`, `*.` or `*.*` */
  readonly resources: readonly string[];
  readonly providers: readonly Provider[];
}

const nonceBytes = 12;
const tagBytes = 16;
/** Kubernetes' mark of an encrypted value; the name of the key follows, then nonce, text and tag in base64. */
const prefix = 'k8s:enc:aesgcm:v1:';

/**
 * Reads Kubernetes' EncryptionConfiguration. A rule for Secrets is also the rule of Works, which carry them, unless Works have a rule of
 * their own. The first provider writes; all of them read, so keys are rotated by putting the new one first.
 */
export function encryptionOf(text: string, file: string): Sealing {
  const rules = rulesIn(text, (why) => new KeyFileError(file, why));
  const keys = new Map(
    rules
      .flatMap(({ providers }) => providers)
      .flatMap(keysOf)
      .map((key) => [key.name, key]),
  );
  return {
    seal(place, bytes) {
      const [first] = ruleOf(rules, place)?.providers ?? [];
      return first?.type === 'aesgcm' && first.keys[0] ? sealed(first.keys[0], place, bytes) : bytes;
    },
    open: (place, bytes) => (isSealed(bytes) ? opened(keys, place, bytes) : bytes),
  };
}

/** A store without keys: a value that was encrypted stops the start, and nothing else does. */
export const noEncryption: Sealing = {
  seal: (_, bytes) => bytes,
  open: (place, bytes) => (isSealed(bytes) ? opened(new Map(), place, bytes) : bytes),
};

const keysOf = (provider: Provider): readonly NamedKey[] => (provider.type === 'aesgcm' ? provider.keys : []);
const isSealed = (bytes: Buffer): boolean => bytes.toString('latin1', 0, prefix.length) === prefix;

function sealed({ name, secret }: NamedKey, place: string, bytes: Buffer): Buffer {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv(algorithmOf(secret), secret, nonce).setAAD(Buffer.from(place));
  const body = Buffer.concat([nonce, cipher.update(bytes), cipher.final(), cipher.getAuthTag()]);
  return Buffer.from(`${prefix}${name}:${body.toString('base64')}`);
}

function opened(keys: ReadonlyMap<string, NamedKey>, place: string, bytes: Buffer): Buffer {
  const [name = '', body = ''] = bytes.toString('latin1').slice(prefix.length).split(':');
  const key = keys.get(name);
  const refuse = (why: string): Error => new KeyFileError(place, why);
  if (!key)
    throw refuse(`is encrypted with the key ${JSON.stringify(name)}: start with an --encryption-config that has it`);
  const raw = Buffer.from(body, 'base64');
  const nonce = raw.subarray(0, nonceBytes);
  const decipher = createDecipheriv(algorithmOf(key.secret), key.secret, nonce)
    .setAAD(Buffer.from(place))
    .setAuthTag(raw.subarray(-tagBytes));
  try {
    return Buffer.concat([decipher.update(raw.subarray(nonceBytes, -tagBytes)), decipher.final()]);
  } catch (error) {
    throw new KeyFileError(
      place,
      `cannot be decrypted with the key ${JSON.stringify(name)}: it is another key, or the value was changed`,
      {
        cause: error,
      },
    );
  }
}

const algorithms = { 16: 'aes-128-gcm', 24: 'aes-192-gcm', 32: 'aes-256-gcm' } as const;
const algorithmOf = ({ length }: Buffer): 'aes-256-gcm' => algorithms[length as 32];

function ruleOf(rules: readonly Rule[], place: string): Rule | undefined {
  const { group = '', plural = '' } = partsOfKey(place) ?? {};
  const own = rules.find(({ resources }) => resources.some((resource) => isAbout(resource, group, plural)));
  if (own || plural !== 'works' || group !== 'work.karmada.io') return own;
  return rules.find(({ resources }) => resources.some((resource) => isAbout(resource, '', 'secrets')));
}

function isAbout(resource: string, group: string, plural: string): boolean {
  if (resource === '*.*') return true;
  const [name = '', ...rest] = resource.split('.');
  return rest.join('.') === group && (name === '*' || name === plural);
}

type Refuse = (why: string) => Error;

function rulesIn(text: string, refuse: Refuse): readonly Rule[] {
  const root = parsed(text, refuse);
  if (root['kind'] !== 'EncryptionConfiguration' || root['apiVersion'] !== 'apiserver.config.k8s.io/v1')
    throw refuse('is not an EncryptionConfiguration of apiserver.config.k8s.io/v1');
  return listIn(root, 'resources').map((rule) => {
    const resources = listIn(rule, 'resources').map(String);
    const providers = listIn(rule, 'providers').map((provider) => providerIn(provider, refuse));
    if (resources.length === 0 || providers.length === 0)
      throw refuse('has a rule without resources or without providers');
    return { resources, providers };
  });
}

function parsed(text: string, refuse: Refuse): Readonly<Record<string, unknown>> {
  try {
    const root = documentIn(text);
    return isObject(root) ? root : {};
  } catch {
    throw refuse('is not valid YAML');
  }
}

function listIn(value: unknown, field: string): readonly unknown[] {
  const list = isObject(value) ? value[field] : undefined;
  return Array.isArray(list) ? (list as readonly unknown[]) : [];
}

function providerIn(value: unknown, refuse: Refuse): Provider {
  const [[type, settings] = ['', undefined]] = isObject(value) ? Object.entries(value) : [];
  if (type === 'identity') return { type };
  if (type !== 'aesgcm') throw refuse(`has the provider ${JSON.stringify(type)}; there are aesgcm and identity`);
  const keys = listIn(settings, 'keys').map((key) => keyIn(key, refuse));
  if (keys.length === 0) throw refuse('has a provider aesgcm without keys');
  return { type, keys };
}

function keyIn(value: unknown, refuse: Refuse): NamedKey {
  const { name, secret: text } = isObject(value) ? value : {};
  const secret = Buffer.from(typeof text === 'string' ? text : '', 'base64');
  if (typeof name !== 'string' || !/^[^:\s]+$/.test(name))
    throw refuse('has a key without a name, or with a colon in it');
  if (!(secret.length in algorithms))
    throw refuse(`the secret of the key ${name} must be 16, 24 or 32 bytes in base64`);
  return { name, secret };
}
