import { Form, TextField, useText } from '../../form.tsx';
import type { OrderData } from './order-data.ts';
import { WriteButtons } from '../../ui.tsx';
import { useStudio } from '../../studio.ts';

/** The coupons of a cart, which has more and fewer of them here. Those of an order that was placed stay. */
export function Coupons({ data: { id, order, names } }: { readonly data: OrderData }) {
  const studio = useStudio();
  const coupon = useText();
  const ids = Array.isArray(order['coupon_ids']) ? order['coupon_ids'] : [];
  const codes = ids.map((one) => names[`coupons/${String(one)}`] ?? String(one));
  const path = `/_backlot/orders/${id}/coupons`;
  const isCart = order['state'] === 'cart' && studio.preview.shown.value === undefined;
  if (!isCart && codes.length === 0) return null;
  const add = async () => {
    const code = coupon.value.trim();
    const reply = await studio.actions.act(`Added ${code} to order ${id}`, `POST ${path}`, {
      coupon: code,
    });
    if (reply !== undefined) coupon.onValue('');
  };
  return (
    <div class="coupons">
      {codes.map((code) => (
        <p key={code} class="row">
          <span class="grow">
            Coupon <code>{code}</code>
          </span>
          {isCart && (
            <WriteButtons
              of={`the coupon ${code}`}
              writes={[
                [
                  'Remove',
                  `Removed ${code} from order ${id}`,
                  `DELETE ${path}/${encodeURIComponent(code)}`,
                ],
              ]}
            />
          )}
        </p>
      ))}
      {isCart && (
        <Form label="Add a coupon" submit="Add" of={`coupon to order ${id}`} onSubmit={add}>
          <TextField label="Coupon" isPlain hint="Code of a coupon" {...coupon} required />
        </Form>
      )}
    </div>
  );
}
