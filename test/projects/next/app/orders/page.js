import { cookies } from 'next/headers';

const store = process.env.STORE_URL ?? 'http://127.0.0.1:4000';

export default async function Orders() {
  const session = (await cookies()).get('backlot-session')?.value;
  const headers = session === undefined ? {} : { 'x-backlot-session': session };
  const response = await fetch(`${store}/api/orders/?limit=1`, { headers, cache: 'no-store' });
  const { total } = await response.json();
  return <p>{`orders: ${total}`}</p>;
}
