import * as z from 'zod';
import { baseFields } from '../../engine/extend/base-fields.ts';
import { schemaField } from '../../engine/extend/field.ts';
import { flag } from '../../engine/rest/field.ts';
import { lazyObject } from '../../engine/lib/lazy-object.ts';
import { Id, stamps, Timestamp } from '../../engine/lib/fields.ts';
import type { RowOf } from '../../engine/store/row.ts';
import { defineTable } from '../../engine/store/table-definition.ts';

/** The fields that clients send and get as they are stored. */
export const userFields = baseFields({
  enabled: schemaField(z.boolean(), flag().optional()),
});

export const User = lazyObject(() => ({
  id: Id,
  first_name: z.string(),
  last_name: z.string(),
  username: z.string(),
  username_canonical: z.string(),
  email: z.string(),
  email_canonical: z.string(),
  ...userFields.record(),
  locked: z.boolean(),
  expired: z.boolean(),
  credentials_expired: z.boolean(),
  roles: z.array(z.string()),
  password: z.string().describe('Hashed: base64 of 64 bytes'),
  salt: z.string(),
  last_login: Timestamp.optional(),
  confirmation_token: z.string().optional(),
  password_requested_at: Timestamp.optional(),
  ...stamps,
}));
export type User = RowOf<typeof User>;

export const users = defineTable({
  name: 'users',
  singular: 'user',
  schema: User,
  texts: {
    first_name: 'first names',
    last_name: 'last names',
    username: 'usernames',
    username_canonical: 'usernames',
    email: 'e-mails',
    email_canonical: 'e-mails',
    roles: 'code',
    password: 'passwords',
    salt: 'passwords',
    confirmation_token: 'tokens',
  },
  unique: { email: (row) => row.email_canonical, username: ownUsername },
  softDelete: true,
});

/** Returns the username if it differs from the e-mail. Most do not. */
function ownUsername({ username_canonical, email_canonical }: User): string | undefined {
  return username_canonical === email_canonical ? undefined : username_canonical;
}

export const Address = lazyObject(() => ({
  id: Id,
  first_name: z.string(),
  last_name: z.string(),
  street: z.string(),
  city: z.string(),
  postcode: z.string(),
  country_id: Id,
  province_id: Id.optional(),
  ...stamps,
}));
export type Address = RowOf<typeof Address>;

export const addresses = defineTable({
  name: 'addresses',
  singular: 'address',
  schema: Address,
  texts: {
    first_name: 'first names',
    last_name: 'last names',
    street: 'streets',
    city: 'cities',
    postcode: 'postcodes',
  },
  references: { country_id: 'countries', province_id: 'provinces' },
});

/** An OAuth token of a client of the store API. */
export const Token = lazyObject(() => ({
  id: Id,
  kind: z.enum(['access', 'refresh']),
  value: z.string(),
  client: z.string().describe('Id of the client that requested it'),
  username: z.string().describe('Username that it was requested for'),
  user_id: Id.optional().describe('User with that username; the demo user may have no record'),
  expires_at: Timestamp,
}));
export type Token = RowOf<typeof Token>;

export const tokens = defineTable({
  name: 'tokens',
  singular: 'token',
  schema: Token,
  texts: { value: 'tokens', client: 'code', username: 'usernames' },
  unique: { value: (row) => row.value },
  secret: new Set(['value']),
  indexes: { expiry: (row) => [row.expires_at] },
});
