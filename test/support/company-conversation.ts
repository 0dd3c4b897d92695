type Send = (path: string, init?: RequestInit) => Promise<Response>;

const send = (method: string, body: object): RequestInit => ({
  method,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

/** Sends requests to all that `company` adds, and to the control API. Returns what is answered. */
export async function conversation(to: Send): Promise<readonly string[]> {
  const told: string[] = [];
  const tell = async (path: string, init?: RequestInit): Promise<void> => {
    const response = await to(path, init);
    told.push(`${response.status} ${response.headers.get('location')} ${await response.text()}`);
  };
  await tell('/api/v1/users/1');
  await tell('/api/v1/users/1', send('PATCH', { loyaltyPoints: 1500 }));
  await tell('/api/v1/users/?criteria[loyaltyPoints]=1500&sorting[loyaltyPoints]=desc');
  await tell('/api/v1/users/1', send('PATCH', { loyaltyPoints: 'many', more: 1 }));
  await tell('/api/v1/wishlists/', send('POST', { name: 'S', user: 999, variants: 7 }));
  await tell('/api/v1/wishlists/', send('POST', { name: 'Summer', user: 2, variants: [7] }));
  await tell('/api/v1/wishlists/?sorting[name]=desc');
  await tell('/api/v1/wishlists/1/cart', send('POST', { channel: 1, currency: 'EUR' }));
  await tell('/api/v1/orders/121');
  await tell(
    '/_backlot/faults',
    send('POST', { match: { path: '/api/v1/wishlists/:id' }, first: 1, status: 503 }),
  );
  await tell('/api/v1/wishlists/2');
  await tell('/api/v1/users/2', { method: 'DELETE' });
  await tell('/api/v1/wishlists/2');
  await tell('/_backlot/reset', { method: 'POST' });
  await tell('/api/v1/wishlists/');
  return told;
}
