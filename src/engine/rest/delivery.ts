/** The state of the response to a request. */
export const deliveryStates = ['held', 'delayed', 'sent', 'dropped', 'client-left'] as const;
export type DeliveryState = (typeof deliveryStates)[number];

/** Whether the client received the response, or the closed connection, in this state. */
export function isDelivered(state: DeliveryState | undefined = 'sent'): boolean {
  return state === 'sent' || state === 'dropped';
}

/** A response as far as an entry has it. */
export interface DeliveredResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly connection?: 'drop';
}

/** Receives each later state of a response, and the response that was sent in its place, if it was another one. */
type Report = (state: DeliveryState, instead?: DeliveredResponse) => void;

/**
 * Tells a back office what has become of a response. Hosts that wait for delays and holds pass one with a request. The
 * first end counts, so a host may also say that a client has left after its response was sent.
 */
export class Delivery {
  /** Real time from the arrival of the request to its response in milliseconds, as the history has it. */
  ms: number | undefined;
  #report: Report | undefined;
  #last: DeliveryState = 'sent';

  /** Called by a back office that has recorded the request. @param last the state in which the response is sent */
  follow(report: Report, last: DeliveryState): void {
    this.#report = report;
    this.#last = last;
  }

  /** Notes that a response is no longer held, but delayed. */
  delay(): void {
    this.#report?.('delayed');
  }

  /** Notes that the response was sent. @param instead the one that was sent in its place */
  end(instead?: DeliveredResponse): void {
    this.#end(instead === undefined ? this.#last : 'sent', instead);
  }

  /** Notes that the client has disconnected, or has aborted the request. */
  leave(): void {
    this.#end('client-left');
  }

  #end(state: DeliveryState, instead?: DeliveredResponse): void {
    const report = this.#report;
    this.#report = undefined;
    report?.(state, instead);
  }
}
