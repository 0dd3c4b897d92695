import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';

// In Playwright's tests, the API is a server.
const server = process.env.BACKLOT_URL;

export default defineConfig({
  base: './',
  plugins: [react()],
  server: { proxy: server === undefined ? {} : { '/api': server, '/oauth': server } },
  test: { environment: 'jsdom', include: ['test/*.test.tsx'] },
});
