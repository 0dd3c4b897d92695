// Prism validates responses: of the README conversation, of probes, and of those that the test suite got.
import { existsSync, readFileSync } from 'node:fs';
import { probe } from './probes.js';
import { startProxy } from './proxy.js';
import { replay } from './replay.js';

const [document, extended] = ['openapi.json', 'extended.json'].map((file) =>
  JSON.parse(readFileSync(file, 'utf8')),
);
const violations = [];

const proxy = await startProxy(process.env.BACKLOT_URL);
await converse();
report('README conversation', proxy);
const told = proxy.sent;
await probeAll(document, proxy);
report('probes', { ...proxy, sent: proxy.sent - told });
const other = await startProxy(process.env.EXTENDED_URL, 'extended.json');
await probeAll(extended, other);
report('probes of the definition', other);
if (existsSync(process.env.BACKLOT_ANSWERS)) {
  const replayed = await replay(process.env.BACKLOT_ANSWERS, document);
  report(`distinct responses of the test suite, ${replayed.leftOut} left out`, replayed);
} else {
  console.log('note: no responses of the test suite: CONTRACT_COVERAGE=true npm test records them');
}
if (violations.length > 0) {
  console.error(`${violations.length} violations\n${violations.join('\n')}`);
  process.exit(1);
}

/** Probes each operation of a document, and stops the proxy. */
async function probeAll({ paths }, { send, stop }) {
  for (const [path, operations] of Object.entries(paths)) {
    // Prism follows a redirect itself, and then finds the response of another operation. It waits for the end of a stream,
    // and that of events has none.
    if (path === '/_backlot/begin' || path === '/_backlot/events') continue;
    for (const [method, operation] of Object.entries(operations))
      await probe(send, path, method, operation);
  }
  stop();
}

/** Sends the requests of README.md and docs, in their order. */
async function converse() {
  for (const { method, url, form, prefer, token } of JSON.parse(
    readFileSync('conversation.json', 'utf8'),
  )) {
    const headers = {
      ...(prefer !== undefined && { prefer }),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    };
    const body = method === 'GET' ? {} : { body: new URLSearchParams(form) };
    await proxy.send(`${method} ${url}`, { headers, ...body });
  }
}

function report(name, { sent, statuses, violations: found }) {
  violations.push(...found.splice(0));
  console.log(`note: ${sent} ${name}, by status ${JSON.stringify(statuses)}`);
}
