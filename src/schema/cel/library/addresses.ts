import { BlockList, isIP, SocketAddress } from 'node:net';
import type { Environment } from '@marcbachmann/cel-js';
import { isCidr } from '../../structural/formats.ts';
import { fail } from '../failure.ts';
import { registerNamespace } from './namespace.ts';

const sync = { async: false } as const;
const ipType = 'net.IP';
const cidrType = 'net.CIDR';

type Family = 'ipv4' | 'ipv6';

/** An address as a value of CEL, in its canonical form. */
class CelIp {
  readonly text: string;
  readonly family: Family;
  constructor(text: string) {
    this.family = isIP(text) === 4 ? 'ipv4' : 'ipv6';
    this.text = new SocketAddress({ address: text, family: this.family }).address;
  }
  toString(): string {
    return this.text;
  }
}

/** A range of addresses as a value of CEL. */
class CelCidr {
  readonly ip: CelIp;
  readonly prefix: number;
  constructor(text: string) {
    const [address = '', prefix = ''] = text.split('/');
    this.ip = new CelIp(address);
    this.prefix = Number(prefix);
  }
  toString(): string {
    return `${this.ip.text}/${this.prefix}`;
  }
  includes(ip: CelIp): boolean {
    return ip.family === this.ip.family && rangesOf(this.toString()).check(ip.text, ip.family);
  }
  masked(): CelCidr {
    const bits = this.ip.family === 'ipv4' ? 32 : 128;
    const drop = BigInt(bits - this.prefix);
    const value = (numberOf(this.ip) >> drop) << drop;
    return new CelCidr(`${addressOf(value, this.ip.family)}/${this.prefix}`);
  }
}

function rangesOf(...ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [address = '', prefix = ''] = range.split('/');
    list.addSubnet(address, Number(prefix), isIP(address) === 4 ? 'ipv4' : 'ipv6');
  }
  return list;
}

/** All eight groups, or four bytes, of an address as one number. */
function numberOf({ text, family }: CelIp): bigint {
  if (family === 'ipv4') return text.split('.').reduce((sum, byte) => sum * 256n + BigInt(byte), 0n);
  const [head = '', tail] = text.split('::');
  const left = head ? head.split(':') : [];
  const right = tail ? tail.split(':') : [];
  const zeroes = tail === undefined ? [] : Array.from({ length: 8 - left.length - right.length }, () => '0');
  return [...left, ...zeroes, ...right].reduce((sum, group) => sum * 65536n + BigInt(`0x${group}`), 0n);
}

function addressOf(value: bigint, family: Family): string {
  const [parts, size, base] = family === 'ipv4' ? [4, 8n, 10] : [8, 16n, 16];
  const groups = Array.from({ length: parts }, (_, i) => {
    const group = (value >> (BigInt(parts - 1 - i) * size)) & ((1n << size) - 1n);
    return group.toString(base);
  });
  return groups.join(family === 'ipv4' ? '.' : ':');
}

const isAddress = (text: string): boolean => isIP(text) !== 0 && !text.includes('%');

function ipOf(text: string): CelIp {
  if (!isAddress(text))
    throw fail(`IP Address ${JSON.stringify(text)} parse error during conversion from string: invalid IP address`);
  return new CelIp(text);
}

function cidrOf(text: string): CelCidr {
  if (!isCidr(text))
    throw fail(`network address parse error during conversion from string: ${JSON.stringify(text)} is no CIDR`);
  return new CelCidr(text);
}

const unspecified = rangesOf('0.0.0.0/32', '::/128');
const loopback = rangesOf('127.0.0.0/8', '::1/128');
const linkLocalUnicast = rangesOf('169.254.0.0/16', 'fe80::/10');
const linkLocalMulticast = rangesOf('224.0.0.0/24', 'ff02::/16');
const multicast = rangesOf('224.0.0.0/4', 'ff00::/8');

const within =
  (list: BlockList) =>
  (ip: CelIp): boolean =>
    list.check(ip.text, ip.family);

function isGlobalUnicast(ip: CelIp): boolean {
  const special = [unspecified, loopback, linkLocalUnicast, multicast];
  return ip.text !== '255.255.255.255' && !special.some((list) => within(list)(ip));
}

/** Addresses: ip, isIP, cidr, isCIDR and what can be asked of them. */
export function registerAddresses(env: Environment): void {
  registerIps(env);
  registerCidrs(env);
}

function registerIps(env: Environment): void {
  env.registerType(ipType, CelIp);
  const namespace = registerNamespace(env, 'ip');
  env.registerFunction(`ip(string): ${ipType}`, ipOf, sync);
  env.registerFunction('isIP(string): bool', isAddress, sync);
  const isCanonical = (_: unknown, text: string): boolean => ipOf(text).text === text;
  env.registerFunction(`${namespace}.isCanonical(string): bool`, isCanonical, sync);
  env.registerFunction(`string(${ipType}): string`, (ip: CelIp) => ip.text, sync);
  env.registerOperator(`${ipType} == ${ipType}`, (a: CelIp, b: CelIp) => a.text === b.text);
  env.registerFunction(`${ipType}.family(): int`, (ip: CelIp) => (ip.family === 'ipv4' ? 4n : 6n), sync);
  env.registerFunction(`${ipType}.isUnspecified(): bool`, within(unspecified), sync);
  env.registerFunction(`${ipType}.isLoopback(): bool`, within(loopback), sync);
  env.registerFunction(`${ipType}.isLinkLocalUnicast(): bool`, within(linkLocalUnicast), sync);
  env.registerFunction(`${ipType}.isLinkLocalMulticast(): bool`, within(linkLocalMulticast), sync);
  env.registerFunction(`${ipType}.isGlobalUnicast(): bool`, isGlobalUnicast, sync);
}

function registerCidrs(env: Environment): void {
  const contains = (range: CelCidr, other: CelCidr): boolean =>
    range.prefix <= other.prefix && range.includes(other.ip);
  env.registerType(cidrType, CelCidr);
  env.registerFunction(`cidr(string): ${cidrType}`, cidrOf, sync);
  env.registerFunction('isCIDR(string): bool', isCidr, sync);
  env.registerFunction(`string(${cidrType}): string`, String, sync);
  env.registerOperator(`${cidrType} == ${cidrType}`, (a: CelCidr, b: CelCidr) => a.toString() === b.toString());
  env.registerFunction(`${cidrType}.containsIP(${ipType}): bool`, (a: CelCidr, ip: CelIp) => a.includes(ip), sync);
  env.registerFunction(`${cidrType}.containsIP(string): bool`, (a: CelCidr, ip: string) => a.includes(ipOf(ip)), sync);
  env.registerFunction(`${cidrType}.containsCIDR(${cidrType}): bool`, contains, sync);
  env.registerFunction(
    `${cidrType}.containsCIDR(string): bool`,
    (a: CelCidr, b: string) => contains(a, cidrOf(b)),
    sync,
  );
  env.registerFunction(`${cidrType}.ip(): ${ipType}`, (a: CelCidr) => a.ip, sync);
  env.registerFunction(`${cidrType}.masked(): ${cidrType}`, (a: CelCidr) => a.masked(), sync);
  env.registerFunction(`${cidrType}.prefixLength(): int`, (a: CelCidr) => BigInt(a.prefix), sync);
}
