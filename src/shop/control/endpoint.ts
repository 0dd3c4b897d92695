import {
  completeRow,
  type ControlContext,
  type ControlRow,
} from '../../engine/control/endpoint.ts';
import type { EndpointRow } from '../../engine/rest/endpoint.ts';
import type { StoreOffice } from '../office/store-office.ts';

/** The context of control endpoints that only the store has. */
export interface StoreControlContext extends ControlContext {
  readonly office: () => StoreOffice;
}

/** Returns the id of a record for clients. */
export function shownId(shop: StoreOffice['shop'], table: string, id: number): string | number {
  return shop.api.ids?.of(shop, table, id) ?? id;
}

/** Returns a control endpoint of the store, as `endpoint` of the engine does. */
export function endpoint<Path extends `/_backlot/${string}`, Query, Body, Subject, Answer = void>(
  row: ControlRow<StoreControlContext, Path, Query, Body, Subject, Answer>,
): EndpointRow<StoreControlContext> {
  return completeRow(row);
}
