import type { InventoryUnit, Order } from '../models/order.ts';
import type { Shipment, ShippingMethod } from '../models/shipment.ts';
import {
  invalidFields,
  notValid,
  refusedProblem,
  type FieldIssue,
} from '../../engine/lib/problem.ts';
import { replaceAdjustments, type Charge } from './order-rows.ts';
import { costOf, shippingTerms, type Term } from './calculators.ts';
import { methodsFor, packagesOf, unitsOf, type Package, type Place } from './packages.ts';
import type { Shop } from './shop.ts';
import { wrongStep, type Step } from './step.ts';
import { shippingAddressOf, recalculate } from './totals.ts';

/** A shipment that the order would have, and the methods that can deliver it. */
export interface ShippingProposal {
  readonly shipment: { readonly state: 'checkout'; readonly created_at: string };
  readonly stock_location_id?: number | undefined;
  readonly methods: readonly ShippingMethod[];
}

interface ChosenMethod {
  readonly parcel: Package;
  readonly method: ShippingMethod;
}

/**
 * Returns a proposal for each shipment, in order.
 *
 * @throws Problem `refused` before the order has an address
 */
export function proposeShipping(shop: Shop, order: Order): readonly ShippingProposal[] {
  const { db, clock } = shop;
  const place = assertShippingAddress(shop, order);
  return packagesOf(db, order).map((parcel) => ({
    shipment: { state: 'checkout', created_at: clock.now() },
    stock_location_id: parcel.stock_location_id,
    methods: methodsFor(db, parcel, place),
  }));
}

/** The second step: stores the shipments and their charges, then applies promotions again. */
export const shippingStep: Step<ReadonlyMap<number, number>, ChosenMethod[]> = {
  prepare: (shop, order, methods) =>
    chooseMethods(shop, order, assertShippingAddress(shop, order), methods),
  submit(shop, order, chosen) {
    const { db } = shop;
    const charges = chosen.map(({ parcel, method }, position): Charge => {
      const shipment = storeShipment(shop, order, position, parcel, method);
      return { ...shippingOf(shop, unitsOf(parcel), method), shipment_id: shipment.id };
    });
    for (const { id } of db.shipments.by('order', order.id).slice(chosen.length)) {
      db.shipments.remove(id);
    }
    const calculated = { shipping: charges, promotions: true };
    return recalculate(shop, order, calculated, { checkout_state: 'shipping' });
  },
  undo({ db }, order) {
    replaceAdjustments(db, order, 'shipping', []);
    for (const { id } of db.shipments.by('order', order.id)) db.shipments.remove(id);
    for (const { id } of db.inventoryUnits.by('order', order.id)) {
      db.inventoryUnits.change(id, { shipment_id: undefined, stock_location_id: undefined });
    }
  },
  defaultInput(shop, order) {
    const offered = proposeShipping(shop, order).map(({ methods: [method] }) => method?.id);
    return new Map(
      offered.map((id, position) => {
        if (id !== undefined) return [position, id];
        throw refusedProblem('No shipping method reaches this address.');
      }),
    );
  },
};

function chooseMethods(
  { db }: Shop,
  order: Order,
  place: Place,
  methods: ReadonlyMap<number, number>,
): ChosenMethod[] {
  const parcels = packagesOf(db, order);
  const issues: FieldIssue[] = [];
  const chosen = parcels.flatMap((parcel, position): ChosenMethod[] => {
    const id = methods.get(position);
    const method = methodsFor(db, parcel, place).find((one) => one.id === id);
    if (method !== undefined) return [{ parcel, method }];
    issues.push(wrongMethod(position, id === undefined ? selectMethodMessage : notValid));
    return [];
  });
  for (const position of methods.keys()) {
    if (position >= parcels.length) issues.push(wrongMethod(position, notValid));
  }
  if (issues.length > 0) throw invalidFields(issues);
  return chosen;
}

const selectMethodMessage = 'Please select shipping method.';

function wrongMethod(position: number, message: string): FieldIssue {
  return { path: ['shipments', String(position), 'method'], message };
}

/** Repeated shipping reuses the shipment rows of the cart. */
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

/** The charge for a shipment: the sum of its terms. */
export interface ShippingLine extends Charge {
  readonly terms: readonly Term[];
}

/** Returns the charge for a shipment of these units. */
export function shippingOf(
  { db }: Shop,
  units: readonly InventoryUnit[],
  { name: description, calculator, configuration }: ShippingMethod,
): ShippingLine {
  const measured = units.map(({ variant_id }) => db.variants.getWithDeleted(variant_id) ?? {});
  const terms = shippingTerms(calculator, configuration, measured);
  return { description, amount: costOf(terms), neutral: false, terms };
}

function assertShippingAddress(shop: Shop, order: Order): Place {
  const place = shippingAddressOf(shop, order);
  if (place === undefined) throw wrongStep(shop, order, 'shipping');
  return place;
}
