import { listOrders } from '../../blocks/as-a-server-next-js-2.js';

export default async function Orders() {
  const { total } = await listOrders();
  return <p>{`orders: ${total}`}</p>;
}
