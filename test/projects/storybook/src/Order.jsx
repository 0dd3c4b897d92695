import { useEffect, useState } from 'react';

/** Shows an order by its id. */
export function Order({ id }) {
  const [text, setText] = useState('Loading…');
  useEffect(() => {
    void (async () => {
      const response = await fetch(`/api/orders/${id}`);
      const { currency, checkout_state: state } = await response.json();
      setText(`${currency} order: ${state}`);
    })();
  }, [id]);
  return <output>{text}</output>;
}
