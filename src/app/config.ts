import { readFileSync } from 'node:fs';
import { defaultGates } from '../api/index.ts';
import type { Gates } from '../api/index.ts';
import { encryptionOf } from '../apiserver/index.ts';
import { isHostName } from '../auth/index.ts';
import type { Sealing } from '../store/index.ts';

/** Something the user asked for cannot be had; one line says what, and what to do. */
export class SetupError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'SetupError';
  }
}

/** A flag has a value that it cannot have; nothing about the machine would make it right. */
export class FlagError extends SetupError {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'FlagError';
  }
}

/** A host and a port to listen on. */
export interface Address {
  readonly host: string;
  readonly port: number;
}

/** Reads `HOST:PORT`; IPv6 hosts stand in brackets. */
export function addressOf(text: string, flag: string): Address {
  const parts = /^(?:\[([^\]]+)\]|([^:]*)):(\d{1,5})$/.exec(text);
  const port = Number(parts?.[3]);
  if (!parts || port > 65_535)
    throw new FlagError(`${flag}: ${JSON.stringify(text)} is not HOST:PORT, for example 127.0.0.1:7443`);
  return { host: parts[1] ?? (parts[2] || '127.0.0.1'), port };
}

/** Reads the names and addresses of `--tls-san`, as `hub.example.com,10.0.0.7`. */
export function namesOf(text: string): readonly string[] {
  const names = text.split(',').map((name) => name.trim());
  const wrong = names.filter((name) => name !== '' && !isHostName(name));
  if (wrong.length > 0)
    throw new FlagError(
      `--tls-san: ${wrong.join(', ')} must be a host name or an IP address, for example hub.example.com`,
    );
  return names.filter((name) => name !== '');
}

/** Reads `A=true,B=false`; a gate that does not exist is an error that names those that do. */
export function gatesOf(text: string): Gates {
  const gates: Record<string, boolean> = { ...defaultGates };
  for (const item of text.split(',').filter((part) => part.trim() !== '')) {
    const [name = '', value = ''] = item.split('=').map((part) => part.trim());
    if (!(name in defaultGates)) {
      throw new SetupError(
        `--feature-gates: there is no gate ${name}; there are ${Object.keys(defaultGates).sort().join(', ')}`,
      );
    }
    if (value !== 'true' && value !== 'false') throw new FlagError(`--feature-gates: ${name} must be true or false`);
    gates[name] = value === 'true';
  }
  return gates as unknown as Gates;
}

const memberName = /^[a-z0-9]([-a-z0-9]{0,46}[a-z0-9])?$/;
const mostMembers = 100;

/** The context of the hub in the kubeconfig; members have theirs beside it. */
export const hubContext = 'sluice';

/** Reads a number of members or their names. */
export function membersOf(text: string): readonly string[] {
  if (/^\d+$/.test(text)) {
    const count = Number(text);
    if (count > mostMembers) throw new FlagError(`--members: at most ${mostMembers} can be simulated on one machine`);
    return Array.from({ length: count }, (_, i) => `member${i + 1}`);
  }
  const names = text.split(',');
  for (const name of names) {
    if (!memberName.test(name))
      throw new FlagError(
        `--members: ${JSON.stringify(name)} is not a name of a cluster (a DNS-1123 label of at most 48 characters)`,
      );
  }
  if (names.includes(hubContext))
    throw new FlagError(`--members: ${hubContext} is the name of the hub's own context: choose another`);
  if (new Set(names).size < names.length) throw new FlagError('--members: a name is given twice');
  return names;
}

/** Reads the file of `--encryption-config`. */
export function readEncryption(file: string): Sealing {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new SetupError(`--encryption-config: ${file} cannot be read: ${(error as Error).message}`, { cause: error });
  }
  try {
    return encryptionOf(text, file);
  } catch (error) {
    throw new SetupError(`--encryption-config: ${(error as Error).message}`, { cause: error });
  }
}
