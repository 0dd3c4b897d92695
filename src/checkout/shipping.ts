import type { Order } from '../models/order.ts';
import type { Shipment } from '../models/shipment.ts';
import type { ShippingMethod } from '../models/shipping-method.ts';
import type { FieldProblem } from '../lib/problem.ts';
import { replaceAdjustments, type Charge } from './adjustments.ts';
import { shippingCost } from './calculators.ts';
import { methodsFor, packagesOf, unitsOf, type Package } from './packages.ts';
import { invalidFields, notValid } from './refusal.ts';
import { factsOf, applyScript } from './script.ts';
import type { Shop } from './shop.ts';
import { rollBackTo } from './step-back.ts';
import { outOfTurn, assertStep } from './steps.ts';
import { placeOf, valuePromotions } from './valuation.ts';
import type { Place } from './zones.ts';

/** A shipment that an order will have, and the methods that can take it. */
export interface ShippingProposal {
  readonly shipment: { readonly state: 'checkout'; readonly created_at: string };
  readonly stock_location_id?: number | undefined;
  readonly methods: readonly ShippingMethod[];
}

interface Chosen {
  readonly parcel: Package;
  readonly method: ShippingMethod;
}

/**
 * One proposal for each shipment, in their order.
 *
 * @throws Problem `refused` before the order has an address
 */
export function proposeShipping(shop: Shop, order: Order): readonly ShippingProposal[] {
  const { db, clock } = shop;
  const place = requirePlace(shop, order);
  return packagesOf(db, order).map((parcel) => ({
    shipment: { state: 'checkout', created_at: clock.now() },
    stock_location_id: parcel.stock_location_id,
    methods: methodsFor(db, parcel, place),
  }));
}

/**
 * The second step: makes the shipments, charges for each, then works out promotions again.
 *
 * @param methods the method for each shipment, by its position from 0
 * @throws Problem `refused` for an order that awaits something else, `invalid` for a method that is missing or not
 *   offered, or by the script
 */
export function submitShipping(
  shop: Shop,
  order: Order,
  methods: ReadonlyMap<number, number>,
): Order {
  assertStep(shop, order, 'shipping');
  const { db } = shop;
  const place = requirePlace(shop, order);
  const chosen = choose(shop, order, place, methods);
  applyScript(shop, 'shipping', () => factsOf(shop, order));
  rollBackTo(shop, order, 'shipping');
  const charges = chosen.map(({ parcel, method }, position): Charge => {
    const shipment = storeShipment(shop, order, position, parcel, method);
    return { ...costOf(shop, parcel, method), shipment_id: shipment.id };
  });
  for (const { id } of db.shipments.by('order', order.id).slice(chosen.length)) {
    db.shipments.remove(id);
  }
  replaceAdjustments(db, order, 'shipping', charges);
  return valuePromotions(shop, order, place, { checkout_state: 'shipping' });
}

function choose(
  { db }: Shop,
  order: Order,
  place: Place,
  methods: ReadonlyMap<number, number>,
): Chosen[] {
  const parcels = packagesOf(db, order);
  const problems: FieldProblem[] = [];
  const chosen = parcels.flatMap((parcel, position): Chosen[] => {
    const id = methods.get(position);
    const method = methodsFor(db, parcel, place).find((one) => one.id === id);
    if (method !== undefined) return [{ parcel, method }];
    problems.push(wrongMethod(position, id === undefined ? selectMethod : notValid));
    return [];
  });
  for (const position of methods.keys()) {
    if (position >= parcels.length) problems.push(wrongMethod(position, notValid));
  }
  if (problems.length > 0) throw invalidFields(problems);
  return chosen;
}

const selectMethod = 'Please select shipping method.';

function wrongMethod(position: number, message: string): FieldProblem {
  return { path: ['shipments', String(position), 'method'], message };
}

/** A cart whose shipping is taken again keeps its records, with other contents. */
function storeShipment(
  { db }: Shop,
  order: Order,
  position: number,
  { stock_location_id, covered, others }: Package,
  { id: method_id }: ShippingMethod,
): Shipment {
  const fields = { method_id, stock_location_id, state: 'checkout' } as const;
  const known = db.shipments.by('order', order.id)[position];
  const shipment =
    known === undefined
      ? db.shipments.add({ ...fields, order_id: order.id })
      : db.shipments.change(known.id, fields);
  for (const { id } of covered) {
    db.inventoryUnits.change(id, { shipment_id: shipment.id, stock_location_id });
  }
  for (const { id } of others) {
    db.inventoryUnits.change(id, { shipment_id: shipment.id, stock_location_id: undefined });
  }
  return shipment;
}

function costOf({ db }: Shop, parcel: Package, method: ShippingMethod): Charge {
  const { name: description, calculator, configuration } = method;
  const units = unitsOf(parcel).map(
    ({ variant_id }) => db.variants.getWithDeleted(variant_id) ?? {},
  );
  return { description, amount: shippingCost(calculator, configuration, units), neutral: false };
}

function requirePlace(shop: Shop, order: Order): Place {
  const place = placeOf(shop, order);
  if (place === undefined) throw outOfTurn(shop, order, 'shipping');
  return place;
}
