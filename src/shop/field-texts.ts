/** Descriptions of the parameters of a token request. */
export const tokenTexts = {
  client_id: 'Id of the client, unless the header `Authorization` has it (HTTP Basic)',
  client_secret: 'Secret of the client, unless the header `Authorization` has it (HTTP Basic)',
  grant_type: '`password` or `refresh_token`',
  username: 'Name or email address of the user, for the grant `password`',
  password: 'Password of the user, for the grant `password`',
  refresh_token: 'A refresh token that was not used before, for the grant `refresh_token`',
  scope: 'Ignored: tokens have no scope',
};

const name = 'Name for people';
const code = 'Code, unique among the records of its kind';
const coupon = 'Code that a customer enters, unique among all coupons: 2 to 255 characters';
const money =
  'in minor units (cents): `1990` is 19.90. The setting `requestMoney: major` multiplies it by 100.';
const location =
  'Address of the stock location. A GET shows it; the response to its creation does not.';
const channelName = `${name}. If it is omitted, a new channel has its code for a name.`;
const channelType = '`web` or `mobile`. If it is omitted, a new channel is `web`.';
const cleared = 'If a PUT omits it, the list is emptied.';

/**
 * Descriptions of body parameters by name, for those whose schema has none. With the tag of an operation, its id if the body
 * is JSON, or the name of the block that has the parameter, in front: only there.
 */
export const fieldTexts: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(tokenTexts).map(([key, text]) => [`oauth.${key}`, text])),

  'promotion.code': coupon,
  'promotions.code': coupon,
  'setUpCoupon.code': coupon,
  usageLimit: 'How many times the coupon may be used, at least 1',

  firstName: 'First name: 2 to 255 characters',
  lastName: 'Last name: 2 to 255 characters',
  email: 'Email address, unique among users. It is the username, too.',
  plainPassword:
    'Password in plain text, up to 4,096 characters. Only its hash is stored. If an update omits it, the password is unchanged.',
  enabled:
    'Whether the record is enabled. If omitted: true for a new record, unchanged for another.',
  'password-resetting-requests.username': 'Username or email address of the user',

  channel: 'Id of the channel in which the order is placed',
  user: 'Id of the customer, whose email address the order gets',
  currency: 'Currency of the order: the ISO 4217 code of one that the shop has, such as `EUR`',
  variant: 'Id of the variant that is ordered',
  unitPrice: `Price of one piece, ${money}`,
  quantity: 'Number of pieces: 1 to 10,000',

  code,
  name,
  'stock-locations.address': location,
  'setUpStockLocation.address': location,
  'channels.name': channelName,
  'channels.type': channelType,
  'setUpChannel.type': channelType,
  color: 'Colour of the channel, any text: `orange`',
  locales: `Ids of the locales of the channel. ${cleared}`,
  currencies: `Ids of the currencies of the channel. ${cleared}`,
  paymentMethods: `Ids of the payment methods of the channel. ${cleared}`,
  shippingMethods: `Ids of the shipping methods of the channel. ${cleared}`,

  price: `Price of the master variant, ${money} Decimals are rounded half away from zero.`,
  sku: 'Stock keeping unit of the master variant. `null` or a blank text removes it.',

  shippingAddress: 'Address that the order is shipped to',
  billingAddress: 'Address that the invoice goes to (default: the shipping address)',
  city: 'City: 2 to 255 characters',
  postcode: 'Postcode, any text of 2 to 255 characters',
  street: 'Street and house number: 2 to 255 characters',
  country: 'Id of the country',
  province: 'Id of the province, which a country that has provinces requires',
  'checkouts.shipments':
    'Method of each shipment, by the position of the shipment in the proposal, from 0',
  'shipments.method': 'Id of a shipping method that the proposal offers for this shipment',
  paymentMethod: 'Id of a payment method that the proposal offers',

  'checkouts.type': 'Kind of the card, any text: `visa`',
  cardholderName: 'Name on the card, at least 4 characters',
  number:
    'Number of the card: 12 to 19 digits that pass the Luhn check, with or without spaces. Only its last four digits are recorded.',
  securityCode: 'Security code of the card: 3 or 4 digits',
  expiryMonth: 'Month in which the card expires: 1 to 12',
  expiryYear:
    'Year in which the card expires, with four digits: this year, by the clock, to 20 years later',
};
