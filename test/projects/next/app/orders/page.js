import { forwardSession } from 'backlot/session';
import { headers } from 'next/headers';

const store = process.env.STORE_URL ?? 'http://127.0.0.1:4000';

export default async function Orders() {
  const response = await fetch(`${store}/api/orders/?limit=1`, {
    headers: forwardSession(await headers()),
    cache: 'no-store',
  });
  const { total } = await response.json();
  return <p>{`orders: ${total}`}</p>;
}
