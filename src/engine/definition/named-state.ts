import type { NextRequest } from './explanation.ts';

/** A state in which a shop can be opened by its name, besides its scenarios. */
export interface NamedState<Shop> {
  /** `order.awaiting-payment`, `payment.unknown`. */
  readonly name: string;
  /** One sentence. */
  readonly about: string;
  /** JavaScript that opens it, for a back office `office`. */
  readonly line: string;
  /** Adds a record in this state to a back office. @throws Problem if the shop lacks what it needs */
  open(office: { readonly shop: Shop }): OpenedRecord;
}

/** The record that was added to a shop, and what it awaits. */
export interface OpenedRecord {
  /** What it is: `order`. */
  readonly record: string;
  /** The id that clients know. */
  readonly id: number | string;
  /** The record of it that is in the state, if it is not itself: the payment of an order. */
  readonly part?: { readonly record: string; readonly id: number | string } | undefined;
  /** Its address in the API, without that of the server: `/api/orders/121/`. */
  readonly url: string;
  /** The next step, if it awaits one. */
  readonly awaits?: string | undefined;
  /** The request that submits the step, or else applies the first transition that is possible. */
  readonly next?: NextRequest | undefined;
  /** Whether the API requires an access token for it. */
  readonly needsToken?: true | undefined;
}
