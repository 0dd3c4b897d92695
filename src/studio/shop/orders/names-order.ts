/**
 * Whether the path of a request names an order: `/api/orders/105/items/`, `/api/checkouts/105`.
 *
 * @param id what clients know it by
 */
export function namesOrder(title: string, id: number | string): boolean {
  return new RegExp(`/(orders|checkouts|order)/${id}(?!\\d)`).test(title);
}
