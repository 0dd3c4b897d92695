import { readFile } from 'node:fs/promises';

// Preloaded into a program (`--import`), so that SIGUSR2 has its disk hang: all threads that Node.js has for files wait
// for pipes that nobody writes to.
process.on('SIGUSR2', () => {
  for (const pipe of process.env['HANG_PIPES']?.split(':') ?? []) void readFile(pipe);
});
