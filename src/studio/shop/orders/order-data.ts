import type { OrderPastView, OrderView } from '../../../shop/control/order-view.ts';
import type { OrderExplanation } from '../../../shop/office/explanation.ts';
import type { NextView } from '../../../shop/control/progress.ts';
import type { MachineView, StepView } from '../../../engine/control/endpoints/machines.ts';
import { namesOrder } from './names-order.ts';
import type { Tables } from '../../rewind-effects.ts';
import { messageOf } from '../../reply-message.ts';
import type { Summary } from '../../source.ts';
import { useAsync } from '../../ui.tsx';
import { useStudio, type Studio } from '../../studio.ts';

/** A step of the checkout. */
type CheckoutStep = StepView & { readonly from: string };

/** The next step of an order. */
export type Next = Partial<NextView>;

/** An entry that changed an order or a record of it, with the names of all records that it changed. */
export type ChangingEntry = OrderView['entries'][number];

/** All that the page of an order shows. */
export interface OrderData extends Pick<
  OrderView,
  'order' | 'now' | 'changesFrom' | 'moves' | 'names' | 'transitions' | 'entries'
> {
  readonly id: number;
  readonly tables: Tables;
  /** Why its total is what it is. */
  readonly why: OrderExplanation | undefined;
  readonly next: Next;
  readonly machines: readonly MachineView[];
  /** The steps of the checkout. */
  readonly steps: readonly CheckoutStep[];
  /** The entries that changed the order or a record of it, or that name it, oldest first. */
  readonly touched: readonly Summary[];
}

/**
 * Loads an order again when the shop has changed. The former content is shown until then.
 *
 * @returns what the server says if it does not show the order
 */
export function useOrder(id: number): OrderData | string | undefined {
  const studio = useStudio();
  const data = useAsync(() => loadOrder(studio, id), [id, studio.shop.revision.value]);
  return typeof data === 'object' && data.id !== id ? undefined : data;
}

async function loadOrder(studio: Studio, id: number): Promise<OrderData | string> {
  const [reply, machines, steps] = await Promise.all([
    studio.client.call<OrderView>(`GET /_backlot/orders/${id}/view`),
    studio.client.loadMachines(),
    studio.client.loadSteps(),
  ]);
  if (reply.status >= 400) return messageOf(reply);
  const view = reply.body;
  const known = view.names[`orders/${id}`] ?? id;
  const named = studio.history.summaries.value.filter(({ title }) => namesOrder(title, known));
  const byId = new Map([...named, ...view.entries].map((entry) => [entry.id, entry]));
  return {
    ...view,
    id,
    tables: tablesOf(view),
    machines,
    steps: steps.filter((step): step is CheckoutStep => step.from !== undefined),
    touched: [...byId.values()].toSorted((one, other) => one.id - other.id),
  };
}

/** Returns the possible transitions of a record, undefined if they are not loaded. */
export function possibleOf({ transitions }: OrderData, machine: string, id: number) {
  return transitions.find((one) => one.machine === machine && one.id === id)?.possible;
}

function tablesOf({ order, tables }: OrderPastView): Tables {
  return new Map([['orders', [order]], ...Object.entries(tables)]);
}

/**
 * Returns an order as it was, or will be, at the previewed position of the time line, or what the server says if it was not
 * there or the state is not kept.
 */
export function useShown(data: OrderData): OrderData | string {
  const studio = useStudio();
  const at = studio.preview.entry;
  const { id } = data;
  const past = useAsync(async () => {
    if (at === undefined) return undefined;
    const [reply, why] = await Promise.all([
      studio.client.call<OrderPastView>(`GET /_backlot/orders/${id}?at=${at}`),
      studio.client.bodyOf<OrderExplanation>(`GET /_backlot/orders/${id}/why?at=${at}`),
    ]);
    return reply.status < 400 ? { ...reply.body, why } : messageOf(reply);
  }, [id, at]);
  if (at === undefined || past === undefined) return data;
  if (typeof past === 'string') return past;
  return { ...data, ...past, tables: tablesOf(past), transitions: [], next: {} };
}
