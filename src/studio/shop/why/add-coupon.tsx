import type { ComponentChildren } from 'preact';
import type { OrderFact } from '../../../shop/office/explanation.ts';
import { WriteButtons } from '../../ui.tsx';

/** Returns the button that adds the coupon of a fact to a cart. */
export function addCouponTo(order: number): (fact: OrderFact) => ComponentChildren {
  return ({ coupon }) =>
    coupon !== undefined && (
      <WriteButtons
        of={`to order ${order}`}
        writes={[
          [
            `Add ${coupon}`,
            `Added ${coupon} to order ${order}`,
            `POST /_backlot/orders/${order}/coupons`,
            { coupon },
          ],
        ]}
      />
    );
}
