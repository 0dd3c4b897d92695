import type { ComponentChildren } from 'preact';
import type { OrderFact } from '../../explain/explanation.ts';
import { act } from '../../../engine/studio/store.ts';
import { Button } from '../../../engine/studio/ui.tsx';

/** Returns the button that adds the coupon of a fact to a cart. */
export function addCouponTo(order: number): (fact: OrderFact) => ComponentChildren {
  return ({ coupon }) =>
    coupon !== undefined && (
      <Button
        of={`to order ${order}`}
        onClick={() =>
          act(`Added ${coupon} to order ${order}`, `POST /_backlot/orders/${order}/coupons`, {
            coupon,
          })
        }
      >
        {`Add ${coupon}`}
      </Button>
    );
}
