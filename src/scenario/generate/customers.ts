import type { AddressInput } from '../../checkout/addressing.ts';
import type { Address } from '../../models/address.ts';
import type { Database } from '../../models/database.ts';
import type { User } from '../../models/user.ts';
import { hashPassword, saltOf } from '../../resources/credential.ts';
import type { Shop } from '../../resources/endpoint.ts';
import type { Chance } from './chance.ts';
import { secondsOf, type Stamp } from './seconds.ts';

/** Someone who buys, and where the parcels go. */
export interface Customer {
  readonly user: User;
  /** Seconds since 1970. */
  readonly since: number;
  readonly address: AddressInput;
}

/** When customers come: from a moment to another one, in seconds since 1970. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/**
 * Makes up customers, or takes those that there are where none are wanted: in the order in which they came. Their names
 * are put together from the names of the shop's users, their streets are those that the shop knows.
 */
export function customersOf(
  shop: Shop,
  wanted: number,
  span: Span,
  tools: { readonly chance: Chance; readonly stampOf: Stamp },
): Customer[] {
  const { db } = shop;
  const { chance, stampOf } = tools;
  const places = placesOf(db);
  if (wanted === 0) {
    return db.users
      .all()
      .map((user) => customer(user, secondsOf(user.created_at), places, chance))
      .toSorted((a, b) => a.since - b.since);
  }
  const names = namesOf(db);
  // A tenth of them came before the first order, the others ever more of them.
  const early = Math.ceil(wanted / 10);
  const since = Array.from({ length: wanted }, (_, at) =>
    at < early ? span.from - chance.between(3600, 150 * 86_400) : momentIn(span, chance),
  ).toSorted((a, b) => a - b);
  const users = since.map((seconds, at) =>
    newUser(shop, chance.pick(names.first), chance.pick(names.last), { at, now: stampOf(seconds) }),
  );
  return db.users.addAll(users).map((user, at) => customer(user, since[at]!, places, chance));
}

/** A moment of a span; towards its end there are more of them. */
export function momentIn({ from, to }: Span, chance: Chance): number {
  return Math.floor(from + (to - from) * chance.next() ** 0.7);
}

function namesOf(db: Database) {
  const users = db.users.all();
  const some = users.length > 0 ? users : [{ first_name: 'Alex', last_name: 'Miller' }];
  return {
    first: [...new Set(some.map(({ first_name }) => first_name))].map(nameOf),
    last: [...new Set(some.map(({ last_name }) => last_name))].map(nameOf),
  };
}

/** A name, and what it is in the letters of an e-mail address. */
interface Name {
  readonly name: string;
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

/** Addresses that the shop can deliver to; one in each country where it knows none. */
function placesOf(db: Database): readonly AddressInput[] {
  const known = db.addresses.all().map(addressOf);
  if (known.length > 0) return known;
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
  chance: Chance,
): Customer {
  const place = chance.pick(places);
  const street = place.street.replace(/\d+/, String(chance.between(1, 140)));
  const { first_name, last_name } = user;
  return { user, since, address: { ...place, first_name, last_name, street } };
}
