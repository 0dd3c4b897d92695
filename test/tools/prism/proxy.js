// Runs Prism's proxy, which validates each response against the document.
import { spawn } from 'node:child_process';
import { stripVTControlCharacters } from 'node:util';

/** Starts a proxy of a server, on a free port. Counts the requests through it and collects the violations of responses. */
export async function startProxy(to, document = 'openapi.json') {
  const child = spawn(
    'node_modules/.bin/prism',
    // Only at this level does it print its port.
    ['proxy', document, to, '--port', '0', '--verboseLevel', 'info'],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const url = await listening(child);
  const proxy = { sent: 0, statuses: {}, violations: [], send, stop: () => child.kill() };
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

/** Returns the URL of a Prism that was started. */
function listening(child) {
  return new Promise((resolve, reject) => {
    let printed = '';
    const read = (text) => {
      printed += stripVTControlCharacters(text);
      const [, url] = /listening on (http:\/\/[\d.:]+)\s/.exec(printed) ?? [];
      if (url === undefined) return;
      // What it prints for each request is not of interest.
      child.stdout.off('data', read).resume();
      resolve(url);
    };
    child.stdout.setEncoding('utf8').on('data', read);
    child.once('exit', () => reject(new Error(`Prism ended: ${printed}`)));
  });
}
