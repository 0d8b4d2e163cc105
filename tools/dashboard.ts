/**
 * Builds the page of the dashboard into dist/page: `npm ci` runs it as `prepare`. Where the build tool is not
 * installed it says so and succeeds: `sluice` then builds at its first start, or serves no page.
 */
import path from 'node:path';

const root = path.join(import.meta.dirname, '..');

try {
  const { build } = await import('vite');
  await build({ configFile: path.join(root, 'vite.config.ts') });
} catch (error) {
  if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
  console.log('the dashboard is not built: the build tool is not installed');
}
