import { link } from '../rest/page.ts';

/** Links as the interface writes them: relative paths. */
export const linkTo = {
  channel: (id: number) => link(`/api/channels/${id}`),
  country: (id: number) => link(`/api/countries/${id}`),
  coupon: (promotion: number, id: number) => link(`/api/promotions/${promotion}/coupons/${id}`),
  coupons: (promotion: number) => link(`/api/promotions/${promotion}/coupons/`),
  order: (id: number) => link(`/api/orders/${id}`),
  orderItems: (order: number) => link(`/api/orders/${order}/items/`),
  payment: (id: number) => link(`/api/payments/${id}`),
  paymentMethod: (id: number) => link(`/api/payment-methods/${id}`),
  product: (id: number) => link(`/api/products/${id}`),
  promotion: (id: number) => link(`/api/promotions/${id}`),
  province: (country: number, id: number) => link(`/api/countries/${country}/provinces/${id}`),
  shipment: (id: number) => link(`/api/shipments/${id}`),
  shippingMethod: (id: number) => link(`/api/shipping-methods/${id}`),
  stockLocation: (id: number) => link(`/api/stock-locations/${id}`),
  user: (id: number) => link(`/api/users/${id}`),
  variant: (product: number, id: number) => link(`/api/products/${product}/variants/${id}`),
  zone: (id: number) => link(`/api/zones/${id}`),
};
