// Runs Prism's proxy, which validates each response against the document.
import { spawn } from 'node:child_process';
import { once } from 'node:events';

let nextPort = 20_000 + (process.pid % 20_000);

/** Starts a proxy of a server. Counts the requests through it and collects the violations of responses. */
export async function startProxy(to) {
  const port = nextPort++;
  const child = spawn(
    'node_modules/.bin/prism',
    ['proxy', 'openapi.json', to, '--port', String(port), '--verboseLevel', 'fatal'],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const url = `http://127.0.0.1:${port}`;
  const proxy = { sent: 0, statuses: {}, violations: [], send, stop: () => child.kill() };
  child.stdout.resume();
  await untilListening(url, child);
  return proxy;

  /** Returns the body: parsed, if it is JSON. */
  async function send(line, init = {}) {
    const [method, path] = line.split(' ');
    const signal = AbortSignal.timeout(20_000);
    const response = await fetch(`${url}${path}`, { redirect: 'manual', method, signal, ...init });
    proxy.sent += 1;
    proxy.statuses[response.status] = (proxy.statuses[response.status] ?? 0) + 1;
    const found = JSON.parse(response.headers.get('sl-violations') ?? '[]');
    // Invalid requests are sent on purpose: the responses have to be as documented.
    const wrong = found.filter(({ location }) => location[0] === 'response');
    if (wrong.length > 0)
      proxy.violations.push(`${line} ${response.status}: ${JSON.stringify(wrong)}`);
    const text = await response.text();
    return response.headers.get('content-type')?.includes('json') ? parsed(text) : text;
  }
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

async function untilListening(url, child) {
  for (const end = Date.now() + 60_000; Date.now() < end;) {
    if (child.exitCode !== null) throw new Error('Prism ended.');
    const response = await fetch(`${url}/nothing`).catch(() => undefined);
    if (response !== undefined) return;
    await once(AbortSignal.timeout(100), 'abort');
  }
  throw new Error('Prism does not listen.');
}
