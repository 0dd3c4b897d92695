// Sends requests through Prism's proxy, which validates each response against the document.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';

const port = 20_000 + (process.pid % 20_000);
const to = `http://127.0.0.1:${port}`;
const document = JSON.parse(readFileSync('openapi.json', 'utf8'));
const child = spawn(
  'node_modules/.bin/prism',
  ['proxy', 'openapi.json', process.env.BACKLOT_URL, '--port', String(port)],
  { stdio: ['ignore', 'pipe', 'inherit'] },
);
let printed = '';
child.stdout.setEncoding('utf8').on('data', (text) => (printed += text));
while (!printed.includes('listening')) await once(child.stdout, 'data');

const violations = [];
const statuses = {};
let sent = 0;

async function send(line, body, headers = {}) {
  const [method, url] = line.split(' ');
  const json = body === undefined ? {} : { 'content-type': 'application/json' };
  const text = typeof body === 'string' || body === undefined ? body : JSON.stringify(body);
  const response = await fetch(`${to}${url}`, {
    redirect: 'manual',
    method,
    headers: { ...json, ...headers },
    body: text,
    signal: AbortSignal.timeout(20_000),
  });
  sent += 1;
  statuses[response.status] = (statuses[response.status] ?? 0) + 1;
  const found = JSON.parse(response.headers.get('sl-violations') ?? '[]');
  // Invalid requests are sent on purpose: the responses have to be as documented.
  const wrong = found.filter(({ location }) => location[0] === 'response');
  if (wrong.length > 0) violations.push(`${line} ${response.status}: ${JSON.stringify(wrong)}`);
  const answer = await response.text();
  return response.headers.get('content-type')?.includes('json') ? JSON.parse(answer) : answer;
}

await conversation();
for (const [path, methods] of Object.entries(document.paths)) {
  for (const [method, operation] of Object.entries(methods)) await probe(path, method, operation);
}
child.kill();
console.log(`note: ${sent} requests through the proxy, by status ${JSON.stringify(statuses)}`);
if (violations.length > 0) {
  console.error(`${violations.length} violations\n${violations.join('\n')}`);
  process.exit(1);
}

/** The conversation of the README. */
async function conversation() {
  const { id } = await send('POST /api/orders/', { channel: 1, user: 3, currency: 'EUR' });
  await send(`POST /api/orders/${id}/items/`, { variant: 7, quantity: 0 });
  await send(`POST /api/orders/${id}/items/`, { variant: 7, unitPrice: 1990, quantity: 1 });
  await send(`PUT /api/checkouts/${id}`, { paymentMethod: 1 });
  await send(`GET /api/orders/${id}`, undefined, { prefer: 'status=503' });
  await send('PUT /_backlot/clock', { advance: 'P1D' });
  await send(`GET /api/orders/${id}`);
  await send('POST /_backlot/reset', {});
}

/** Sends the examples of an operation, and requests that it rejects. */
async function probe(path, method, { parameters, requestBody }) {
  const filled = (id) => `${method.toUpperCase()} ${path.replaceAll(/\{\w+\}/g, id)}`;
  const content = requestBody?.content['application/json'];
  for (const name of Object.keys(content?.examples ?? parameters[0]?.examples ?? { none: 1 })) {
    const example = (one) => one.examples?.[name]?.value;
    const url = path.replaceAll(/\{(\w+)\}/g, (_, key) =>
      example(parameters.find((one) => one.name === key)),
    );
    await send(`${method.toUpperCase()} ${url}`, content?.examples[name].value);
  }
  await send(filled('9999999'), method === 'get' || method === 'delete' ? undefined : {});
  await send(`${filled('1')}?page=0&limit=x`, method === 'get' ? undefined : {});
  if (path.startsWith('/api')) {
    await send(filled('1'), undefined, { prefer: 'status=500' });
    await send(filled('1'), undefined, { prefer: 'status=503' });
  }
  if (method === 'get') return;
  await send(filled('1'), { nothing: 1 });
  await send(filled('1'), { padding: 'a'.repeat(1_100_000) });
  if (path === '/_backlot/import') await send('POST /_backlot/reset', {});
}
