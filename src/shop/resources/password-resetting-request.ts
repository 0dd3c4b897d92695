import * as z from 'zod';
import { addDuration } from '../../engine/lib/duration.ts';
import { Timestamp } from '../../engine/lib/fields.ts';
import type { User } from '../models/user.ts';
import { Problem } from '../../engine/lib/problem.ts';
import { anyText } from '../../engine/rest/field.ts';
import { form } from '../../engine/rest/form.ts';
import { tokenOf } from '../../engine/lib/pseudo-random.ts';
import { endpoint, type Shop, defineView } from './endpoint.ts';
import { UserInOrderView, userInOrderView, findUserByName } from './user.ts';

const tokenLifetime = 'PT24H';

export const PasswordResettingView = defineView('PasswordResetting', () => ({
  ...UserInOrderView.shape,
  last_login: Timestamp.optional(),
  confirmation_token: z.string(),
  password_requested_at: Timestamp,
}));
export type PasswordResettingView = z.output<typeof PasswordResettingView>;

export const passwordResettingEndpoints = [
  endpoint({
    method: 'POST',
    path: '/api/password-resetting-requests/',
    operationId: 'requestPasswordReset',
    summary: 'Request a password reset',
    body: form({ username: anyText() }),
    status: 200,
    headers: { 'cache-control': 'no-store' },
    answer: PasswordResettingView,
    errors: ['invalid', 'missing'],
    example: {
      url: '/api/password-resetting-requests/',
      body: { username: 'oisin.mcgrath@example.org' },
    },
    handle: ({ shop, body }) => requestReset(shop, body.username),
  }),
];

function requestReset(shop: Shop, username: string): PasswordResettingView {
  const user = findUserByName(shop.db, username);
  if (user === undefined) throw new Problem('missing', 'User not found!');
  const now = shop.clock.now();
  if (hasToken(user, now)) throw new Problem('missing', 'Password token not expired!');
  const token = tokenOf(shop.seed, `${user.id} ${now}`);
  const changed = shop.db.users.change(user.id, {
    confirmation_token: token,
    password_requested_at: now,
  });
  return {
    ...userInOrderView(changed),
    ...(changed.last_login !== undefined && { last_login: changed.last_login }),
    confirmation_token: token,
    password_requested_at: now,
  };
}

function hasToken(user: User, now: string): boolean {
  const requested = user.password_requested_at;
  return requested !== undefined && now < addDuration(requested, tokenLifetime);
}
