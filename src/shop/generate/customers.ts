import { reportStep, type OnProgress } from '../../engine/lib/progress.ts';
import type { AddressInput } from '../checkout/addressing.ts';
import type { Address, User } from '../models/user.ts';
import type { Database } from '../models/database.ts';
import { hashPassword, saltOf } from '../../engine/lib/pseudo-random.ts';
import type { Shop } from '../resources/endpoint.ts';
import type { Random } from './random.ts';
import { secondsOf, timestamp } from './times.ts';

/** A user with the address for shipments. */
export interface Customer {
  readonly user: User;
  /** When the user was created, in seconds since 1970. */
  readonly since: number;
  readonly address: AddressInput;
}

/** A period of time, in seconds since 1970. */
export interface Period {
  readonly from: number;
  readonly to: number;
}

/**
 * Generates customers, or returns the existing users if the count is 0, in the order of their creation. Names combine
 * first and last names of existing users; addresses vary the house numbers of existing addresses.
 */
export function customersOf(
  shop: Shop,
  count: number,
  period: Period,
  tools: {
    readonly random: Random;
    readonly onProgress?: OnProgress | undefined;
  },
): Customer[] {
  const { db } = shop;
  const { random, onProgress } = tools;
  const places = placesOf(db);
  if (count === 0) {
    return db.users
      .all()
      .map((user) => customer(user, secondsOf(user.created_at), places, random))
      .toSorted((a, b) => a.since - b.since);
  }
  const names = namesOf(db);
  // A tenth exists before the first order. The others follow at a growing rate.
  const early = Math.ceil(count / 10);
  const since = Array.from({ length: count }, (_, at) =>
    at < early ? period.from - random.between(3600, 150 * 86_400) : randomTime(period, random),
  ).toSorted((a, b) => a - b);
  const users = since.map((seconds, at) => {
    reportStep(onProgress, at, count);
    const now = timestamp(seconds);
    return newUser(shop, random.pick(names.first), random.pick(names.last), { at, now });
  });
  return db.users.addAll(users).map((user, at) => customer(user, since[at]!, places, random));
}

/** Returns a random time in a period, more often towards its end. */
export function randomTime({ from, to }: Period, random: Random): number {
  return Math.floor(from + (to - from) * random.next() ** 0.7);
}

function namesOf(db: Database) {
  const users = db.users.all();
  const named = users.length > 0 ? users : [{ first_name: 'Alex', last_name: 'Miller' }];
  return {
    first: [...new Set(named.map(({ first_name }) => first_name))].map(nameOf),
    last: [...new Set(named.map(({ last_name }) => last_name))].map(nameOf),
  };
}

interface Name {
  readonly name: string;
  /** The name in the letters a to z, for e-mail addresses. */
  readonly plain: string;
}

function nameOf(name: string): Name {
  const plain = name
    .normalize('NFD')
    .toLowerCase()
    .replaceAll(/[^a-z]/g, '');
  return { name, plain };
}

function newUser(
  shop: Shop,
  first: Name,
  last: Name,
  { at, now }: { readonly at: number; readonly now: string },
) {
  const email = `${first.plain}.${last.plain}${at + 1}@example.com`;
  const salt = saltOf(shop.seed, email);
  return {
    first_name: first.name,
    last_name: last.name,
    username: email,
    username_canonical: email,
    email,
    email_canonical: email,
    enabled: true,
    locked: false,
    expired: false,
    credentials_expired: false,
    roles: [],
    password: hashPassword(shop.seed, salt, email),
    salt,
    created_at: now,
    updated_at: now,
  };
}

/** Returns the existing addresses, or one for each country if there are none. */
function placesOf(db: Database): readonly AddressInput[] {
  const addresses = db.addresses.all().map(addressOf);
  if (addresses.length > 0) return addresses;
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

function addressOf(address: Address): AddressInput {
  const { first_name, last_name, street, city, postcode, country_id, province_id } = address;
  return { first_name, last_name, street, city, postcode, country_id, province_id };
}

function customer(
  user: User,
  since: number,
  places: readonly AddressInput[],
  random: Random,
): Customer {
  const place = random.pick(places);
  const street = place.street.replace(/\d+/, String(random.between(1, 140)));
  const { first_name, last_name } = user;
  return { user, since, address: { ...place, first_name, last_name, street } };
}
