// Sends the recorded responses of the test suite through Prism's proxy.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { startProxy } from './proxy.js';

/** Headers that the server of the replay makes itself. */
const own = ['connection', 'content-length', 'date', 'transfer-encoding'];

/**
 * Left out are statuses of `Prefer` that the document does not have, because a client can ask for any; redirects, which
 * Prism follows itself; and the pages that a browser shows for a removed session.
 */
export async function replay(file, document) {
  const all = readFileSync(file, 'utf8').split('\n').map(JSON.parse);
  const judged = all.filter(
    (answer) =>
      (!answer.isPreferred || isDocumented(document, answer)) &&
      !(answer.status >= 300 && answer.status < 400) &&
      !(answer.status === 410 && answer.headers['content-type'].startsWith('text/html')),
  );
  const server = createServer((request, response) => {
    const { status, headers, body } = judged[Number(request.headers['x-answer'])] ?? {
      status: 404,
    };
    request.resume();
    for (const [name, value] of Object.entries(headers ?? {}))
      if (!own.includes(name)) response.setHeader(name, value);
    response.writeHead(status).end(body);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const proxy = await startProxy(`http://127.0.0.1:${server.address().port}`);
  const next = judged.entries();
  const work = async () => {
    for (const [at, { method, path }] of next) {
      // The body of the request has no influence: the response is chosen.
      await proxy.send(`${method} ${path.replaceAll(/:\w+/g, '1')}`, {
        headers: { 'x-answer': String(at) },
      });
    }
  };
  await Promise.all([work(), work(), work(), work()]);
  proxy.stop();
  server.close();
  return { ...proxy, leftOut: all.length - judged.length };
}

function isDocumented({ paths }, { method, path, status }) {
  const [, operations] = Object.entries(paths).find(([one]) => sameNames(one) === sameNames(path));
  return operations[method.toLowerCase()].responses[status] !== undefined;
}

/** Endpoints of one path may name its parameters differently, or end with a slash. */
function sameNames(path) {
  return path.replaceAll(/\{\w+\}|:\w+/g, ':').replace(/\/$/, '');
}
