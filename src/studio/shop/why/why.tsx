import type {
  EntryExplanation,
  OrderExplanation,
  StockExplanation,
} from '../../../shop/office/explanation.ts';
import { entryText, orderText, stockText } from '../../../shop/explain/explanation-text.ts';
import { Disclosure } from '../../ui.tsx';
import type { ReasonsProps } from '../../why/reasons.ts';
import { EntryWhy } from '../../why/entry-why.tsx';
import { kind, whyOf } from '../../why/why.tsx';
import { formatMoney } from '../money.ts';
import { OrderWhy, Waterfall } from './order-why.tsx';
import { StockWhy } from './stock-why.tsx';

/** Explains totals, stock, states and entries. */
export const Why = whyOf({
  orders: kind<OrderExplanation>(OrderWhy, orderText),
  stock: kind<StockExplanation>(StockWhy, stockText),
  journal: kind<EntryExplanation>(
    ({ explanation }) => (
      <EntryWhy explanation={explanation}>
        <ChangedOrders explanation={explanation} />
      </EntryWhy>
    ),
    entryText,
  ),
});

/** Explains the totals of the orders that an entry changed, after it. */
function ChangedOrders({ explanation: { orders } }: ReasonsProps<EntryExplanation>) {
  return (
    <>
      {orders.map((order) => (
        <Disclosure
          key={order.order}
          title={`Order ${order.order} had ${formatMoney(order.total, order.currency)} after it`}
        >
          <Waterfall explanation={order} />
        </Disclosure>
      ))}
    </>
  );
}
