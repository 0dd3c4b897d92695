import type { Report } from './finding.ts';
import {
  belongsToOrder,
  checkLinks,
  itemLinks,
  paymentMethodLink,
  shipmentMethodLink,
} from './link-rules.ts';
import {
  canonical,
  orderParts,
  orderPayments,
  orderStates,
  paidShipments,
  stampsRule,
} from './order-rules.ts';
import { pageRule } from './page-rules.ts';
import type { Known, ViewCheck } from './rule.ts';
import type { Viewed } from './shape.ts';
import { itemTotals, orderTotals, taxDescription } from './total-rules.ts';

/** What the contract says of each view beyond its shape. */
const rules: Readonly<Record<string, readonly ViewCheck[]>> = {
  Page: [pageRule],
  Order: [orderTotals, orderStates, orderParts, orderPayments, paidShipments],
  OrderInCheckout: [orderTotals, orderStates, orderParts, orderPayments, paidShipments],
  OrderItem: [itemTotals, itemLinks],
  InventoryUnit: [belongsToOrder],
  Payment: [belongsToOrder, paymentMethodLink],
  Shipment: [belongsToOrder, shipmentMethodLink],
  Adjustment: [taxDescription],
  User: [canonical],
  UserInOrder: [canonical],
  PasswordResetting: [canonical],
};

/** Reports what is wrong with a view: its totals, links, states and times. */
export function checkView(viewed: Viewed, report: Report, known: Known): void {
  checkLinks(viewed, report, known);
  stampsRule(viewed, report);
  for (const rule of rules[viewed.view] ?? []) rule(viewed as Viewed<never>, report, known);
}
