import { http } from 'msw';

/** Returns MSW's `http`. Bundles for Node.js load MSW at the first call: see `node/lazy-msw.ts`. */
export function loadHttp(): typeof http {
  return http;
}
