import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { AccessOptions } from '../../src/mounts/access.ts';
import { createCheckAccess } from '../../src/mounts/http/access.ts';
import { parseRequestTarget } from '../../src/engine/sessions/request-target.ts';
import { median, type Figure } from './report.ts';

const hints = { host: String, origin: String };
const origin = 'http://localhost:5173';
const loads: {
  name: string;
  options: AccessOptions;
  method: string;
  url: string;
  headers: Readonly<Record<string, string>>;
}[] = [
  { name: 'GET one user', options: {}, method: 'GET', url: '/api/users/7', headers: {} },
  {
    name: 'POST create an order from a named origin',
    options: { corsOrigin: [origin] },
    method: 'POST',
    url: '/api/orders/',
    headers: { origin },
  },
  {
    name: 'GET the clock from a loopback origin',
    options: {},
    method: 'GET',
    url: '/_backlot/clock',
    headers: { origin },
  },
];

/** The time that a request takes for the check of `Host` and `Origin`. */
export function accessFigures(): Figure[] {
  return loads.map(({ name, options, method, url, headers }) => {
    const admit = createCheckAccess(options, hints);
    const request = new IncomingMessage(new Socket());
    Object.assign(request, { method, url, headers: { host: '127.0.0.1:4000', ...headers } });
    const response = new ServerResponse(request);
    const target = parseRequestTarget(url, headers);
    const rounds = Array.from({ length: 20 }, () => {
      const start = performance.now();
      for (let time = 0; time < 50_000; time++) admit(request, response, target, () => undefined);
      return ((performance.now() - start) / 50_000) * 1000;
    });
    // The first rounds warm it up.
    return { name: `${name}, access check`, value: median(rounds.slice(5)), unit: 'µs', limit: 1 };
  });
}
