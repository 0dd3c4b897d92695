import * as z from 'zod';
import { addDuration } from '../models/duration.ts';
import { isSameSecret } from '../models/secret.ts';
import type { Token } from '../models/token.ts';
import { Problem } from '../problem.ts';
import { form, notValid } from '../rest/form.ts';
import type { Address } from '../rest/endpoint.ts';
import type { ApiRequest } from '../rest/message.ts';
import { hashPassword, tokenOf } from './credential.ts';
import { endpoint, type Shop } from './endpoint.ts';
import { userNamed } from './user.ts';

/** The client and the user that every shop knows when it wants tokens. Users that a shop has can log in, too. */
export const demoClient = { id: 'demo_client', secret: 'secret_demo_client' };
export const demoUser = { username: 'api@example.com', password: 'api' };

const lifetimes = { access: 3600, refresh: 1_209_600 };

export const TokenView = z.strictObject({
  access_token: z.string(),
  expires_in: z.literal(lifetimes.access),
  token_type: z.literal('bearer'),
  scope: z.null(),
  refresh_token: z.string(),
});
export type TokenView = z.output<typeof TokenView>;

/** What is said to whom is given no token, and to whom is let nowhere. */
export const OAuthErrorView = z.strictObject({ error: z.string(), error_description: z.string() });

const parameter = z.string({ error: notValid }).optional();
const parameters = form({
  client_id: parameter,
  client_secret: parameter,
  grant_type: parameter,
  username: parameter,
  password: parameter,
  refresh_token: parameter,
  scope: parameter,
});
type Parameters = ReturnType<(typeof parameters)['read']>['values'];

const path = '/oauth/v2/token';
const asked = {
  client_id: demoClient.id,
  client_secret: demoClient.secret,
  grant_type: 'password',
  ...demoUser,
};

/** What gives tokens, where the setting `auth` wants them. */
export const oauthEndpoints = [
  endpoint({
    method: 'GET',
    path,
    summary: 'Get a token for a password or a refresh token, by the query',
    query: parameters,
    status: 200,
    answer: TokenView,
    refusals: ['invalid', 'refused', 'missing'],
    refusal: OAuthErrorView,
    example: { url: `${path}?${new URLSearchParams(asked)}` },
    handle: ({ shop, query }) => grant(shop, query),
  }),
  endpoint({
    method: 'POST',
    path,
    summary: 'Get a token for a password or a refresh token',
    body: parameters,
    status: 200,
    answer: TokenView,
    refusals: ['invalid', 'refused', 'missing'],
    refusal: OAuthErrorView,
    example: { url: path, body: asked },
    handle: ({ shop, body }) => grant(shop, body),
  }),
];

const wanted =
  'Wanted where the setting `auth` is `oauth2`, as in the scenario `authenticated`; not where it is `none`, as it is by default.';

/** How documents describe who is let in. */
export const tokenGuard = {
  covers: isGuarded,
  schemes: {
    oauth2: {
      type: 'oauth2',
      description: `${wanted} Client \`${demoClient.id}\` with \`${demoClient.secret}\`, user \`${demoUser.username}\` with \`${demoUser.password}\`; access tokens live an hour, refresh tokens two weeks.`,
      flows: { password: { tokenUrl: path, refreshUrl: path, scopes: {} } },
    },
    bearer: {
      type: 'http',
      scheme: 'bearer',
      description: `${wanted} An access token of ${path}.`,
    },
  },
  denied: { description: 'Denied, where the setting auth is oauth2', body: OAuthErrorView },
};

/**
 * Lets a request through to where it goes.
 *
 * @throws Problem `denied` for one that lacks a valid token where the setting `auth` wants one
 */
export function requireToken(
  { db, clock, settings }: Shop,
  { method, headers }: Pick<ApiRequest, 'method' | 'headers'>,
  address: Address,
): void {
  // A page asks by OPTIONS what it may send before it sends anything.
  if (settings.auth === 'none' || method === 'OPTIONS' || !isGuarded(address.path)) return;
  const [, value] = /^bearer +(\S+)\s*$/i.exec(headers['authorization'] ?? '') ?? [];
  if (value === undefined) throw denied('access_denied', 'OAuth2 authentication required');
  const token = db.tokens.findUnique('value', value);
  if (token?.kind !== 'access') {
    throw denied('invalid_grant', 'The access token provided is invalid.');
  }
  if (token.expires_at < clock.now()) {
    throw denied('invalid_grant', 'The access token provided has expired.');
  }
}

function isGuarded(to: string): boolean {
  return /^\/api(\/|$)/.test(to);
}

function grant(shop: Shop, sent: Parameters): TokenView {
  if (shop.settings.auth === 'none') {
    throw new Problem('missing', `There is no ${path}: the setting auth is none.`);
  }
  const { grant_type, client_id, client_secret } = sent;
  if (grant_type !== 'password' && grant_type !== 'refresh_token') {
    throw refused('invalid_request', 'Invalid grant_type parameter or parameter missing');
  }
  if (client_id !== demoClient.id || !isSameSecret(client_secret ?? '', demoClient.secret)) {
    throw refused('invalid_client', 'The client credentials are invalid');
  }
  return grant_type === 'password' ? byPassword(shop, sent) : byRefreshToken(shop, sent);
}

function byPassword(shop: Shop, { username, password }: Parameters): TokenView {
  if (username === undefined || password === undefined) {
    throw refused('invalid_request', 'Missing parameters. "username" and "password" required');
  }
  if (!isDemoUser(username, password) && !isUser(shop, username, password)) {
    throw refused('invalid_grant', 'Invalid username and password combination');
  }
  return issue(shop, username.toLowerCase());
}

/** A refresh token is good for one time. */
function byRefreshToken(shop: Shop, { refresh_token: value }: Parameters): TokenView {
  if (value === undefined) {
    throw refused('invalid_request', 'No "refresh_token" parameter found');
  }
  const token = shop.db.tokens.findUnique('value', value);
  if (token?.kind !== 'refresh') throw refused('invalid_grant', 'Invalid refresh token');
  if (token.expires_at < shop.clock.now()) {
    throw refused('invalid_grant', 'Refresh token has expired');
  }
  shop.db.tokens.remove(token.id);
  return issue(shop, token.username);
}

function isDemoUser(username: string, password: string): boolean {
  return username.toLowerCase() === demoUser.username && isSameSecret(password, demoUser.password);
}

function isUser(shop: Shop, username: string, password: string): boolean {
  const user = userNamed(shop, username);
  if (user?.enabled !== true) return false;
  return isSameSecret(hashPassword(shop.seed, user.salt, password), user.password);
}

function issue(shop: Shop, username: string): TokenView {
  return {
    access_token: add(shop, 'access', username).value,
    expires_in: lifetimes.access,
    token_type: 'bearer',
    scope: null,
    refresh_token: add(shop, 'refresh', username).value,
  };
}

function add({ db, clock, seed }: Shop, kind: Token['kind'], username: string): Token {
  const now = clock.now();
  const token = db.tokens.add({
    kind,
    value: '',
    client: demoClient.id,
    username,
    expires_at: addDuration(now, `PT${lifetimes[kind]}S`),
  });
  // No two tokens have the same id, so no two have the same value.
  return db.tokens.change(token.id, { value: tokenOf(seed, `${kind} ${token.id} ${now}`) });
}

function denied(error: string, description: string): Problem {
  return new Problem('denied', description, {
    headers: { 'www-authenticate': `Bearer realm="Service", error="${error}"` },
    body: { error, error_description: description },
  });
}

function refused(error: string, description: string): Problem {
  return new Problem('refused', description, { body: { error, error_description: description } });
}
