import * as z from 'zod';
import type { Database } from '../models/database.ts';
import type { User } from '../models/user.ts';
import { anyText, flag, text } from '../rest/field.ts';
import { form, partialForm, type Form } from '../rest/form.ts';
import { pageForm } from '../rest/page.ts';
import { hashPassword, saltOf } from '../lib/pseudo-random.ts';
import { definedOnly, mustBeUnique } from '../definition/records.ts';
import { resourceRows, defineView } from './endpoint.ts';
import { contains, listing, type ListOrder } from '../definition/listing.ts';

/** A user in an order: without `password` and `salt`. */
export const UserInOrderView = defineView('UserInOrder', () => ({
  id: z.int(),
  username: z.string(),
  username_canonical: z.string(),
  email: z.string(),
  email_canonical: z.string(),
  enabled: z.boolean(),
  locked: z.boolean(),
  expired: z.boolean(),
  credentials_expired: z.boolean(),
  groups: z.array(z.never()),
  roles: z.array(z.string()),
}));
export type UserInOrderView = z.output<typeof UserInOrderView>;

export const UserView = defineView('User', () => ({
  ...UserInOrderView.shape,
  password: z.string(),
  salt: z.string(),
}));
export type UserView = z.output<typeof UserView>;

const order: ListOrder<User, never> = { fields: [['id', 'desc']] };

/** Requires a dot within the domain. Matches in linear time, also for long invalid input. */
const emailAddress = /^[^\s@]+@[^\s@][^\s@.]*\.[^\s@]+$/;

const profile = {
  firstName: text({ label: 'First name', blank: 'Please enter your first name.', min: 2 }),
  lastName: text({ label: 'Last name', blank: 'Please enter your last name.', min: 2 }),
  email: text().regex(emailAddress, 'This value is not a valid email address.'),
  enabled: flag().optional(),
};
type Profile = z.output<z.ZodObject<typeof profile>>;
const plainPassword = text({ max: 4096 });

type UserChange = Partial<Profile> & { readonly plainPassword?: string | undefined };
const changeForms: Readonly<Record<'PUT' | 'PATCH', Form<UserChange>>> = {
  PUT: form({ ...profile, plainPassword: plainPassword.optional() }),
  PATCH: partialForm({ ...profile, plainPassword }),
};

export const userEndpoints = resourceRows({
  path: '/api/users/',
  recordPath: '/api/users/:user_id',
  summary: {
    one: 'user',
    list: 'List users, newest first',
    delete: 'Delete a user; existing orders keep it',
  },
  example: {
    list: '?limit=3',
    create: {
      firstName: 'Ada',
      lastName: 'Novak',
      email: 'ada.novak@example.com',
      plainPassword: 'correct horse',
    },
    change: { firstName: 'Ada', lastName: 'Nowak', email: 'ada.nowak@example.com' },
    deleted: 5,
  },
  table: ({ db }) => db.users,
  query: pageForm({
    criteria: { query: anyText().optional() },
    sorting: [
      'id',
      'username',
      'username_canonical',
      'email',
      'email_canonical',
      'enabled',
      'locked',
      'expired',
      'credentials_expired',
      'password',
      'salt',
    ],
  }),
  list(call) {
    const where = [matchesName(call.query.criteria?.query)];
    return listing(call.shop.db.users, order, call, { where });
  },
  view: UserView,
  show: userView,
  forms: { POST: form({ ...profile, plainPassword }), ...changeForms },
  created: UserView,
  check({ shop: { db }, body: { email } }, self) {
    const owner = email === undefined ? undefined : findUserByName(db, email);
    return [mustBeUnique('email', owner, self)];
  },
  create({ shop, body: { firstName, lastName, email, enabled = true, plainPassword: sent } }) {
    const salt = saltOf(shop.seed, email.toLowerCase());
    const user = shop.db.users.add({
      first_name: firstName,
      last_name: lastName,
      username: email,
      username_canonical: email.toLowerCase(),
      email,
      email_canonical: email.toLowerCase(),
      enabled,
      locked: false,
      expired: false,
      credentials_expired: false,
      roles: [],
      salt,
      password: hashPassword(shop.seed, salt, sent),
    });
    return userView(user);
  },
  change({ shop, subject, body: { plainPassword: sent, ...others } }) {
    shop.db.users.change(subject.id, {
      ...profileFields(others),
      ...(sent !== undefined && { password: hashPassword(shop.seed, subject.salt, sent) }),
    });
  },
});

/** Converts parameters to the fields of a record. Fields of omitted parameters are unchanged. */
function profileFields({ firstName, lastName, email, enabled }: Partial<Profile>) {
  return definedOnly({
    first_name: firstName,
    last_name: lastName,
    username: email,
    username_canonical: email?.toLowerCase(),
    email,
    email_canonical: email?.toLowerCase(),
    enabled,
  });
}

export function userView(user: User): UserView {
  return {
    ...userInOrderView(user),
    password: user.password,
    salt: user.salt,
  };
}

/** The fields of a user that orders show. */
export const userFieldsInOrder = [
  'id',
  'username',
  'username_canonical',
  'email',
  'email_canonical',
  'enabled',
  'locked',
  'expired',
  'credentials_expired',
  'roles',
] as const;

export function userInOrderView(
  user: Pick<User, (typeof userFieldsInOrder)[number]>,
): UserInOrderView {
  return {
    id: user.id,
    username: user.username,
    username_canonical: user.username_canonical,
    email: user.email,
    email_canonical: user.email_canonical,
    enabled: user.enabled,
    locked: user.locked,
    expired: user.expired,
    credentials_expired: user.credentials_expired,
    groups: [],
    roles: [...user.roles],
  };
}

/** Returns the user with this username or e-mail address, case-insensitive. */
export function findUserByName({ users }: Database, name: string): User | undefined {
  const canonical = name.toLowerCase();
  return users.findUnique('email', canonical) ?? users.findUnique('username', canonical);
}

function matchesName(query: string | undefined): ((user: User) => boolean) | undefined {
  const matches = contains(query);
  return (
    matches &&
    ((user) =>
      matches(user.username) ||
      matches(user.email) ||
      matches(user.first_name) ||
      matches(user.last_name) ||
      matches(`${user.first_name} ${user.last_name}`))
  );
}
