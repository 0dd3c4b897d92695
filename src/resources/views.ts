import type * as z from 'zod';
import { AddressView } from './address.ts';
import { ChannelInCheckoutView, ChannelInOrderView, ChannelView } from './channel.ts';
import { PaymentProposalView, ShippingProposalView } from './checkout.ts';
import { CountryView } from './country.ts';
import { CouponView } from './coupon.ts';
import { AdjustmentView, InventoryUnitView, OrderItemView } from './order-item.ts';
import { OAuthErrorView, TokenView } from './oauth.ts';
import { OrderInCheckoutView, OrderView } from './order.ts';
import { PasswordResettingView } from './password-resetting-request.ts';
import { PaymentMethodView } from './payment-method.ts';
import { PaymentView } from './payment.ts';
import { ProductInOrderView, ProductView } from './product.ts';
import { VariantInOrderView } from './product-variant.ts';
import { PromotionView } from './promotion.ts';
import { ProvinceView } from './province.ts';
import { ShipmentView } from './shipment.ts';
import { ShippingMethodView } from './shipping-method.ts';
import { StockLocationView } from './stock-location.ts';
import { UserInOrderView, UserView } from './user.ts';
import { VariantView } from './variant.ts';
import { ZoneView } from './zone.ts';

/** What records look like in answers, under the names that documents give them. */
export const views: Readonly<Record<string, z.ZodType>> = {
  Address: AddressView,
  Adjustment: AdjustmentView,
  Channel: ChannelView,
  ChannelInCheckout: ChannelInCheckoutView,
  ChannelInOrder: ChannelInOrderView,
  Country: CountryView,
  Coupon: CouponView,
  InventoryUnit: InventoryUnitView,
  OAuthError: OAuthErrorView,
  Order: OrderView,
  OrderInCheckout: OrderInCheckoutView,
  OrderItem: OrderItemView,
  PasswordResetting: PasswordResettingView,
  Payment: PaymentView,
  PaymentMethod: PaymentMethodView,
  PaymentProposal: PaymentProposalView,
  Product: ProductView,
  ProductInOrder: ProductInOrderView,
  Promotion: PromotionView,
  Province: ProvinceView,
  Shipment: ShipmentView,
  ShippingMethod: ShippingMethodView,
  ShippingProposal: ShippingProposalView,
  StockLocation: StockLocationView,
  Token: TokenView,
  User: UserView,
  UserInOrder: UserInOrderView,
  Variant: VariantView,
  VariantInOrder: VariantInOrderView,
  Zone: ZoneView,
};
