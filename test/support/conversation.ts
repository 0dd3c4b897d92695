import { contract } from '../../src/contract.ts';
import { address, card, checkoutOf, declinedCard, formFields } from './checkout-steps.ts';

/** A request and its response, byte for byte. */
export interface Turn {
  readonly line: string;
  readonly status: number;
  readonly type: string | null;
  readonly allow: string | null;
  readonly location: string | null;
  readonly length: string | null;
  /** `X-Content-Type-Options` */
  readonly options: string | null;
  readonly text: string;
}

export type Send = (url: string, init: RequestInit) => Promise<Response>;

interface Step {
  readonly line: string;
  readonly body?: BodyInit;
  readonly type?: string;
}

/**
 * Requests to the default scenario, from its start: every endpoint, a whole checkout, every way of sending
 * parameters, pages, and rejected requests.
 *
 * @param apiPath where the endpoints are. The lines of the turns say `/api` nevertheless
 */
export async function converse(
  send: Send,
  base = 'http://shop.test',
  apiPath = '/api',
): Promise<Turn[]> {
  const turns: Turn[] = [];
  let order = '';
  for (const { line, body, type } of steps()) {
    const [method = 'GET', url = '/'] = line.replace('/last', `/${order}`).split(' ');
    const response = await send(`${base}${url.replace(/^\/api(?=\/|$)/, apiPath)}`, {
      method,
      ...(body !== undefined && { body }),
      ...(type !== undefined && { headers: { 'content-type': type } }),
    });
    const text = await response.text();
    if (line === 'POST /api/orders/') order = String(JSON.parse(text).id);
    turns.push({
      line,
      status: response.status,
      type: response.headers.get('content-type'),
      allow: response.headers.get('allow'),
      location: response.headers.get('location'),
      length: response.headers.get('content-length'),
      options: response.headers.get('x-content-type-options'),
      text,
    });
  }
  return turns;
}

function steps(): Step[] {
  return [
    ...contract.map(({ method, example }) => json(`${method} ${example.url}`, example.body)),
    ...checkout(),
    ...pages(),
    ...refusals(),
  ];
}

/** The checkout of the next order of the default scenario, each step with another content type. */
function checkout(): Step[] {
  const names = { firstName: 'Zoë', lastName: 'Ó Briain' };
  const bracketed = formFields({ ...address, ...names });
  const paid = { ...card, cardholderName: 'Zoë Ó Briain' };
  const order = new URLSearchParams({ channel: '1', user: '3', currency: 'EUR' });
  const multipart = new FormData();
  for (const [name, value] of bracketed) multipart.append(name, value);
  const id = 'last';
  const line = checkoutOf(id);
  return [
    { line: 'POST /api/orders/', body: order },
    json(`POST /api/orders/${id}/items/`, { variant: 1, unitPrice: 1250, quantity: 2 }),
    { line, body: multipart },
    { line, body: new URLSearchParams(bracketed) },
    { line: `GET /api/checkouts/${id}` },
    json(line, { 'shipments[0][method]': 1 }),
    { line: `GET /api/checkouts/${id}` },
    { line, body: new URLSearchParams({ paymentMethod: '1' }) },
    json(line, paid),
    { line },
    json(line, { ...paid, number: declinedCard.number }),
    json(line, paid),
    { line: `GET /api/orders/${id}/` },
  ];
}

function pages(): Step[] {
  return [
    'GET /api/orders',
    'GET /api/orders/?page=2&limit=3',
    'GET /api/users/?criteria[query]=%C3%B3&sorting[email]=asc&page=2&limit=3',
    'GET /api/products/?criteria%5Bname%5D=tent&limit=2',
    'GET /api/payments/?page=99',
    'HEAD /api/users/1',
    'HEAD /api/orders/',
    'HEAD /api/users/?criteria[query]=%C3%B3',
    'HEAD /api/users/99999',
    'OPTIONS /api/users/',
  ].map((line) => ({ line }));
}

function refusals(): Step[] {
  return [
    { line: 'GET /api' },
    { line: 'GET /api/user/1' },
    { line: 'GET /api/users/99999' },
    { line: 'GET /api/users/?page=none' },
    { line: 'DELETE /api/shipments/' },
    json('PUT /api/payments/1', {}),
    json('POST /api/users/', {}),
    json('POST /api/users/', { firstName: 'A', unknown: '"href":"/api/x"' }),
    { line: 'POST /api/users/', body: '{"firstName":', type: 'application/json' },
    { line: 'POST /api/users/', body: latin1, type: 'application/json' },
    { line: 'POST /api/users/', body: '<user/>', type: 'application/xml' },
    { line: 'POST /api/users/', body: 'nothing', type: 'multipart/form-data' },
    { line: 'POST /api/users/', body: 'x'.repeat(1_048_577), type: 'application/json' },
  ];
}

/** JSON in ISO 8859-1: the byte E9 alone is no UTF-8. */
const latin1 = Uint8Array.from('{"firstName":"Ren\u00e9"}', (letter) => letter.charCodeAt(0));

function json(line: string, body: object | undefined): Step {
  if (body === undefined) return { line };
  return { line, body: JSON.stringify(body), type: 'application/json' };
}
