import type { AnyDefinition } from '../../engine/store/database.ts';

/** What a field says about a person, in the plural. */
export type PersonKind =
  | 'first names'
  | 'last names'
  | 'full names'
  | 'usernames'
  | 'e-mails'
  | 'streets'
  | 'cities'
  | 'postcodes'
  | 'phone numbers'
  | 'notes'
  | 'passwords'
  | 'tokens'
  | 'card digits'
  | 'IP addresses';

type Kinds = Readonly<Record<string, PersonKind>>;

/** The fields of the store that are about persons, by table. */
const storeFields: Readonly<Record<string, Kinds>> = {
  users: {
    first_name: 'first names',
    last_name: 'last names',
    username: 'usernames',
    username_canonical: 'usernames',
    email: 'e-mails',
    email_canonical: 'e-mails',
    password: 'passwords',
    salt: 'passwords',
    confirmation_token: 'tokens',
  },
  addresses: {
    first_name: 'first names',
    last_name: 'last names',
    street: 'streets',
    city: 'cities',
    postcode: 'postcodes',
  },
  orders: { email: 'e-mails' },
  payments: { card: 'card digits', reason: 'notes' },
  settlements: { reason: 'notes' },
  tokens: { value: 'tokens', username: 'usernames' },
};

/** The fields that an API of one's own adds, by their names. */
const otherFields: readonly (readonly [name: RegExp, kind: PersonKind])[] = [
  [/^(first|given|middle)_?names?$/, 'first names'],
  [/^(last|family|sur|maiden)_?names?$/, 'last names'],
  [/^(full|contact|customer|recipient|company|card_?holder)_?name$|^nick_?name$/, 'full names'],
  [/user_?name|login$/, 'usernames'],
  [/e_?mail/, 'e-mails'],
  [/phone|mobile|(^|_)fax/, 'phone numbers'],
  [/street|^address(_?(line|two|2))?_?\d?$/, 'streets'],
  [/^(city|town)$/, 'cities'],
  [/post_?code|zip/, 'postcodes'],
  [/note|comment|instruction|remark|gift_?message|birth/, 'notes'],
  [/pass(word|phrase)|salt$/, 'passwords'],
  [/token|secret|api_?key/, 'tokens'],
  [/card|iban|account_?number|tax_?(id|number)|vat_?(id|number)/, 'card digits'],
  [/^ip$|_ip$|ip_?address/, 'IP addresses'],
];

/** Tables whose names are the same as some of persons: a country is Jordan. */
export const publicTables: ReadonlySet<string> = new Set([
  'countries',
  'provinces',
  'zones',
  'currencies',
  'locales',
]);

/** Returns what a field of a table says about a person. */
export function personKind(
  { name: table, secret }: Pick<AnyDefinition, 'name' | 'secret'>,
  field: string,
): PersonKind | undefined {
  const known = storeFields[table]?.[field];
  if (known !== undefined || publicTables.has(table)) return known;
  if (secret?.has(field) === true) return 'tokens';
  return otherFields.find(([name]) => name.test(field))?.[1];
}
