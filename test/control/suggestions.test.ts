import { expect, test } from 'vitest';
import { commandOf, parseArguments } from '../../src/cli/arguments.ts';
import { createBackOffice } from '../../src/index.ts';
import { givenFor } from '../../src/shop/given/given.ts';
import type { StoreOffice } from '../../src/shop/office/store-office.ts';

/** Each has one typo, which types reject; the texts come from files, flags and JavaScript. */
const typos: readonly (readonly [
  name: string,
  like: string,
  act: (office: StoreOffice) => unknown,
])[] = [
  [
    'a scenario',
    'Did you mean default?',
    () => createBackOffice(JSON.parse('{"scenario":"defualt"}')),
  ],
  [
    'a reset',
    'Did you mean authenticated?',
    (office) => office.reset(JSON.parse('"authenticatd"')),
  ],
  [
    'a setting',
    'did you mean "maxLimit"',
    () => createBackOffice(JSON.parse('{"settings":{"maxLimt":5}}')),
  ],
  [
    'a value of a setting',
    'did you mean "oauth2"',
    () => createBackOffice(JSON.parse('{"settings":{"auth":"oauth"}}')),
  ],
  [
    'a snapshot',
    'Did you mean paid?',
    (office) => [office.snapshot('paid'), office.restore('pad')],
  ],
  [
    'a kind of fault',
    'did you mean "status"',
    (office) => office.faults.add(JSON.parse('{"staus":503}')),
  ],
  [
    'a value of a fault',
    'did you mean "malformed"',
    (office) => office.faults.add(JSON.parse('{"corrupt":"malfomed"}')),
  ],
  [
    'a step of a fault',
    'did you mean "purchase"',
    (office) => office.faults.add(JSON.parse('{"status":503,"match":{"step":"purchse"}}')),
  ],
  [
    'a step of the script',
    'Did you mean purchase?',
    (office) => office.script.add(JSON.parse('{"on":"purchse","outcome":"declined"}')),
  ],
  [
    'a condition of the script',
    'did you mean "user"',
    (office) =>
      office.script.add(JSON.parse('{"on":"purchase","match":{"usr":3},"outcome":"declined"}')),
  ],
  [
    'an outcome of the script',
    'did you mean "declined"',
    (office) => office.script.add(JSON.parse('{"on":"purchase","outcome":"declind"}')),
  ],
  [
    'an option',
    'createBackOffice: Unrecognized option: "baseURL" (did you mean "baseUrl"?); known: api, apiPath, baseUrl,',
    () => createBackOffice(JSON.parse('{"baseURL":"https://shop.test"}')),
  ],
  [
    'an option of a reset',
    'reset: Unrecognized option: "sed" (did you mean "seed"?)',
    (office) => office.reset('default', JSON.parse('{"sed":7}')),
  ],
  [
    'a value of an order that is given',
    'anOrder: Unrecognized option: "chanel" (did you mean "channel"?)',
    (office) => givenFor(office).anOrder(JSON.parse('{"chanel":2}')),
  ],
  [
    'an item of such an order',
    'anOrder: items: Unrecognized option: "quantty" (did you mean "quantity"?)',
    (office) => givenFor(office).anOrder(JSON.parse('{"items":[{"variant":7,"quantty":2}]}')),
  ],
  [
    'an address of such an order',
    'anOrder: shippingAddress: Unrecognized option: "postCode" (did you mean "postcode"?)',
    (office) => givenFor(office).anOrder(JSON.parse('{"shippingAddress":{"postCode":"1000"}}')),
  ],
  [
    'a value that only given has',
    'Unrecognized field: "stok" (did you mean "stock"?)',
    (office) => givenFor(office).aProduct(JSON.parse('{"stok":3}')),
  ],
  [
    'a field of given',
    'did you mean "email"',
    (office) => givenFor(office).aUser(JSON.parse('{"emial":"ada@shop.test"}')),
  ],
  ['a command', 'Did you mean verify?', () => commandOf(['verfy'])],
  [
    'a value of a flag',
    'Did you mean optional?',
    () => parseArguments(['--sessions', 'optionl'], 'serve'),
  ],
];

test.each(typos)('a typo in %s is answered with what may have been meant', (_, like, act) => {
  expect(() => act(createBackOffice({ history: true }))).toThrow(like);
});
