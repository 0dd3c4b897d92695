export interface Init {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}
type Id = number | string;
interface Wishlists {
  readonly _embedded: { readonly items: readonly { readonly id: Id; readonly user: Id }[] };
}
type Send = (path: string, init?: Init) => Promise<Response>;

const put = (body: object): Init => ({
  method: 'PUT',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});
const card = { type: 'visa', cardholderName: 'Ada Novak', number: '4242424242424242' };
const payment = { ...card, securityCode: '123', expiryMonth: 12, expiryYear: 2030 };
const shippingAddress = {
  ...{ firstName: 'Ada', lastName: 'Novak', street: 'Long Lane 4' },
  ...{ city: 'Cork', postcode: 'T12 VY4N', country: 2 },
};

/** A customer buys a wishlist, gift-wrapped. Returns all that is answered. */
export async function conversation(send: Send): Promise<string> {
  const told: string[] = [];
  const tell = async (path: string, init?: Init): Promise<string> => {
    const response = await send(path, init);
    const text = await response.text();
    told.push(`${path} ${response.status} ${response.headers.get('location')} ${text}`);
    return text;
  };
  const {
    _embedded: {
      items: [wishlist],
    },
  } = JSON.parse(await tell('/api/v1/wishlists/')) as Wishlists;
  if (wishlist === undefined) throw new Error('no wishlist');
  await tell('/api/v1/wishlists/', { ...put({ name: 'S', user: 999 }), method: 'POST' });
  const cart = { ...put({ channel: 1, currency: 'EUR' }), method: 'POST' };
  const path = `/api/v1/wishlists/${wishlist.id}/cart`;
  const order = JSON.parse(await tell(path, cart)) as { readonly id: Id };
  const checkout = `/api/v1/checkouts/${order.id}`;
  await tell(checkout, put({ shippingAddress }));
  const proposals = JSON.parse(await tell(checkout)) as { methods: { id: number }[] }[];
  const shipments = proposals.map(({ methods: [method] }) => ({ method: method?.id }));
  await tell(checkout, put({ shipments: { ...shipments } }));
  await tell(checkout, put({ giftWrap: 'perhaps' }));
  await tell(checkout, put({ giftWrap: true }));
  await tell(checkout, put({ paymentMethod: 1 }));
  await tell(checkout, put({}));
  await tell(checkout, put(payment));
  await tell(checkout, put({ ...payment, confirmed: true }));
  await tell(`/api/v1/users/${wishlist.user}`);
  await tell('/api/v1/users/?criteria[loyaltyPoints]=0&limit=1&sorting[loyaltyPoints]=desc');
  return told.join('\n');
}
