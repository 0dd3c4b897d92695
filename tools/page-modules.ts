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

/**
 * Has the panel contain all rooms of the studio: each that is loaded later would be a file of the package, or more. They import
 * this module in a circle, so its functions must be there before it is evaluated.
 */
export const roomsModule = `
  import { Activity } from './activity/activity.tsx';
  import { Composer } from './composer/composer.tsx';
  import { Data } from './data/data.tsx';
  import { Docs } from './docs/docs.tsx';
  import { Files } from './files/files.tsx';
  import { Home } from './home/home.tsx';
  import { Orders } from './orders/orders.tsx';
  import { Rules } from './rules/rules.tsx';
  import { TimeSection } from './time/time.tsx';
  import { Why } from './why/why.tsx';
  export async function activity() { return Activity; }
  export async function composer() { return Composer; }
  export async function data() { return Data; }
  export async function docs() { return Docs; }
  export async function files() { return Files; }
  export async function home() { return Home; }
  export async function orders() { return Orders; }
  export async function rules() { return Rules; }
  export async function time() { return TimeSection; }
  export async function why() { return Why; }`;
