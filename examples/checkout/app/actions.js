'use server';

import { cookies } from 'next/headers';
import { redirect } from 'next/navigation';
import { call } from './store.js';

export async function addToCart(form) {
  const jar = await cookies();
  let order = jar.get('cart')?.value;
  if (order === undefined) {
    const cart = await call('POST', '/orders/', { channel: 1, user: 3, currency: 'EUR' });
    if (!cart.ok) done(cart);
    order = String(cart.body.id);
    jar.set('cart', order);
  }
  const [variant, unitPrice] = form.get('variant').split(' ').map(Number);
  const added = await call('POST', `/orders/${order}/items/`, { variant, unitPrice, quantity: 1 });
  done(added);
}

const address = {
  firstName: 'Ada',
  lastName: 'Novak',
  street: 'Quay Street 4',
  postcode: 'H91 X2Y3',
  city: 'Galway',
  country: 1,
};

/** What each step sends, by the state that it begins in. */
const bodies = {
  cart: () => ({ shippingAddress: address }),
  addressing: () => ({ shipments: { 0: { method: 1 } } }),
  shipping: () => ({ paymentMethod: 1 }),
  payment: () => ({}),
  finalize: (form) => ({
    type: 'visa',
    cardholderName: form.get('name'),
    number: form.get('number'),
    securityCode: '123',
    expiryMonth: 12,
    expiryYear: 2030,
  }),
};

export async function takeStep(form) {
  const body = bodies[form.get('state')](form);
  done(await call('PUT', `/checkouts/${form.get('order')}`, body));
}

/**
 * Shows the page again, with what went wrong. It reads the order anew: the store may have done what it could not answer.
 */
function done({ ok, body }) {
  const [field] = JSON.stringify(body.errors ?? {}).match(/(?<="errors":\[")[^"]+/) ?? [];
  redirect(ok ? '/' : `/?message=${encodeURIComponent(field ?? body.message)}`);
}
