import { addDuration, secondsBetween } from '../../engine/lib/duration.ts';
import type { AddressInput } from '../checkout/addressing.ts';
import type { Database } from '../models/database.ts';
import type { User } from '../models/user.ts';
import type { Shop } from '../resources/endpoint.ts';
import { namesOf, newAccount } from '../resources/user.ts';
import type { Random } from './random.ts';

/** A user with the address for shipments. */
export interface Customer {
  readonly user: User;
  /** Seconds since the user was created. */
  readonly age: number;
  readonly address: AddressInput;
}

/**
 * Generates customers, or returns the existing users if the count is 0; the oldest first. Names combine first and last
 * names of existing users; addresses vary the house numbers of existing addresses.
 *
 * @param age seconds since the first order
 */
export function customersOf(shop: Shop, count: number, age: number, random: Random): Customer[] {
  const { db, clock } = shop;
  const now = clock.now();
  const places = placesOf(db);
  const users = count === 0 ? db.users.all() : addUsers(shop, count, age, random);
  return users
    .map((user): Customer => {
      const { first_name, last_name, created_at } = user;
      const place = random.pick(places);
      const street = place.street.replace(/\d+/, String(random.between(1, 140)));
      const address = { ...place, first_name, last_name, street };
      return { user, age: secondsBetween(created_at, now), address };
    })
    .toSorted((one, other) => other.age - one.age);
}

/** Returns a random age up to a maximum, more often a low one. */
export function randomAge(max: number, random: Random): number {
  return Math.floor(max * (1 - random.next() ** 0.7));
}

function addUsers({ db, seed, clock }: Shop, count: number, age: number, random: Random): User[] {
  const known = db.users.all();
  const named = known.length > 0 ? known : [{ first_name: 'Alex', last_name: 'Miller' }];
  // A tenth exists before the first order. The others follow at a growing rate.
  const early = Math.ceil(count / 10);
  const ages = Array.from({ length: count }, (_, at) =>
    at < early ? age + random.between(3600, 150 * 86_400) : randomAge(age, random),
  ).toSorted((one, other) => other - one);
  const users = ages.map((seconds, at) => {
    const { first_name } = random.pick(named);
    const { last_name } = random.pick(named);
    const email = `${plain(first_name)}.${plain(last_name)}${at + 1}@example.com`;
    const created_at = addDuration(clock.now(), `-PT${seconds}S`);
    const account = { ...namesOf(email), ...newAccount(seed, email, email) };
    return { first_name, last_name, ...account, created_at, updated_at: created_at };
  });
  return db.users.addAll(users);
}

/** Writes a name in the letters a to z, for e-mail addresses. */
function plain(name: string): string {
  return name
    .normalize('NFD')
    .toLowerCase()
    .replaceAll(/[^a-z]/g, '');
}

/** Returns the existing addresses, or one for each country if there are none. */
function placesOf(db: Database): readonly AddressInput[] {
  const addresses = db.addresses.all();
  if (addresses.length === 0) {
    return db.countries.all().map(({ id, name }) => ({
      first_name: 'Alex',
      last_name: 'Miller',
      street: '1 High Street',
      city: name,
      postcode: '10000',
      country_id: id,
      province_id: db.provinces.first('country', id)?.id,
    }));
  }
  return addresses.map((row) => {
    const { id: _, created_at: __, updated_at: ___, ...address } = row;
    return address;
  });
}
