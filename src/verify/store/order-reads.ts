import type { ReadResults, Item, ServerCheck } from '../../engine/definition/drift.ts';
import { bodyPath, shown } from '../drift/finding.ts';
import { valueAt } from '../../engine/lib/json-value.ts';
import { collectLinks } from '../drift/link-reads.ts';
import { itemsIn, listOf } from '../drift/pages.ts';

/** The response to `GET /api/checkouts/:order_id` by checkout state. */
const proposals: Readonly<Record<string, string>> = {
  addressing: 'the shipping methods of each shipment',
  shipping: 'the payment methods',
};

/** Checks the items of an order, and the choices of its next step. */
export async function checkOrder(
  check: ServerCheck,
  listed: Item,
  found: ReadResults,
): Promise<void> {
  const { id, items: listedItems, state, checkout_state: step } = listed;
  const items = await check.get(`/api/orders/${id}/items/`);
  const ids = idsOf(items.json);
  const listedIds = idsOf(listedItems);
  if (ids !== undefined && listedIds !== undefined && ids !== listedIds) {
    const request = { method: 'GET', url: `/api/orders/${id}/items/` };
    check.reporter(request)('value', 'body', 'the items of the order', ids);
  }
  collectLinks(items.json, `/api/orders/${id}/items/`, found);
  const request = { method: 'GET', url: `/api/checkouts/${id}` };
  const seen = await check.ask(request);
  collectLinks(seen.json, request.url, found);
  if (state === 'abandoned' || state === 'cart') {
    // A cart may expire between two requests.
    if (seen.status === 400) return;
    if (step === 'cart') {
      check.expectStatus(request, seen, 405, 'addressing comes first');
      return;
    }
    if (state === 'abandoned' && step !== 'payment') {
      check.expectStatus(request, seen, 400, 'the order is abandoned');
      return;
    }
  }
  if (!check.expectStatus(request, seen, 200, 'the choices of the next step, or the order')) return;
  const expected = (typeof step === 'string' ? proposals[step] : undefined) ?? 'the order';
  const { json } = seen;
  const other = valueAt(json, ['payment']) === undefined ? 'the order' : proposals['shipping'];
  const received = Array.isArray(json) ? proposals['addressing'] : other;
  const shownId = valueAt(json, ['id']);
  if (received !== expected && json !== undefined && json !== null) {
    check.reporter(request)('transition', 'body', `${expected} at ${shown(step)}`, received);
  } else if (expected === 'the order' && shownId !== id) {
    check.reporter(request)('value', 'body.id', String(id), shownId);
  }
}

/** The default order of orders. */
export const orderOfOrders = ['-updated_at', '-created_at', '-id'];

/** Checks that the orders of a user are those of no other user, in the order of all orders. */
export async function checkUserOrders(check: ServerCheck, { items }: ReadResults): Promise<void> {
  if (!check.includes('/api/users')) return;
  const owners = new Set(items.get('orders')?.map(ownerOf));
  for (const id of [...owners].slice(0, 3)) {
    // Orders keep showing a deleted user.
    if ((await check.get(`/api/users/${id}`)).status !== 200) continue;
    const url = `/api/users/${id}/orders/`;
    const page = await listOf(check, url, orderOfOrders);
    const listed = page?.items.map(ownerOf) ?? [];
    const wrong = listed.findIndex((owner) => owner !== id);
    if (wrong === -1) continue;
    const place = bodyPath(['_embedded', 'items', wrong, 'user', 'id']);
    check.reporter({ method: 'GET', url })('value', place, String(id), listed[wrong]);
  }
}

function ownerOf({ user }: Item): number | undefined {
  return itemsIn([user])[0]?.id;
}

/** `3,4`; undefined for a value that is no list. */
function idsOf(items: unknown): string | undefined {
  return Array.isArray(items)
    ? itemsIn(items)
        .map(({ id }) => id)
        .join()
    : undefined;
}
