import { useEffect, useState, type FormEvent } from 'react';
import { ApiError, call, type Order } from './api.ts';
import { money } from './orders.tsx';
import { proposed, steps } from './steps.ts';

export function OrderPage({ id, onError }: { id: number; onError?: (error: unknown) => void }) {
  const [order, setOrder] = useState<Order>();
  const [error, setError] = useState<ApiError>();
  const [isBusy, setBusy] = useState(false);
  const path = { order_id: id };
  const fail = (caught: unknown) => {
    if (!(caught instanceof ApiError)) throw caught;
    setError(caught);
    onError?.(caught);
  };
  useEffect(() => {
    call('GET /api/orders/:order_id', { path }).then(setOrder, fail);
  }, [id]);
  if (!order) return error ? <p role="alert">{error.message}</p> : <p>Loading …</p>;

  const step = steps[order.checkout_state];
  const isOpen = step && !['abandoned', 'cancelled'].includes(order.state);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const values = Object.fromEntries(new FormData(event.currentTarget)) as Record<string, string>;
    setError(undefined);
    setBusy(true);
    await call('PUT /api/checkouts/:order_id', { path, body: step!.bodyOf(values) }).catch(fail);
    // After a failure, too: the server may have done what it could not answer.
    await call('GET /api/orders/:order_id', { path }).then(setOrder, fail);
    setBusy(false);
  };

  const payment = order.payments?.at(-1);
  return (
    <>
      <a href="#/">Orders</a>
      <h1>Order {id}</h1>
      <p>
        {order.state} · {money(order.total, order.currency)}
        {payment && ` · payment ${payment.state}`}
      </p>
      <ul>
        {order.items.map(({ id: item, quantity, total, variant }) => (
          <li key={item}>
            {quantity} × {variant.object?.name} {money(total, order.currency)}
          </li>
        ))}
      </ul>
      {error && Object.keys(error.fields).length === 0 && <p role="alert">{error.message}</p>}
      {isOpen && payment?.state !== 'completed' && (
        <form onSubmit={submit} key={step.title}>
          <h2>{step.title}</h2>
          {Object.entries(step.fields).map(([name, label]) => (
            <label key={name}>
              {label} <input name={name} defaultValue={proposed[name]} />
              {error?.fields[name] && <span role="alert">{error.fields[name]}</span>}
            </label>
          ))}
          <button disabled={isBusy}>{step.title}</button>
          {payment?.state === 'failed' && !error && <p role="alert">The card was declined.</p>}
        </form>
      )}
    </>
  );
}
