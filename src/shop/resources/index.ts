import { channelEndpoints } from './channel.ts';
import { checkoutEndpoints } from './checkout.ts';
import { couponEndpoints } from './coupon.ts';
import { countryEndpoints, provinceEndpoints } from './country.ts';
import type { ShopEndpoint } from './endpoint.ts';
import { orderItemEndpoints } from './order-item.ts';
import { orderEndpoints } from './order.ts';
import { passwordResettingEndpoints } from './password-resetting-request.ts';
import { paymentMethodEndpoints, paymentEndpoints } from './payment.ts';
import { productEndpoints } from './product.ts';
import { productVariantEndpoints } from './product-variant.ts';
import { promotionEndpoints } from './promotion.ts';
import { shipmentEndpoints, shippingMethodEndpoints } from './shipment.ts';
import { stockLocationEndpoints } from './stock-location.ts';
import { userOrderEndpoints } from './user-orders.ts';
import { userEndpoints } from './user.ts';
import { zoneEndpoints } from './zone.ts';

/** All endpoints of the store API, each with its own types. A new resource adds a line here. */
export const typedContract = [
  ...promotionEndpoints,
  ...couponEndpoints,
  ...paymentEndpoints,
  ...shipmentEndpoints,
  ...userEndpoints,
  ...userOrderEndpoints,
  ...passwordResettingEndpoints,
  ...orderEndpoints,
  ...orderItemEndpoints,
  ...stockLocationEndpoints,
  ...channelEndpoints,
  ...productEndpoints,
  ...productVariantEndpoints,
  ...checkoutEndpoints,
  ...countryEndpoints,
  ...provinceEndpoints,
  ...zoneEndpoints,
  ...shippingMethodEndpoints,
  ...paymentMethodEndpoints,
] as const;

/** All endpoints of the store API. */
export const contract: readonly ShopEndpoint[] = typedContract;
