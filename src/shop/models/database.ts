import { addresses, tokens, users } from './user.ts';
import { adjustments, inventoryUnits, orders, orderItems, sequences } from './order.ts';
import {
  channels,
  countries,
  currencies,
  locales,
  provinces,
  shippingCategories,
  taxCategories,
  taxRates,
  taxons,
  zones,
} from './lookups.ts';
import { coupons, promotions } from './promotion.ts';
import { defineFaultRules } from '../../engine/faults/fault-rule.ts';
import { payments, settlements, paymentMethods } from './payment.ts';
import { products, variants } from './product.ts';
import { scriptRules, ScriptStep } from './script-rule.ts';
import { shipments, shippingMethods } from './shipment.ts';
import { stockItems, stockLocations } from './stock.ts';
import type { CollectionsOf, DatabaseOf } from '../../engine/store/database.ts';

/** The tables of a back office. A new one needs one line here. */
export const definitions = {
  addresses,
  adjustments,
  channels,
  countries,
  coupons,
  currencies,
  faultRules: defineFaultRules(ScriptStep),
  inventoryUnits,
  locales,
  orderItems,
  orders,
  paymentMethods,
  payments,
  products,
  promotions,
  provinces,
  scriptRules,
  sequences,
  settlements,
  shipments,
  shippingCategories,
  shippingMethods,
  stockItems,
  stockLocations,
  taxCategories,
  taxRates,
  taxons,
  tokens,
  users,
  variants,
  zones,
};

export type TableName = keyof typeof definitions;

/** The tables of one shop: `db.orders.get(3)`. */
export type Database = DatabaseOf<typeof definitions>;

/** The same tables, each as a collection of @msw/data: `office.db.orders`. */
export type Collections = CollectionsOf<typeof definitions>;
