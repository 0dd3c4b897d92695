import * as z from 'zod';
import type { Database } from '../models/database.ts';
import type { User } from '../models/user.ts';
import { anyText, flag, text } from '../rest/field.ts';
import { form, partialForm, type Form } from '../rest/form.ts';
import { Page, pageForm } from '../rest/page.ts';
import { hashPassword, saltOf } from '../lib/pseudo-random.ts';
import { definedOnly, findOrThrow, mustBeUnique, pageOf } from '../definition/records.ts';
import { endpoint, type Shop, linkTo, defineView } from './endpoint.ts';
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
const plainPassword = text({ max: 4096 });

export const userEndpoints = [
  endpoint({
    method: 'GET',
    path: '/api/users/',
    summary: 'List users, newest first',
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
    status: 200,
    answer: Page(UserView),
    errors: ['invalid'],
    example: { url: '/api/users/?limit=3' },
    handle(call) {
      const where = [matchesName(call.query.criteria?.query)];
      return pageOf(listing(call.shop.db.users, order, call, { where }), userView, call);
    },
  }),
  endpoint({
    method: 'GET',
    path: '/api/users/:user_id',
    summary: 'Read a user',
    status: 200,
    answer: UserView,
    errors: ['missing'],
    example: { url: '/api/users/1' },
    handle: ({ shop, params }) => userView(findOrThrow(shop.db.users, params.user_id)),
  }),
  endpoint({
    method: 'POST',
    path: '/api/users/',
    summary: 'Create a user',
    body: form({ ...profile, plainPassword }),
    status: 201,
    answer: UserView,
    errors: ['invalid'],
    example: {
      url: '/api/users/',
      body: {
        firstName: 'Ada',
        lastName: 'Novak',
        email: 'ada.novak@example.com',
        plainPassword: 'correct horse',
      },
    },
    check: ({ shop, body }) => [emailTaken(shop, body.email)],
    handle: ({ shop, body }) => userView(addUser(shop, body)),
    location: ({ id }) => linkTo('users', id).href,
  }),
  updateUser('PUT', form({ ...profile, plainPassword: plainPassword.optional() })),
  updateUser('PATCH', partialForm({ ...profile, plainPassword })),
  endpoint({
    method: 'DELETE',
    path: '/api/users/:user_id',
    summary: 'Delete a user; existing orders keep it',
    status: 204,
    answer: undefined,
    errors: ['missing'],
    example: { url: '/api/users/5' },
    handle({ shop, params }) {
      shop.db.users.remove(findOrThrow(shop.db.users, params.user_id).id);
    },
  }),
];

type Profile = z.output<z.ZodObject<typeof profile>>;
export interface Password {
  readonly plainPassword?: string | undefined;
}

function updateUser(method: 'PUT' | 'PATCH', body: Form<Partial<Profile> & Password>) {
  return endpoint({
    method,
    path: '/api/users/:user_id',
    summary: method === 'PUT' ? 'Update a user' : 'Update some fields of a user',
    body,
    status: 204,
    answer: undefined,
    errors: ['missing', 'invalid'],
    example: {
      url: '/api/users/1',
      body: { firstName: 'Ada', lastName: 'Nowak', email: 'ada.nowak@example.com' },
    },
    subject: ({ shop, params }) => findOrThrow(shop.db.users, params.user_id),
    check: ({ shop, subject, body: sent }) => [emailTaken(shop, sent.email, subject)],
    handle({ shop, subject, body: sent }) {
      shop.db.users.change(subject.id, {
        ...profileFields(sent),
        ...(sent.plainPassword !== undefined && {
          password: hashPassword(shop.seed, subject.salt, sent.plainPassword),
        }),
      });
    },
  });
}

function addUser(shop: Shop, sent: Profile & { readonly plainPassword: string }): User {
  const salt = saltOf(shop.seed, sent.email.toLowerCase());
  return shop.db.users.add({
    first_name: sent.firstName,
    last_name: sent.lastName,
    username: sent.email,
    username_canonical: sent.email.toLowerCase(),
    email: sent.email,
    email_canonical: sent.email.toLowerCase(),
    enabled: sent.enabled ?? true,
    locked: false,
    expired: false,
    credentials_expired: false,
    roles: [],
    salt,
    password: hashPassword(shop.seed, salt, sent.plainPassword),
  });
}

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

function emailTaken(shop: Shop, email: string | undefined, self?: User) {
  return mustBeUnique(
    'email',
    email === undefined ? undefined : findUserByName(shop.db, email),
    self,
  );
}
