import addresses from '../../fixtures/addresses.json' with { type: 'json' };
import channels from '../../fixtures/channels.json' with { type: 'json' };
import countries from '../../fixtures/countries.json' with { type: 'json' };
import coupons from '../../fixtures/coupons.json' with { type: 'json' };
import currencies from '../../fixtures/currencies.json' with { type: 'json' };
import locales from '../../fixtures/locales.json' with { type: 'json' };
import paymentMethods from '../../fixtures/payment_methods.json' with { type: 'json' };
import products from '../../fixtures/products.json' with { type: 'json' };
import promotions from '../../fixtures/promotions.json' with { type: 'json' };
import provinces from '../../fixtures/provinces.json' with { type: 'json' };
import shippingCategories from '../../fixtures/shipping_categories.json' with { type: 'json' };
import shippingMethods from '../../fixtures/shipping_methods.json' with { type: 'json' };
import stockItems from '../../fixtures/stock_items.json' with { type: 'json' };
import stockLocations from '../../fixtures/stock_locations.json' with { type: 'json' };
import taxCategories from '../../fixtures/tax_categories.json' with { type: 'json' };
import taxRates from '../../fixtures/tax_rates.json' with { type: 'json' };
import taxons from '../../fixtures/taxons.json' with { type: 'json' };
import users from '../../fixtures/users.json' with { type: 'json' };
import variants from '../../fixtures/variants.json' with { type: 'json' };
import zones from '../../fixtures/zones.json' with { type: 'json' };
import authenticated from '../../scenarios/authenticated.json' with { type: 'json' };
import awaitingConfirm from '../../scenarios/awaiting-confirm.json' with { type: 'json' };
import awaitingPayment from '../../scenarios/awaiting-payment.json' with { type: 'json' };
import awaitingPurchase from '../../scenarios/awaiting-purchase.json' with { type: 'json' };
import awaitingShipping from '../../scenarios/awaiting-shipping.json' with { type: 'json' };
import backorders from '../../scenarios/backorders.json' with { type: 'json' };
import declinedCards from '../../scenarios/declined-cards.json' with { type: 'json' };
import defaultScenario from '../../scenarios/default.json' with { type: 'json' };
import empty from '../../scenarios/empty.json' with { type: 'json' };
import filledCart from '../../scenarios/filled-cart.json' with { type: 'json' };
import flaky from '../../scenarios/flaky.json' with { type: 'json' };
import large from '../../scenarios/large.json' with { type: 'json' };
import sale from '../../scenarios/sale.json' with { type: 'json' };
import slowPayments from '../../scenarios/slow-payments.json' with { type: 'json' };
import type { BuiltInFiles } from './built-in-names.ts';

/** The records of the package, by the names of their files. */
export const fixtures: BuiltInFiles['fixtures'] = {
  addresses,
  channels,
  countries,
  coupons,
  currencies,
  locales,
  payment_methods: paymentMethods,
  products,
  promotions,
  provinces,
  shipping_categories: shippingCategories,
  shipping_methods: shippingMethods,
  stock_items: stockItems,
  stock_locations: stockLocations,
  tax_categories: taxCategories,
  tax_rates: taxRates,
  taxons,
  users,
  variants,
  zones,
};

/** The built-in scenarios, by their names. */
export const scenarios: BuiltInFiles['scenarios'] = {
  default: defaultScenario,
  empty,
  'filled-cart': filledCart,
  'awaiting-shipping': awaitingShipping,
  'awaiting-payment': awaitingPayment,
  'awaiting-confirm': awaitingConfirm,
  'awaiting-purchase': awaitingPurchase,
  'declined-cards': declinedCards,
  'slow-payments': slowPayments,
  backorders,
  sale,
  flaky,
  large,
  authenticated,
};
