import type { ControlContext } from '../../engine/control/endpoint.ts';
import type { Endpoint } from '../../engine/rest/endpoint.ts';
import type { StoreOffice } from '../office/store-office.ts';

/** The context of control endpoints that only the store has. */
export interface StoreControlContext extends ControlContext {
  readonly office: () => StoreOffice;
}

/** Returns the id of a record for clients. */
export function shownId(shop: StoreOffice['shop'], table: string, id: number): string | number {
  return shop.api.ids?.of(shop, table, id) ?? id;
}

/** Infers the types of a row. */
export function endpoint<Path extends `/_backlot/${string}`, Query, Body, Subject, Answer>(
  row: Endpoint<StoreControlContext, Path, Query, Body, Subject, Answer>,
): Endpoint<StoreControlContext, Path, Query, Body, Subject, Answer> {
  return row;
}
