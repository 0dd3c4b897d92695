import { cookies } from 'next/headers';
import { addToCart, takeStep } from './actions.js';
import { call } from './store.js';
import { Submit } from './submit.jsx';

const titles = {
  cart: 'Send it to me',
  addressing: 'Choose a delivery',
  shipping: 'Choose a payment',
  payment: 'Confirm',
  finalize: 'Pay',
};

const money = (amount) => `${(amount / 100).toFixed(2)} EUR`;

export default async function Shop({ searchParams }) {
  const { message } = await searchParams;
  const cart = (await cookies()).get('cart')?.value;
  const [order, products] = await Promise.all([
    cart && call('GET', `/orders/${cart}`),
    call('GET', '/products/?limit=4'),
  ]);
  return (
    <>
      <h1>Harbour Coffee</h1>
      {message && <p role="alert">{message}</p>}
      {products.ok ? (
        <form action={addToCart}>
          {products.body._embedded.items.map(({ id, name, masterVariant }) => (
            <p key={id}>
              {name}{' '}
              <Submit name="variant" value={`${masterVariant.id} 1200`}>
                Add for {money(1200)}
              </Submit>
            </p>
          ))}
        </form>
      ) : (
        <p role="alert">No products now: {products.body.message}</p>
      )}
      {order?.ok && <Cart order={order.body} />}
      {order?.ok === false && (
        <p role="alert">Your cart cannot be shown now: {order.body.message}</p>
      )}
    </>
  );
}

function Cart({ order }) {
  const payment = order.payments?.at(-1);
  const isPaid = payment?.state === 'completed';
  return (
    <section aria-label="Cart">
      <h2>Order {order.id}</h2>
      {order.items.map(({ id, quantity, variant }) => (
        <p key={id}>
          {quantity} × {variant.object.name}
        </p>
      ))}
      <p>Total {money(order.total)}</p>
      {payment?.state === 'failed' && <p role="alert">The card was declined.</p>}
      {isPaid ? (
        <p>Paid. Thank you.</p>
      ) : (
        <form action={takeStep}>
          <input type="hidden" name="order" value={order.id} />
          <input type="hidden" name="state" value={order.checkout_state} />
          {order.checkout_state === 'finalize' && (
            <>
              <input name="name" aria-label="Name on the card" defaultValue="Ada Novak" />
              <input name="number" aria-label="Card number" defaultValue="4111111111111111" />
            </>
          )}
          <Submit>{titles[order.checkout_state]}</Submit>
        </form>
      )}
    </section>
  );
}
