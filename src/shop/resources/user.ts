import * as z from 'zod';
import type { Database } from '../models/database.ts';
import { User, userFields } from '../models/user.ts';
import { anyText, text } from '../../engine/rest/field.ts';
import { form, partialForm, type Form } from '../../engine/rest/form.ts';
import { pageForm } from '../../engine/rest/page.ts';
import { hashPassword, saltOf } from '../../engine/lib/pseudo-random.ts';
import { asStored, mustBeUnique } from '../../engine/definition/records.ts';
import { resourceRows, defineView } from './endpoint.ts';
import { shownFields } from '../../engine/definition/shown-fields.ts';
import { contains, listing, type ListOrder } from '../../engine/definition/listing.ts';

/** The fields of a user in an order, in addition to its roles. */
const shown = shownFields(
  User,
  'username',
  'username_canonical',
  'email',
  'email_canonical',
  ...userFields.names,
  'locked',
  'expired',
  'credentials_expired',
);

/** A user in an order: without `password` and `salt`. */
export const UserInOrderView = defineView('UserInOrder', () =>
  shown.shape({
    groups: z.array(z.never()),
    roles: z.array(z.string()),
  }),
);
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
  ...userFields.body,
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
    sorting: [...shown.names, 'password', 'salt'],
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
  create({ shop, body }) {
    const { firstName, lastName, email, plainPassword: sent, enabled = true, ...others } = body;
    const user = shop.db.users.add({
      first_name: firstName,
      last_name: lastName,
      ...namesOf(email),
      ...asStored(others),
      ...newAccount(shop.seed, email, sent),
      enabled,
    });
    return userView(user);
  },
  change({ shop, subject, body: { plainPassword: sent, email, ...others } }, method) {
    shop.db.users.change(subject.id, {
      ...userFields.cleared(method),
      ...asStored(others),
      ...(email !== undefined && namesOf(email)),
      ...(sent !== undefined && { password: hashPassword(shop.seed, subject.salt, sent) }),
    });
  },
});

/** Returns the fields of a new user that the password sets, and those that are the same for all. */
export function newAccount(seed: number, email: string, sent: string) {
  const salt = saltOf(seed, email.toLowerCase());
  const password = hashPassword(seed, salt, sent);
  const states = { locked: false, expired: false, credentials_expired: false };
  return { enabled: true, ...states, roles: [], salt, password };
}

/** Returns the fields that an e-mail address sets. */
export function namesOf(email: string) {
  const canonical = email.toLowerCase();
  return { username: email, username_canonical: canonical, email, email_canonical: canonical };
}

export function userView(user: User): UserView {
  return {
    ...userInOrderView(user),
    password: user.password,
    salt: user.salt,
  };
}

/** The fields that a user in an order is made of. */
export const userFieldsInOrder = [...shown.names, 'roles'] as const;

export function userInOrderView(
  user: Pick<User, (typeof userFieldsInOrder)[number]>,
): UserInOrderView {
  return { ...shown.of(user), groups: [], roles: [...user.roles] };
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
