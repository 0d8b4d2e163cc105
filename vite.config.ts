import path from 'node:path';
import { defineConfig } from 'vite';

/** The page of the dashboard: `npm ci` builds it into dist/page. */
export default defineConfig({
  root: path.join(import.meta.dirname, 'src/dashboard/page'),
  base: '/',
  logLevel: 'error',
  oxc: { jsx: { runtime: 'automatic' } },
  build: {
    outDir: path.join(import.meta.dirname, 'dist/page'),
    emptyOutDir: true,
    target: 'es2023',
    reportCompressedSize: false,
    // The policy of the page allows no scripts in the document.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
  },
});
