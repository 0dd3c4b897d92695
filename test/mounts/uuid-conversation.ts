import { address, card, checkoutOf, declinedCard } from '../support/checkout-steps.ts';

type Send = (path: string, init?: RequestInit) => Promise<Response>;

/** The checkout of README with UUIDs. Returns what is answered. */
export async function uuidConversation(to: Send): Promise<readonly string[]> {
  const told: string[] = [];
  // The tests know what each body is.
  // oxlint-disable-next-line typescript/no-explicit-any
  const tell = async (line: string, body?: object): Promise<any> => {
    const [method = 'GET', path = '/'] = line.split(' ');
    const response = await to(path, {
      method,
      ...(body && {
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    });
    const text = await response.text();
    told.push(`${response.status} ${response.headers.get('location')} ${text}`);
    return text === '' ? undefined : JSON.parse(text);
  };
  const users = await tell('GET /api/users/?limit=1&sorting[id]=asc');
  const user = users._embedded.items[0].id;
  const { id } = await tell('POST /api/orders/', { channel: 1, user, currency: 'EUR' });
  const cart = checkoutOf(id);
  await tell(`POST /api/orders/${id}/items/`, { variant: 1, unitPrice: 1250, quantity: 2 });
  await tell(cart, { shippingAddress: { ...address, country: 1 } });
  const [{ methods, shipment }] = await tell(`GET /api/checkouts/${id}`);
  await tell(cart, { shipments: [{ method: methods[0].id }] });
  await tell(cart, { paymentMethod: 1 });
  await tell(cart);
  await tell(cart, declinedCard);
  await tell(cart, card);
  await tell(`GET ${shipment._links.order.href}`);
  await tell(`GET /api/users/${user}/orders/`);
  await tell('GET /api/orders/1');
  await tell('POST /api/orders/', { channel: 1, user: 1, currency: 'EUR' });
  return told;
}
