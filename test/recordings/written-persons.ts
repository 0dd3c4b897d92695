import fc from 'fast-check';
import type { Call } from '../support/office.ts';
import { steps } from '../support/checkout-steps.ts';

/** The letters of names in each script, and their number in a word. */
const scripts = {
  Latin: ['abcdefghijklmnoprstuvyzéøł', 5, 9],
  Cyrillic: ['абвгдежзиклмнопрстуя', 5, 9],
  Han: ['安北川大东风光海江金林美明南山石天文西英', 2, 3],
  Arabic: ['ابتجحدرسشعفقكلمنهوي', 4, 8],
} as const;

/** A customer with an order. */
export interface WrittenPerson {
  readonly first: string;
  readonly last: string;
  readonly street: string;
  readonly city: string;
  readonly email: string;
  readonly password: string;
}

function word(script: keyof typeof scripts): fc.Arbitrary<string> {
  const [letters, minLength, maxLength] = scripts[script];
  return fc
    .array(fc.constantFrom(...Array.from(letters)), { minLength, maxLength })
    .map(([initial = '', ...rest]) => `${initial.toUpperCase()}${rest.join('')}`);
}

/** Persons with names and addresses in one of four scripts. The e-mail address has the name, if it can. */
export const writtenPerson: fc.Arbitrary<WrittenPerson> = fc
  .constantFrom(...(Object.keys(scripts) as (keyof typeof scripts)[]))
  .chain((script) =>
    fc.record({
      first: word(script),
      last: word(script),
      way: word(script),
      number: fc.integer({ min: 1, max: 999 }),
      city: word(script),
      local: word('Latin'),
      domain: word('Latin'),
      password: fc.stringMatching(/^[A-Za-z\d]{12,20}$/),
    }),
  )
  .map(({ first, last, way, number, city, local, domain, password }) => {
    const name = `${first}.${last}`.toLowerCase();
    const place = `${plain(domain)}.shop`;
    return {
      first,
      last,
      city,
      password,
      street: `${way} ${number}`,
      email: `${/^[a-z.]+$/.test(name) ? name : plain(local)}@${place}`,
    };
  });

function plain(text: string): string {
  return text.toLowerCase().replaceAll(/[^a-z]/g, 'x');
}

/** Registers a person, who places an order as far as to a step. @returns the ids of both */
export async function placeOrder(
  call: Call,
  { first, last, street, city, email, password }: WrittenPerson,
  isPaid: boolean,
): Promise<{ readonly user: number; readonly order: number }> {
  const names = { firstName: first, lastName: last };
  const { body: user } = await call('POST /api/users/', {
    ...names,
    email,
    plainPassword: password,
  });
  const { body: order } = await call('POST /api/orders/', {
    channel: 1,
    user: user.id,
    currency: 'EUR',
  });
  await call(`POST /api/orders/${order.id}/items/`, { variant: 7, quantity: 2, unitPrice: 1290 });
  const { purchase, ...others } = steps;
  const address = { ...steps.addressing.shippingAddress, ...names, street, city };
  const bodies = { ...others, addressing: { shippingAddress: address } };
  for (const body of [...Object.values(bodies), ...(isPaid ? [purchase] : [])])
    await call(`PUT /api/checkouts/${order.id}`, body);
  return { user: user.id, order: order.id };
}
