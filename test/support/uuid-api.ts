import { extendApi, storeApi } from '../../src/define.ts';
import { everyField } from './every-field-api.ts';

/** The shop whose clients know orders and customers by UUIDs. */
export const uuidShop = extendApi(storeApi, { ids: { orders: 'uuid', users: 'uuid' } });

/** The definition with every kind of field, all of whose records have UUIDs. */
export const everyUuid = extendApi(everyField, {
  ids: {
    addresses: 'uuid',
    channels: 'uuid',
    countries: 'uuid',
    coupons: 'uuid',
    gadgets: 'uuid',
    orderItems: 'uuid',
    orders: 'uuid',
    paymentMethods: 'uuid',
    payments: 'uuid',
    products: 'uuid',
    promotions: 'uuid',
    provinces: 'uuid',
    shipments: 'uuid',
    shippingMethods: 'uuid',
    stockLocations: 'uuid',
    users: 'uuid',
    variants: 'uuid',
    zones: 'uuid',
  },
});
