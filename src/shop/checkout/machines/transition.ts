import { factsOf, applyScript } from '../script.ts';
import { refusedProblem } from '../../../engine/lib/problem.ts';
import type { Shop } from '../shop.ts';
import { inventoryUnitMachine } from './inventory-unit.ts';
import type { Cascade, Machine, MachineName, ListedTransition } from './machine.ts';
import { orderMachine } from './order.ts';
import { paymentMachine } from './payment.ts';
import { shipmentMachine } from './shipment.ts';

export type { MachineName, ListedTransition, TransitionNames } from './machine.ts';

/** Every state machine of the shop. */
export const machines: Readonly<Record<MachineName, Machine>> = {
  order: orderMachine,
  payment: paymentMachine,
  shipment: shipmentMachine,
  inventory_unit: inventoryUnitMachine,
};

/**
 * Applies a transition as a client of the back office: `transition(shop, 'shipment', 4, 'ship')`. A rule of
 * the script `on` `shipment.ship` may reject it.
 *
 * @throws Problem `refused` with the reason, `missing` for an unknown record, `invalid` for an unknown transition
 */
export function transition(shop: Shop, machine: MachineName, id: number, name: string): void {
  const reason = machines[machine].blockedBy(shop, id, name);
  if (reason !== undefined) throw refusedProblem(reason);
  applyScript(shop, `${machine}.${name}`, () => {
    const order = shop.db.orders.getWithDeleted(machines[machine].orderOf(shop, id));
    return order === undefined ? {} : factsOf(shop, order);
  });
  advance(shop, machine, id, name);
}

/** Applies a transition without the script, for steps of the checkout and for due events. */
export function advance(shop: Shop, machine: MachineName, id: number, name: string): void {
  machines[machine].move(shop, id, name, cascadeOf(shop));
}

/** Returns all transitions of a record, with the reason for those that are not possible. */
export function listTransitions(shop: Shop, machine: MachineName, id: number): ListedTransition[] {
  return machines[machine].listTransitions(shop, id);
}

export function cascadeOf(shop: Shop): Cascade {
  const cascade: Cascade = (name, records, transitionName) => {
    const machine = machines[name];
    for (const { id } of records) machine.moveIfPossible(shop, id, transitionName, cascade);
  };
  return cascade;
}
