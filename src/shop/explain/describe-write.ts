import type { Shop } from '../checkout/shop.ts';
import type { EngineShop, RecordWrite } from '../../engine/definition/api.ts';
import type { Row } from '../../engine/store/row.ts';
import type { Order, OrderItem } from '../models/order.ts';
import type { Payment } from '../models/payment.ts';
import type { Shipment } from '../models/shipment.ts';
import type { StockItem } from '../models/stock.ts';
import { storeShop } from '../resources/endpoint.ts';
import { money } from './words.ts';

/** Describes a write to a record of the store: `total 49.90 → 54.40`, `+ 2 × LT-HDL`, `DPD Next Day`. */
export function describeWrite(engine: EngineShop, write: RecordWrite): string | undefined {
  if (silent.has(write.table)) return '';
  const teller = Object.hasOwn(tellers, write.table) ? tellers[write.table] : undefined;
  return teller?.tell(storeShop(engine), write.before, write.after);
}

/** Tables whose changes follow from those of others. */
const silent = new Set(['adjustments', 'sequences', 'settlements', 'coupons', 'inventory_units']);

/** The rows of a table have the type of its records. */
interface Teller {
  tell(shop: Shop, before?: Row, after?: Row): string | undefined;
}

const tellers: Readonly<Record<string, Teller>> = {
  orders: {
    tell({ db }, before?: Order, after?: Order) {
      if (before === undefined || after === undefined) return undefined;
      const { shipping_address_id: to = 0 } = after;
      const address = before.shipping_address_id === to ? undefined : db.addresses.get(to);
      const country = db.countries.get(address?.country_id ?? 0)?.name;
      const isSame = before.total === after.total;
      return [
        ...(address === undefined
          ? []
          : [address.city, ...(country === undefined ? [] : [country])]),
        ...(isSame ? [] : [`total ${money(before.total)} → ${money(after.total)}`]),
      ].join(', ');
    },
  },
  order_items: {
    tell(shop, before?: OrderItem, after?: OrderItem) {
      const { variant_id: variant = 0, quantity = 0 } = after ?? before ?? {};
      const name = shop.db.variants.getWithDeleted(variant)?.sku ?? `variant ${variant}`;
      if (before === undefined) return `+ ${quantity} × ${name}`;
      if (after === undefined) return `− ${quantity} × ${name}`;
      return before.quantity === quantity ? '' : `${name} ${before.quantity} → ${quantity}`;
    },
  },
  shipments: {
    tell({ db }, before?: Shipment, after?: Shipment) {
      const method = after?.method_id ?? 0;
      if (before?.method_id === method) return '';
      return db.shippingMethods.getWithDeleted(method)?.name ?? '';
    },
  },
  payments: {
    tell({ db }, before?: Payment, after?: Payment) {
      const { method_id: method = 0, card } = after ?? {};
      const name = db.paymentMethods.getWithDeleted(method)?.name;
      return [
        ...(before?.method_id === method || name === undefined ? [] : [name]),
        ...(card === undefined || before?.card === card ? [] : [`card …${card}`]),
      ].join(', ');
    },
  },
  stock_items: {
    tell(_, before?: StockItem, after?: StockItem) {
      if (before === undefined || after === undefined) return undefined;
      return before.on_hand === after.on_hand ? '' : `on hand ${before.on_hand} → ${after.on_hand}`;
    },
  },
};
