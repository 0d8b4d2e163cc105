import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { gzipSync } from 'node:zlib';

/** A file of the page as it is sent. */
export interface Asset {
  readonly type: string;
  readonly body: Buffer;
  readonly gzipped: Buffer;
  /** Its name has a hash of its content, so it never changes. */
  readonly lasts: boolean;
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** The folder of the package. */
const home = path.join(import.meta.dirname, '../../..');

/** Where the build leaves the page. */
const folder = path.join(home, 'dist/page');

/** The files of the page; each is read and compressed once. */
export class Assets {
  readonly #known = new Map<string, Promise<Asset | undefined>>();

  /** A file by the path of a request; undefined when there is none. */
  file(name: string): Promise<Asset | undefined> {
    // Names are ours alone: letters, digits and one folder.
    if (!/^(assets\/)?[\w-]+(\.[\w-]+)*\.(js|css|svg|html)$/.test(name)) return Promise.resolve(undefined);
    let known = this.#known.get(name);
    if (!known) this.#known.set(name, (known = read(name)));
    return known;
  }

  /** The page itself, with the nonce of this answer. */
  async page(nonce: string): Promise<Buffer | undefined> {
    const index = await this.file('index.html');
    return index && Buffer.from(index.body.toString('utf8').replace('__NONCE__', nonce));
  }
}

async function read(name: string): Promise<Asset | undefined> {
  const file = path.join(folder, name);
  if (!existsSync(file)) return undefined;
  const body = await readFile(file);
  const type = types[path.extname(name)] ?? 'application/octet-stream';
  return { type, body, gzipped: gzipSync(body), lasts: name.startsWith('assets/') };
}

/** Builds the page if that was not done at installation; resolves to why it could not be done. */
export async function ensureBuilt(say: (line: string) => void): Promise<string | undefined> {
  if (existsSync(path.join(folder, 'index.html'))) return undefined;
  say('building the dashboard; this happens once and takes a few seconds');
  try {
    const { build } = await import('vite');
    await build({
      root: path.join(home, 'src/dashboard/page'),
      configFile: path.join(home, 'vite.config.ts'),
      logLevel: 'silent',
    });
    return undefined;
  } catch (error) {
    return `the page cannot be built: ${(error as Error).message.split('\n')[0] ?? ''}; run \`npm ci\` in the folder of sluice`;
  }
}
