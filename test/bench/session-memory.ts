import { openStoreOffice } from '../../src/shop/open-store-office.ts';
import { openSessions } from '../../src/engine/sessions/server.ts';

/**
 * Opens sessions of a scenario with additional orders, visits each several times, and prints as JSON the milliseconds and
 * bytes of memory of each session and the memory of the process. Run with `--expose-gc`.
 */
const [sessions = 1000, orders = 0, visits = 0] = process.argv.slice(2).map(Number);
const shared = openStoreOffice({
  scenario: {
    name: 'crowd',
    description: 'For measuring',
    extends: 'default',
    ...(orders > 0 && { generate: { orders } }),
  },
});
const server = openSessions(shared, { maxSessions: sessions + 200 });
const headers = { 'content-type': 'application/json', 'user-agent': 'Mozilla/5.0 (X11; Linux)' };
/** A visit: reads, fills a cart, and reads again. */
const visit = [
  { method: 'GET', url: '/api/orders/' },
  { method: 'GET', url: '/api/orders/105/' },
  { method: 'GET', url: '/api/products/7' },
  { method: 'POST', url: '/api/orders/', body: '{"channel":1,"user":1,"currency":"EUR"}' },
  {
    method: 'POST',
    url: '/api/orders/121/items/',
    body: '{"variant":1,"unitPrice":1990,"quantity":2}',
  },
  { method: 'GET', url: '/api/orders/121/' },
  { method: 'GET', url: '/api/orders/' },
  { method: 'GET', url: '/api/orders/?page=2' },
  { method: 'GET', url: '/api/users/' },
  { method: 'GET', url: '/api/shipments/' },
];
const open = (name: string): void => {
  for (let time = 0; time < visits; time++) {
    for (const request of visit) {
      const { status } = server.answer({
        ...request,
        headers: { ...headers, 'x-backlot-session': name },
      });
      if (status >= 400) throw new Error(`${request.method} ${request.url}: ${status}`);
    }
  }
  if (visits === 0) server.sessions.use(name);
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
