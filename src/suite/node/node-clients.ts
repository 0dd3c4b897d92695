import http from 'node:http';
import https from 'node:https';
import { syncBuiltinESMExports } from 'node:module';
import type { SeamPlace } from '../client-seam.ts';
import { dispatcherKeys } from '../../mounts/node/undici.ts';
import { watchedDispatcher, type Dispatcher } from './watched-dispatcher.ts';
import { watchedHttp, type Send } from './watched-http.ts';

/** The clients of Node.js beside `fetch`. */
export const nodeClients: SeamPlace = {
  clients: (begin, contexts, host) => [
    ...[http, https].flatMap((owner) => [
      { owner, name: 'request', watched: (send: Send) => watchedHttp(send, begin, contexts) },
      // It sends by a `request` of its own.
      {
        owner,
        name: 'get',
        watched:
          () =>
          (...args: Parameters<typeof http.get>) =>
            owner.request(...args).end(),
      },
    ]),
    ...dispatcherKeys.map((name) => ({
      owner: host,
      name,
      watched: (dispatcher: Dispatcher) => watchedDispatcher(dispatcher, begin),
    })),
  ],
  // For `import { request } from 'node:http'`.
  onDefined: syncBuiltinESMExports,
};
