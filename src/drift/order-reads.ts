import type { Inspection } from './inspection.ts';
import { bodyPath } from './finding.ts';
import { listOf, type Item } from './pages.ts';

/** What the reads have found, for later requests. */
export interface Found {
  /** Items of the collections by resource: `orders`. */
  readonly items: Map<string, readonly Item[]>;
  /** Links to follow: each with the place where it was first found. */
  readonly links: Map<string, string>;
}

interface OrderItem extends Item {
  readonly checkout_state: string;
  readonly state: string;
  readonly items: readonly Item[];
}

/** The response to `GET /api/checkouts/:order_id` by checkout state. */
const proposals: Readonly<Record<string, string>> = {
  addressing: 'the shipping methods of each shipment',
  shipping: 'the payment methods',
};

/** Checks the items of an order, and the choices of its next step. */
export async function checkOrder(
  inspection: Inspection,
  listed: Item,
  found: Found,
): Promise<void> {
  const order = listed as OrderItem;
  const items = await inspection.get(`/api/orders/${order.id}/items/`);
  const ids = idsOf(items.json);
  const listedIds = idsOf(order.items);
  if (ids !== undefined && listedIds !== undefined && ids !== listedIds) {
    const request = { method: 'GET', url: `/api/orders/${order.id}/items/` };
    inspection.reporter(request)('value', 'body', 'the items of the order', ids);
  }
  collectLinks(items.json, `/api/orders/${order.id}/items/`, found);
  const request = { method: 'GET', url: `/api/checkouts/${order.id}` };
  const seen = await inspection.ask(request);
  collectLinks(seen.json, request.url, found);
  if (order.state === 'abandoned' || order.state === 'cart') {
    // A cart may expire between two requests.
    if (seen.status === 400) return;
    if (order.checkout_state === 'cart') {
      inspection.expectStatus(request, seen, 405, 'addressing comes first');
      return;
    }
    if (order.state === 'abandoned' && order.checkout_state !== 'payment') {
      inspection.expectStatus(request, seen, 400, 'the order is abandoned');
      return;
    }
  }
  if (!inspection.expectStatus(request, seen, 200, 'the choices of the next step, or the order'))
    return;
  const expected = proposals[order.checkout_state] ?? 'the order';
  const body = seen.json as Readonly<Record<string, unknown>> | undefined;
  const received = Array.isArray(body)
    ? proposals['addressing']
    : body?.['payment'] !== undefined
      ? proposals['shipping']
      : 'the order';
  if (received !== expected && body !== undefined) {
    inspection.reporter(request)(
      'transition',
      'body',
      `${expected} at ${order.checkout_state}`,
      received,
    );
  } else if (expected === 'the order' && body?.['id'] !== order.id) {
    inspection.reporter(request)('value', 'body.id', String(order.id), body?.['id']);
  }
}

/** The default order of orders. */
export const orderOfOrders = ['-updated_at', '-created_at', '-id'];

/** Checks that the orders of a user are those of no other user, in the order of all orders. */
export async function checkUserOrders(inspection: Inspection, { items }: Found): Promise<void> {
  if (!inspection.includes('/api/users')) return;
  const owners = new Set(items.get('orders')?.map(ownerOf));
  for (const id of [...owners].slice(0, 3)) {
    // Orders keep showing a deleted user.
    if ((await inspection.get(`/api/users/${id}`)).status !== 200) continue;
    const url = `/api/users/${id}/orders/`;
    const page = await listOf(inspection, url, orderOfOrders);
    const listed = page?._embedded.items.map(ownerOf) ?? [];
    const wrong = listed.findIndex((owner) => owner !== id);
    if (wrong === -1) continue;
    const place = bodyPath(['_embedded', 'items', wrong, 'user', 'id']);
    inspection.reporter({ method: 'GET', url })('value', place, String(id), listed[wrong]);
  }
}

function ownerOf(order: Item): number | undefined {
  return (order['user'] as Item | undefined)?.id;
}

/** `3,4`; undefined for a value that is no list. */
function idsOf(items: unknown): string | undefined {
  return Array.isArray(items) ? (items as Item[]).map(({ id }) => id).join() : undefined;
}

export function collectLinks(value: unknown, from: string, { links }: Found): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, inner] of Object.entries(value)) {
    if (name === 'href' && typeof inner === 'string') {
      if (!links.has(inner)) links.set(inner, from);
    } else collectLinks(inner, from, { links } as Found);
  }
}
