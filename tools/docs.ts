/**
 * Keeps the docs honest: `node tools/docs.ts` fails on a relative link of a Markdown page that leads nowhere, on a path in
 * backquotes that does not exist, and on a comment that names a file which does not exist. It must not reach out of the
 * tree; links to other hosts are not followed. Start with `checkDocs`.
 */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { piecesOf } from './comments.ts';
import { walk } from './files.ts';
import { lineAt } from './syntax.ts';

/** All broken links and paths of the pages under `root`, one line each. */
export function checkDocs(root: string): readonly string[] {
  const pages = walk(root).filter((path) => path.endsWith('.md') && !path.startsWith('test/golden/'));
  return [...pages.flatMap((page) => [...brokenLinks(root, page), ...brokenPaths(root, page)]), ...missingFiles(root)];
}

/** Files such as `docs.ts` that comments name although no file of the tree ends so. `x.ts` stands for any file. */
function missingFiles(root: string): readonly string[] {
  const files = ['src', 'test', 'tools', 'bench', 'bin'].flatMap((folder) => walk(root, folder));
  const ends = new Set(files.flatMap((file) => file.split('/').map((_, i, steps) => steps.slice(i).join('/'))));
  const sources = files.filter((file) => file.endsWith('.ts') && !file.includes('/gen/'));
  return sources.flatMap((file) => {
    const text = readFileSync(join(root, file), 'utf8');
    const comments = piecesOf(file, text).filter(({ kind }) => kind === 'comment');
    return comments.flatMap(({ text: prose, start }) =>
      [...prose.matchAll(/(?<![\w/.*-])\w[\w./-]*\.ts\b/g)]
        .filter(([name]) => !ends.has(name) && !/(?:^|\/)x\.ts$/.test(name))
        .map(([name]) => `${file}:${lineAt(text, start)}: ${name} does not exist`),
    );
  });
}

/** Paths such as `tools/docs.ts` in the prose of pages that describe the present tree. A changelog speaks of the past. */
function brokenPaths(root: string, page: string): readonly string[] {
  if (!/^(?:docs\/)?[^/]+\.md$/.test(page) || page === 'CHANGELOG.md') return [];
  const text = readFileSync(join(root, page), 'utf8').replace(/^(```|~~~)[\s\S]*?^\1/gm, (block) =>
    block.replace(/[^\n]/g, ' '),
  );
  return text
    .split('\n')
    .flatMap((line, i) =>
      pathsOf(line).flatMap((path) => (pathExists(root, path) ? [] : [`${page}:${i + 1}: ${path} does not exist`])),
    );
}

/** A path begins with a folder of this repository; `engine/claim` is one of `src`. Placeholders name no file. */
function pathsOf(line: string): readonly string[] {
  const quoted = [...line.matchAll(/`([\w./-]+)`/g)].map(([, path = '']) => path);
  const top = /^(?:src|test|tools|bench|bin|docs|deploy|examples|man|engine|api|controllers)\/[\w./-]+$/;
  return quoted.filter((path) => top.test(path) && !/^api\/v\d/.test(path));
}

function pathExists(root: string, path: string): boolean {
  return (
    existsSync(join(root, path)) || existsSync(join(root, 'src', path)) || existsSync(join(root, `src/${path}.ts`))
  );
}

function brokenLinks(root: string, page: string): readonly string[] {
  const lines = withoutCode(readFileSync(join(root, page), 'utf8')).split('\n');
  return lines.flatMap((line, i) =>
    linksOf(line).flatMap((link) => {
      const why = broken(root, page, link);
      return why ? [`${page}:${i + 1}: ${why}`] : [];
    }),
  );
}

/** Code is blanked, not cut, so that lines keep their numbers. */
function withoutCode(text: string): string {
  return text
    .replace(/^(```|~~~)[\s\S]*?^\1/gm, (block) => block.replace(/[^\n]/g, ' '))
    .replace(/`[^`\n]*`/g, (code) => ' '.repeat(code.length));
}

/** The targets of `[text](target)`, `![text](target)` and `[label]: target` that are not on another host. */
function linksOf(line: string): readonly string[] {
  const inline = [...line.matchAll(/\]\(<?([^)\s>]+)>?(?:\s+"[^"]*")?\)/g)];
  const labelled = [...line.matchAll(/^\s*\[[^\]]+\]:\s*<?(\S+?)>?\s*$/g)];
  return [...inline, ...labelled].map((match) => match[1] ?? '').filter((link) => !/^[a-z][a-z+.-]*:/i.test(link));
}

function broken(root: string, page: string, link: string): string | undefined {
  const [path = '', anchor] = link.split('#', 2);
  const target = path === '' ? page : normalize(join(dirname(page), decodeURI(path)));
  if (target.startsWith('..')) return `${link} leads out of the repository`;
  if (!existsSync(join(root, target))) return `${link} leads nowhere`;
  if (anchor === undefined || !target.endsWith('.md') || statSync(join(root, target)).isDirectory()) return undefined;
  return anchorsOf(readFileSync(join(root, target), 'utf8')).has(anchor)
    ? undefined
    : `${link}: ${target} has no heading #${anchor}`;
}

/** The anchors a page offers, made from its headings as code hosts make them. */
function anchorsOf(text: string): ReadonlySet<string> {
  const anchors = new Set<string>();
  const seen = new Map<string, number>();
  for (const [, heading = ''] of text.replace(/^(```|~~~)[\s\S]*?^\1/gm, '').matchAll(/^#{1,6}\s+(.+?)\s*#*$/gm)) {
    const slug = heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replace(/\s/g, '-');
    const times = seen.get(slug) ?? 0;
    seen.set(slug, times + 1);
    anchors.add(times === 0 ? slug : `${slug}-${times}`);
  }
  return anchors;
}

if (import.meta.main) {
  const problems = checkDocs(process.cwd());
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) process.exitCode = 1;
}
