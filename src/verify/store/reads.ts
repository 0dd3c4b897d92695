import type { ReadResults, ServerCheck } from '../../engine/definition/drift.ts';
import { inParallel } from '../drift/in-parallel.ts';
import { listOf } from '../drift/pages.ts';
import { checkSame } from '../drift/reads.ts';
import { checkOrder, checkUserOrders } from './order-reads.ts';

/** Checks what belongs to the records of lists: the parts of orders, the coupons of promotions, the orders of users. */
export async function checkParts(check: ServerCheck, found: ReadResults): Promise<void> {
  await inParallel(found.items.get('orders') ?? [], (order) => checkOrder(check, order, found));
  await checkCoupons(check, found);
  await checkUserOrders(check, found);
  if (!check.includes('/oauth/v2/token')) return;
  for (const query of ['', '?grant_type=password', '?grant_type=none&client_id=none']) {
    await check.askForError({ method: 'GET', url: `/oauth/v2/token${query}` });
  }
}

async function checkCoupons(check: ServerCheck, found: ReadResults): Promise<void> {
  if (!check.includes('/api/promotions')) return;
  for (const { id } of found.items.get('promotions') ?? []) {
    const page = await listOf(check, `/api/promotions/${id}/coupons`, ['id']);
    for (const coupon of page?.items.slice(0, 3) ?? []) {
      const url = `/api/promotions/${id}/coupons/${coupon.id}`;
      const seen = await check.get(url);
      if (seen.status === 200) checkSame(check, url, coupon, seen.json);
    }
    const url = `/api/promotions/${id}/coupons/999999999`;
    check.expectStatus({ method: 'GET', url }, await check.get(url), 404, 'no such coupon');
  }
}
