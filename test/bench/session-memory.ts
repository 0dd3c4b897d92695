import { openBackOffice } from '../../src/back-office.ts';
import { openSessions } from '../../src/sessions.ts';

/**
 * Opens so many sessions of a scenario with so many orders more and prints, as JSON, what each came to: milliseconds,
 * bytes of memory; and what the whole process holds in the end. Run with `--expose-gc`.
 */
const [sessions = 1000, orders = 0, writes = 0] = process.argv.slice(2).map(Number);
const shared = openBackOffice({
  scenario: {
    name: 'crowd',
    description: 'For measuring',
    extends: 'default',
    ...(orders > 0 && { generate: { orders } }),
  },
});
const server = openSessions(shared, { maxSessions: sessions + 200 });
const open = (name: string): void => {
  for (let write = 0; write < writes; write++) {
    server.answer({
      method: 'POST',
      url: '/api/orders/',
      headers: { 'x-backlot-session': name, 'content-type': 'application/json' },
      body: '{"channel":1,"user":1,"currency":"EUR"}',
    });
  }
  if (writes === 0) server.sessions.use(name);
};

for (let warm = 0; warm < 100; warm++) open(`warm-${warm}`);
server.sessions.clear();
const before = heap();
const start = performance.now();
for (let session = 0; session < sessions; session++) open(`session-${session}`);
const milliseconds = (performance.now() - start) / sessions;
const bytes = (heap() - before) / sessions;
console.log(JSON.stringify({ milliseconds, bytes, resident: process.memoryUsage().rss }));

function heap(): number {
  for (let time = 0; time < 3; time++) globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
