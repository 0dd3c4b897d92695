import { useState } from 'preact/hooks';
import { Form, TextField } from '../../../engine/studio/form.tsx';
import type { OrderData } from './order-data.ts';
import { preview } from '../../../engine/studio/past.ts';
import { act } from '../../../engine/studio/store.ts';
import { Button } from '../../../engine/studio/ui.tsx';

/** The coupons of a cart, which has more and fewer of them here. Those of an order that was placed stay. */
export function Coupons({ data: { id, order, names } }: { readonly data: OrderData }) {
  const [coupon, setCoupon] = useState('');
  const ids = Array.isArray(order['coupon_ids']) ? order['coupon_ids'] : [];
  const codes = ids.map((one) => names[`coupons/${String(one)}`] ?? String(one));
  const path = `/_backlot/orders/${id}/coupons`;
  const isCart = order['state'] === 'cart' && preview.value === undefined;
  if (!isCart && codes.length === 0) return null;
  const add = async () => {
    const line = `POST ${path}`;
    const reply = await act(`Added ${coupon} to order ${id}`, line, { coupon: coupon.trim() });
    if (reply !== undefined) setCoupon('');
  };
  return (
    <div class="coupons">
      {codes.map((code) => (
        <p key={code} class="row">
          <span class="grow">
            Coupon <code>{code}</code>
          </span>
          {isCart && (
            <Button
              of={`the coupon ${code}`}
              onClick={() =>
                act(
                  `Removed ${code} from order ${id}`,
                  `DELETE ${path}/${encodeURIComponent(code)}`,
                )
              }
            >
              Remove
            </Button>
          )}
        </p>
      ))}
      {isCart && (
        <Form label="Add a coupon" submit="Add" of={`coupon to order ${id}`} onSubmit={add}>
          <TextField
            label="Coupon"
            isPlain
            hint="Code of a coupon"
            value={coupon}
            onValue={setCoupon}
            isRequired
          />
        </Form>
      )}
    </div>
  );
}
