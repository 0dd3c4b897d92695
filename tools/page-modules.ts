import { documentedEndpoints, openapi } from '../src/engine/sessions/openapi.ts';
import { storeApi } from '../src/shop/store-api.ts';

/** The OpenAPI document as text and without examples, in place of the module that generates it. */
export function openapiModule(): string {
  const text = JSON.stringify(
    JSON.stringify(openapi(storeApi, '0', documentedEndpoints(storeApi))),
  );
  return `
    let document;
    export const documentedEndpoints = () => [];
    export const openapi = () => (document ??= JSON.parse(${text}));`;
}

/** The bodies of the examples of the store as text: `withoutDescriptions` leaves them out of its rows. */
export function examplesModule(): string {
  const bodies = storeApi.endpoints.map((row) => [nameOfRow(row), row.example.body] as const);
  const text = JSON.stringify(JSON.stringify(Object.fromEntries(bodies)));
  return `
    let bodies;
    export const exampleBody = ({ method, path, step, example }) =>
      (example ?? { body: (bodies ??= JSON.parse(${text}))[[method, path, step].join(' ')] }).body ?? {};`;
}

function nameOfRow({ method, path, step }: (typeof storeApi.endpoints)[number]): string {
  return [method, path, step].join(' ');
}
