import { openShop, sell, stock, type BackOffice } from '../support/checkout.ts';

/** A shop with a history, and stock of two variants, one of them at two locations. */
export async function recordedShop(): Promise<BackOffice> {
  const shop = openShop({ pendingLifetime: 'PT5H' });
  const [teapot, cup] = [sell(shop), sell(shop, { price: 450 }), sell(shop, { price: 77 })];
  stock(shop, teapot, 3);
  stock(shop, cup, 1);
  shop.db.stockItems.add({ stock_location_id: 2, variant_id: 1, on_hand: 2, on_hold: 0 });
  await shop.recordHistory();
  return shop;
}
