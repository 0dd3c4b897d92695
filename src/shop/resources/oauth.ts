import * as z from 'zod';
import type { Database } from '../models/database.ts';
import { isBelow, namedPath } from '../../engine/lib/api-path.ts';
import { addDuration } from '../../engine/lib/duration.ts';
import { isSameSecret } from '../../engine/lib/names.ts';
import type { Token, User } from '../models/user.ts';
import { Problem } from '../../engine/lib/problem.ts';
import { form, notValid } from '../../engine/rest/form.ts';
import type { RequestTarget } from '../../engine/rest/endpoint.ts';
import type { ApiRequest } from '../../engine/rest/message.ts';
import { hashPassword, tokenOf } from '../../engine/lib/pseudo-random.ts';
import { basicCredentials } from './basic-credentials.ts';
import { endpoint, type Shop, defineView } from './endpoint.ts';
import { findUserByName } from './user.ts';

/** The client and the user of every shop. The users of a shop can log in, too. */
export const demoClient = { id: 'demo_client', secret: 'secret_demo_client' };
export const demoUser = { username: 'api@example.com', password: 'api' };

const lifetimes = { access: 3600, refresh: 1_209_600 };

export const TokenView = defineView('Token', () => ({
  access_token: z.string(),
  expires_in: z.literal(lifetimes.access),
  token_type: z.literal('bearer'),
  scope: z.null(),
  refresh_token: z.string(),
}));
export type TokenView = z.output<typeof TokenView>;

/** The error body of OAuth 2.0: https://www.rfc-editor.org/rfc/rfc6749#section-5.2 */
export const OAuthErrorView = defineView('OAuthError', () => ({
  error: z.string(),
  error_description: z.string(),
}));

const parameter = z.string({ error: notValid }).optional();
const knownParameters = form({
  client_id: parameter,
  client_secret: parameter,
  grant_type: parameter,
  username: parameter,
  password: parameter,
  refresh_token: parameter,
  scope: parameter,
});
/** Unknown parameters are ignored: https://www.rfc-editor.org/rfc/rfc6749#section-3.2 */
const parameters: typeof knownParameters = {
  ...knownParameters,
  parse: (sent) => knownParameters.parse(sent, 'ignore'),
};
type Parameters = ReturnType<(typeof parameters)['parse']>['values'];

/** The errors of the token endpoint that no part of OAuth names, such as a body that cannot be parsed. */
const errorBody = {
  schema: OAuthErrorView,
  of: (error_description: string) => ({ error: 'invalid_request', error_description }),
};

export const tokenPath = '/oauth/v2/token';
const exampleParameters = {
  client_id: demoClient.id,
  client_secret: demoClient.secret,
  grant_type: 'password',
  ...demoUser,
};

/** A request with GET that returns a token. */
export const exampleTokenUrl = `${tokenPath}?${new URLSearchParams(exampleParameters)}`;

/** Caches must not store tokens: https://www.rfc-editor.org/rfc/rfc6749#section-5.1 */
const noStore = { 'cache-control': 'no-store', pragma: 'no-cache' };

/** The token endpoint. It issues tokens for any value of the setting `auth`. */
export const oauthEndpoints = [
  endpoint({
    method: 'GET',
    path: tokenPath,
    operationId: 'getTokenByQuery',
    summary: 'Get a token for a password or a refresh token, with query parameters',
    query: parameters,
    status: 200,
    headers: noStore,
    answer: TokenView,
    errors: ['invalid', 'refused'],
    errorBody,
    example: { url: exampleTokenUrl },
    handle: ({ shop, query, headers }) => grant(shop, query, headers),
  }),
  endpoint({
    method: 'POST',
    path: tokenPath,
    operationId: 'getToken',
    summary: 'Get a token for a password or a refresh token',
    body: parameters,
    status: 200,
    headers: noStore,
    answer: TokenView,
    errors: ['invalid', 'refused'],
    errorBody,
    example: { url: tokenPath, body: exampleParameters },
    handle: ({ shop, body, headers }) => grant(shop, body, headers),
  }),
];

/**
 * Asserts that a request has a valid token, if the setting `auth` requires one.
 *
 * @throws Problem `denied`
 */
export function assertToken(
  { api, db, clock, settings }: Shop,
  { method, headers }: Pick<ApiRequest, 'method' | 'headers'>,
  target: RequestTarget,
): void {
  // CORS preflight requests have no token.
  if (settings.auth === 'none' || method === 'OPTIONS' || !isGuarded(target.path, api.path)) return;
  const [, value] = /^bearer +(\S+)\s*$/i.exec(headers['authorization'] ?? '') ?? [];
  if (value === undefined) throw deniedProblem('access_denied', 'OAuth2 authentication required');
  const token = db.tokens.findUnique('value', value);
  if (token?.kind !== 'access') {
    throw deniedProblem('invalid_grant', 'The access token provided is invalid.');
  }
  if (token.expires_at < clock.now()) {
    throw deniedProblem('invalid_grant', 'The access token provided has expired.');
  }
  if (!ownerCanLogIn(db, token)) {
    throw deniedProblem('invalid_grant', 'The access token provided is invalid.');
  }
}

/** Whether the setting `auth` decides if a path requires a token. */
export function isGuarded(path: string, apiPath: string = namedPath): boolean {
  return isBelow(apiPath, path) && !isBelow('/oauth', path);
}

function grant(shop: Shop, sent: Parameters, headers: ApiRequest['headers']): TokenView {
  const { grant_type } = sent;
  const { client_id, client_secret } = basicCredentials(headers['authorization']) ?? sent;
  if (grant_type !== 'password' && grant_type !== 'refresh_token') {
    throw refusedProblem('invalid_request', 'Invalid grant_type parameter or parameter missing');
  }
  if (client_id !== demoClient.id || !isSameSecret(client_secret ?? '', demoClient.secret)) {
    throw refusedProblem('invalid_client', 'The client credentials are invalid');
  }
  return grant_type === 'password' ? byPassword(shop, sent) : byRefreshToken(shop, sent);
}

function byPassword(shop: Shop, { username, password }: Parameters): TokenView {
  if (username === undefined || password === undefined) {
    throw refusedProblem(
      'invalid_request',
      'Missing parameters. "username" and "password" required',
    );
  }
  const user = findUserByName(shop.db, username);
  const isRight = isDemoUser(username, password) || isPasswordOf(shop, user, password);
  const owner = { username: username.toLowerCase(), user_id: user?.id };
  if (!isRight || !ownerCanLogIn(shop.db, owner)) {
    throw refusedProblem('invalid_grant', 'Invalid username and password combination');
  }
  return issueTokens(shop, owner);
}

/** A refresh token is valid once. */
function byRefreshToken(shop: Shop, { refresh_token: value }: Parameters): TokenView {
  if (value === undefined) {
    throw refusedProblem('invalid_request', 'No "refresh_token" parameter found');
  }
  const token = shop.db.tokens.findUnique('value', value);
  if (token?.kind !== 'refresh') throw refusedProblem('invalid_grant', 'Invalid refresh token');
  if (token.expires_at < shop.clock.now()) {
    throw refusedProblem('invalid_grant', 'Refresh token has expired');
  }
  if (!ownerCanLogIn(shop.db, token))
    throw refusedProblem('invalid_grant', 'Invalid refresh token');
  shop.db.tokens.remove(token.id);
  return issueTokens(shop, token);
}

function isDemoUser(username: string, password: string): boolean {
  return username.toLowerCase() === demoUser.username && isSameSecret(password, demoUser.password);
}

function isPasswordOf({ seed }: Shop, user: User | undefined, password: string): boolean {
  return user !== undefined && isSameSecret(user.password, hashPassword(seed, user.salt, password));
}

/** Whether the user of a token can get a new one. The demo user can, although it has no record. */
function ownerCanLogIn(db: Database, { user_id, username }: Owner): boolean {
  const user = user_id === undefined ? findUserByName(db, username) : db.users.get(user_id);
  if (user !== undefined) return canLogIn(user);
  return user_id === undefined && username === demoUser.username;
}

function canLogIn({ enabled, locked, expired, credentials_expired }: User): boolean {
  return enabled && !locked && !expired && !credentials_expired;
}

/** The user that a token is issued to. */
type Owner = Pick<Token, 'username' | 'user_id'>;

function issueTokens(shop: Shop, owner: Owner): TokenView {
  removeExpired(shop);
  return {
    access_token: addToken(shop, 'access', owner).value,
    expires_in: lifetimes.access,
    token_type: 'bearer',
    scope: null,
    refresh_token: addToken(shop, 'refresh', owner).value,
  };
}

/** Removes expired tokens in time proportional to their number: the index is sorted by expiry. */
function removeExpired({ db, clock }: Shop): void {
  const now = clock.now();
  for (
    let token = db.tokens.first('expiry');
    token !== undefined && token.expires_at < now;
    token = db.tokens.first('expiry')
  ) {
    db.tokens.remove(token.id);
  }
}

function addToken(
  { db, clock, seed }: Shop,
  kind: Token['kind'],
  { username, user_id }: Owner,
): Token {
  const now = clock.now();
  const token = db.tokens.add({
    kind,
    value: '',
    client: demoClient.id,
    username,
    user_id,
    expires_at: addDuration(now, `PT${lifetimes[kind]}S`),
  });
  // No two tokens have the same id, so no two have the same value.
  return db.tokens.change(token.id, { value: tokenOf(seed, `${kind} ${token.id} ${now}`) });
}

function deniedProblem(error: string, description: string): Problem {
  return new Problem('denied', description, {
    headers: { 'www-authenticate': `Bearer realm="Service", error="${error}"` },
    body: { error, error_description: description },
  });
}

function refusedProblem(error: string, description: string): Problem {
  return new Problem('refused', description, {
    headers: noStore,
    body: { error, error_description: description },
  });
}
