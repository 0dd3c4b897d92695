import type { ScenarioInput } from '../../src/index.ts';

/** The records of the small shop before its first order. */
export const smallShopRecords: ScenarioInput['data'] = {
  currencies: [
    { id: 1, code: 'EUR' },
    { id: 2, code: 'USD' },
  ],
  locales: [
    { id: 1, code: 'en_IE' },
    { id: 2, code: 'de_DE' },
  ],
  countries: [
    { id: 1, name: 'Ireland', iso_name: 'IE' },
    { id: 2, name: 'Canada', iso_name: 'CA' },
    { id: 3, name: 'Iceland', iso_name: 'IS' },
  ],
  provinces: [{ id: 1, country_id: 2, name: 'Ontario' }],
  zones: [
    { id: 1, name: 'Ireland', type: 'country', members: [1] },
    { id: 2, name: 'Canada', type: 'country', members: [2] },
  ],
  payment_methods: [
    { id: 1, name: 'Card', enabled: true, ...stamped('2025-01-01') },
    { id: 2, name: 'PayPal', enabled: true, ...stamped('2025-01-02') },
    { id: 3, name: 'Cheque', enabled: false, ...stamped('2025-01-03') },
  ],
  shipping_methods: [
    shippingMethod(1, 'flexible_rate', {
      first_item_cost: 400,
      additional_item_cost: 100,
      additional_item_limit: 2,
    }),
    shippingMethod(2, 'flat_rate', { amount: 900 }),
    { ...shippingMethod(3, 'flat_rate', { amount: 100 }), enabled: false },
    { ...shippingMethod(4, 'flat_rate', { amount: 2000 }), zone_id: 2 },
  ],
  channels: [
    {
      ...channel(1, 'web'),
      currencies: [1, 2],
      locales: [1, 2],
      payment_methods: [1, 2],
      shipping_methods: [1, 2],
    },
    channel(2, 'mobile'),
  ],
  addresses: [
    {
      id: 1,
      first_name: 'Colm',
      last_name: 'Hession',
      street: 'Tuam Road 9',
      city: 'Galway',
      postcode: 'H91',
      country_id: 1,
      ...stamped('2025-02-01'),
    },
  ],
  stock_locations: [
    {
      id: 1,
      code: 'GWY',
      name: 'Galway',
      enabled: true,
      address_id: 1,
      ...stamped('2025-02-01'),
    },
    { id: 2, code: 'RTM', name: 'Rotterdam', enabled: false, ...stamped('2025-02-02') },
  ],
  users: [
    { ...user(1, 'Ada', 'Novak', 'ada@example.com'), last_login: '2026-02-27T18:00:00+0000' },
    user(2, 'Béla', 'Kovács', 'Bela@Example.com'),
    user(3, 'Chi', 'Adair', 'customer@example.com'),
  ],
  products: [
    {
      id: 1,
      name: 'Desk Lamp',
      description: 'A lamp for a desk.',
      short_description: 'A lamp.',
      attributes: [{ id: 1, name: 'height', presentation: 'Height', value: '40 cm' }],
      options: [{ id: 1, name: 'colour', presentation: 'Colour' }],
      channels: [1, 2],
      taxons: [],
      ...stamped('2025-03-01'),
    },
    { ...product(2, 'Floor lamp'), channels: [1] },
    { ...product(3, 'Chair'), channels: [2] },
  ],
  variants: [
    { ...variant(1, 1), sku: 'LAMP' },
    { ...variant(2, 1), master: false, options: [{ id: 1, value: 'Red' }] },
    variant(3, 2),
    variant(4, 3),
  ],
  promotions: [
    {
      ...promotion(1, 'Newsletter'),
      coupon_based: true,
      actions: [{ id: 1, type: 'fixed_discount', configuration: { amount: 500 } }],
      rules: [{ id: 1, type: 'item_count', configuration: { count: 1, equal: true } }],
    },
    promotion(2, 'Quiet week'),
    { ...promotion(3, 'Loud week'), priority: 5 },
  ],
  coupons: [
    { id: 1, promotion_id: 1, code: 'SAVE5', usage_limit: 10, used: 2, ...stamped('2025-05-01') },
    { id: 2, promotion_id: 1, code: 'EVER', used: 0, ...stamped('2025-05-02') },
    { id: 3, promotion_id: 3, code: 'LOUD', usage_limit: 1, used: 1, ...stamped('2025-05-03') },
  ],
};

function stamped(day: string) {
  return { created_at: `${day}T08:00:00+0000`, updated_at: `${day}T09:30:00+0000` };
}

function shippingMethod(
  id: number,
  calculator: 'flat_rate' | 'flexible_rate',
  configuration: Record<string, number>,
) {
  return {
    id,
    name: `Method ${id}`,
    enabled: true,
    category_requirement: 0,
    calculator,
    configuration,
    zone_id: 1,
    ...stamped('2025-01-04'),
  };
}

function channel(id: number, type: 'web' | 'mobile') {
  return {
    id,
    code: `CHANNEL-${id}`,
    name: `Channel ${id}`,
    type,
    color: 'orange',
    enabled: true,
    currencies: [],
    locales: [],
    payment_methods: [],
    shipping_methods: [],
    ...stamped(`2025-01-1${id}`),
  };
}

function user(id: number, first_name: string, last_name: string, email: string) {
  return {
    id,
    first_name,
    last_name,
    username: email,
    username_canonical: email.toLowerCase(),
    email,
    email_canonical: email.toLowerCase(),
    enabled: true,
    locked: false,
    expired: false,
    credentials_expired: false,
    roles: [],
    password: `password ${id}`,
    salt: `salt ${id}`,
    ...stamped(`2025-01-2${id}`),
  };
}

function product(id: number, name: string) {
  return {
    id,
    name,
    description: `It is the ${name}.`,
    attributes: [],
    options: [],
    channels: [],
    taxons: [],
    ...stamped(`2025-03-0${id}`),
  };
}

function variant(id: number, product_id: number) {
  return {
    id,
    product_id,
    master: true,
    price: 1990,
    available_on: '2025-03-01T08:00:00+0000',
    options: [],
    ...stamped('2025-03-09'),
  };
}

function promotion(id: number, name: string) {
  return {
    id,
    name,
    priority: 0,
    exclusive: false,
    coupon_based: false,
    used: 0,
    actions: [],
    rules: [],
    ends_at: '2025-12-31T23:59:59+0000',
    ...stamped(`2025-04-0${id}`),
  };
}
