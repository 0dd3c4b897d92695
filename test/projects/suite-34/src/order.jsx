import { useEffect, useState } from 'react';
import { call } from './api.js';
import { day, money } from './format.js';

const steps = {
  cart: { title: 'Send it', bodyOf: (values) => ({ shippingAddress: values }) },
  shipping: { title: 'Choose a payment', bodyOf: () => ({ paymentMethod: 1 }) },
  payment: { title: 'Confirm', bodyOf: () => ({}) },
};

/** An order, and the next step of its checkout. */
export function Order({ id }) {
  const [order, setOrder] = useState();
  const [error, setError] = useState();
  const [isBusy, setBusy] = useState(false);
  const read = () => call(`/orders/${id}`).then(setOrder, setError);
  useEffect(() => void read(), [id]);
  if (!order) return error ? <p role="alert">{error.message}</p> : <p>Loading …</p>;
  const step = steps[order.checkout_state];
  const submit = async (event) => {
    event.preventDefault();
    const values = Object.fromEntries(new FormData(event.currentTarget));
    setError(undefined);
    setBusy(true);
    await call(`/checkouts/${id}`, 'PUT', step.bodyOf(values)).catch(setError);
    await read();
    setBusy(false);
  };
  const messages = Object.values(error?.fields ?? {});
  const payment = order.payments?.at(-1);
  return (
    <article>
      <h1>Order {order.number ?? id}</h1>
      <p>State: {order.state}</p>
      <p>Step: {order.checkout_state}</p>
      <p>Total: {money(order.total, order.currency)}</p>
      <p>Since {day(order.created_at)}</p>
      <p>For {order.email}</p>
      {payment && <p>Payment: {payment.state}</p>}
      <ul>
        {order.items.map(({ id: item, quantity, unit_price: price, total, variant }) => (
          <li key={item}>
            <b>{variant.object.name}</b> <i>{variant.sku}</i> <span>{quantity} pieces</span>{' '}
            <span>{money(price, order.currency)} each</span>{' '}
            <span>{money(total, order.currency)}</span>
          </li>
        ))}
      </ul>
      {error && messages.length === 0 && <p role="alert">{error.message}</p>}
      {messages.map((text) => (
        <p role="alert" key={text}>
          {text}
        </p>
      ))}
      {step && (
        <form onSubmit={submit}>
          {order.checkout_state === 'cart' && <input name="firstName" aria-label="First name" />}
          <button disabled={isBusy}>{step.title}</button>
        </form>
      )}
    </article>
  );
}
