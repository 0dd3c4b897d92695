import { join } from 'node:path';
import { defineConfig } from 'vite';

/**
 * The studio of servers: its script, its views and its style sheet. `tools/pages.ts` builds them, with the other pages of
 * `/_backlot/`.
 */
// oxlint-disable-next-line import/no-default-export -- Vite loads it
export default defineConfig({
  logLevel: 'warn',
  // The studio has no use for the developer tools of its signals.
  define: { 'window.__PREACT_SIGNALS_DEVTOOLS__': 'false' },
  build: {
    target: 'es2023',
    modulePreload: false,
    write: false,
    rolldownOptions: {
      input: { studio: join(import.meta.dirname, 'shop/main.ts') },
      output: {
        entryFileNames: '[name].js',
        // Views are loaded when they are first opened.
        chunkFileNames: 'studio/[name].js',
      },
    },
  },
});
