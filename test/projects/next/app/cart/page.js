import { AddItem } from '../../blocks/as-a-server-next-js.jsx';
import { loadCart } from '../../blocks/as-a-server-next-js-2.js';

export default async function Cart() {
  const { total } = await loadCart();
  return (
    <>
      <p>{`total: ${total}`}</p>
      <AddItem />
    </>
  );
}
