import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import type { KubeObject } from '../api/index.ts';
import { documentsIn, isObject } from '../base/index.ts';
import { Failure } from './failure.ts';
import type { Io } from './io.ts';

const endings = new Set(['.yaml', '.yml', '.json']);

/** The objects of files, folders and `-`; Lists are taken apart. */
export async function manifestsOf(places: readonly string[], io: Io): Promise<readonly KubeObject[]> {
  const found: KubeObject[] = [];
  for (const place of places) {
    for (const { name, text } of await textsOf(place, io)) found.push(...manifestsIn(name, text));
  }
  if (found.length === 0) throw new Failure(`no object found in ${places.join(', ')}`);
  return found;
}

/** The YAML documents of a file or of standard input, whatever they are. */
export async function documentsOf(place: string, io: Io): Promise<readonly unknown[]> {
  return (await textsOf(place, io)).flatMap(({ name, text }) => parsed(name, text));
}

interface Text {
  readonly name: string;
  readonly text: string;
}

async function textsOf(place: string, io: Io): Promise<readonly Text[]> {
  if (place === '-') return [{ name: 'standard input', text: await io.readInput() }];
  const file = path.resolve(io.directory, place);
  try {
    if (!(await stat(file)).isDirectory()) return [{ name: place, text: await readFile(file, 'utf8') }];
    const names = (await readdir(file)).filter((name) => endings.has(path.extname(name))).sort();
    return await Promise.all(
      names.map(async (name) => ({
        name: path.join(place, name),
        text: await readFile(path.join(file, name), 'utf8'),
      })),
    );
  } catch (error) {
    const why = (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'does not exist' : 'cannot be read';
    throw new Failure(`${place} ${why}`, { cause: error });
  }
}

/** The objects of one text. */
export function manifestsIn(name: string, text: string): readonly KubeObject[] {
  return parsed(name, text).flatMap((document, i) => {
    const items = isObject(document) && document['kind'] === 'List' && document['items'];
    return (Array.isArray(items) ? (items as readonly unknown[]) : [document]).map((item) =>
      manifest(item, `${name}, document ${i + 1}`),
    );
  });
}

function parsed(name: string, text: string): readonly unknown[] {
  try {
    return documentsIn(text);
  } catch (error) {
    throw new Failure(`${name} is not valid YAML: ${(error as Error).message.split('\n')[0]}`, { cause: error });
  }
}

function manifest(value: unknown, place: string): KubeObject {
  const lacks = (what: string): Failure => new Failure(`${place}: ${what} is missing`);
  if (!isObject(value)) throw new Failure(`${place}: this is not a Kubernetes object`);
  for (const field of ['apiVersion', 'kind']) if (typeof value[field] !== 'string') throw lacks(field);
  const { metadata } = value;
  if (!isObject(metadata) || typeof metadata['name'] !== 'string') throw lacks('metadata.name');
  return value as unknown as KubeObject;
}
