import type { ApiDefinition } from '../definition/api.ts';
import { truncate } from '../lib/problem.ts';
import { Settings, type SettingsInput } from '../../shop/scenario.ts';
import { storeApi } from '../../shop/store-api.ts';
import { namedPath } from '../lib/api-path.ts';
import { createClient, Unreachable, type ClientOptions } from './client.ts';
import type { Finding } from './finding.ts';
import { Enough, Inspection, type Seen } from './inspection.ts';
import type { Item } from './items.ts';
import { pageIn } from './pages.ts';
import { checkReads } from './reads.ts';
import { findReadSettings, findWriteSettings, jsonRequest } from './settings.ts';
import { checkWrites, findCatalogue, type Login } from './writes.ts';

export interface VerifyOptions extends ClientOptions {
  /** The API that the server must have (default: that of the store). */
  readonly api?: ApiDefinition | undefined;
  /** Runs the workflows too, which write, and deletes what they made (default: false). */
  readonly write?: boolean | undefined;
  /** Letters and digits that no record of the server has, for unique names and addresses (default: `probe`). */
  readonly tag?: string | undefined;
  /** Number of findings after which the check ends (default: unlimited). */
  readonly maxFindings?: number | undefined;
  /** Resources to check: `['orders']` (default: all). */
  readonly only?: readonly string[] | undefined;
  /** Settings that the server must have. They are not found out. */
  readonly settings?: SettingsInput | undefined;
  /** An access token. */
  readonly token?: string | undefined;
  /** Gets an access token for a password. */
  readonly login?: Login | undefined;
}

/** What a check of a server found. */
export interface Verification {
  readonly url: string;
  /** Whether the workflows that write were run. */
  readonly wrote: boolean;
  readonly findings: readonly Finding[];
  /** The settings that make a back office behave like the server, as far as they could be found out. */
  readonly settings: SettingsInput;
  /** Names of the settings that could not be found out, so the defaults apply. */
  readonly unknownSettings: readonly string[];
  /** What was not checked, and why. */
  readonly notes: readonly string[];
  /** Number of requests sent, and of endpoints that they met. */
  readonly requests: number;
  readonly endpoints: number;
}

/**
 * Checks whether another server keeps the contract.
 *
 * @throws Unreachable if it cannot be checked: no response, another API, or missing credentials
 */
export async function verifyServer(options: VerifyOptions): Promise<Verification> {
  const client = createClient(options);
  const inspection = new Inspection(client, options.api ?? storeApi, options);
  const given = options.settings ?? {};
  Object.assign(inspection.settings, given);
  for (const name of Object.keys(given)) inspection.fixed.add(name);
  try {
    await enter(inspection, options);
    await findReadSettings(inspection, options.write === true);
    if (options.write === true) {
      await checkWithWrites(inspection, options.login);
    } else await checkReads(inspection);
  } catch (error) {
    if (!(error instanceof Enough)) throw error;
    inspection.notes.push(
      `The check ended after ${inspection.findings.length} differences. Check one resource at a time (--only).`,
    );
  } finally {
    // Whatever failed: nothing that was made is left behind, if the server still responds.
    if (inspection.created.size > 0) {
      client.deadline = AbortSignal.timeout(cleanUpTime);
      await inspection.cleanUp().catch(() => undefined);
    }
  }
  const names = Object.keys(Settings.shape);
  return {
    url: `${client.origin}${client.prefix}${client.apiPath === namedPath ? '' : client.apiPath}`,
    wrote: options.write === true,
    findings: inspection.findings,
    settings: inspection.settings,
    unknownSettings: names.filter((name) => !(name in inspection.settings)),
    notes: inspection.notes,
    requests: client.count(),
    endpoints: inspection.endpoints,
  };
}

/** How long records are deleted after a failure, in milliseconds. */
const cleanUpTime = 30_000;

/** Whether a header can have this token: visible characters of ASCII. */
function isBearerToken(text: string): boolean {
  return /^[\u0021-\u007e]+$/.test(text);
}

async function checkWithWrites(inspection: Inspection, login: Login | undefined): Promise<void> {
  const found = await findRecords(inspection);
  const catalogue = await findCatalogue(inspection, found);
  if (typeof catalogue !== 'string') await findWriteSettings(inspection, catalogue);
  await inspection.cleanUp();
  await checkWrites(inspection, catalogue, login);
  await inspection.cleanUp();
  await checkReads(inspection);
}

/** Reads the records that the probes of settings need. */
async function findRecords(inspection: Inspection): Promise<Parameters<typeof findCatalogue>[1]> {
  const names = ['channels', 'payment-methods', 'orders', 'products'];
  const items = new Map<string, readonly Item[]>();
  for (const name of names) {
    const page = pageIn(await inspection.get(`/api/${name}/?limit=15`));
    items.set(name, page?._embedded.items ?? []);
  }
  return { items };
}

/** Finds out whether the server requires a token, and gets one. */
async function enter(inspection: Inspection, { token, login }: VerifyOptions): Promise<void> {
  const { client } = inspection;
  const first = await inspection.get('/api/channels/');
  assertIsStore(first, client.origin);
  if (!inspection.fixed.has('auth')) {
    inspection.settings.auth = first.status === 401 ? 'oauth2' : 'none';
  }
  if (token !== undefined) client.authorization = `Bearer ${token}`;
  else if (login !== undefined) client.authorization = `Bearer ${await tokenOf(inspection, login)}`;
  if (first.status !== 401) {
    if (first.status === 404) {
      throw new Unreachable(
        `${client.origin}${client.prefix} has no ${client.apiPath}/channels/. Pass the URL in front of /api, or up to its end.`,
      );
    }
    return;
  }
  if (client.authorization === undefined) {
    throw new Unreachable(`${client.origin} requires a token. Pass --user or --token.`);
  }
  const invalid = {
    headers: { authorization: 'Bearer invalid' },
    method: 'GET',
    url: '/api/channels/',
  };
  inspection.expectStatus(invalid, await inspection.ask(invalid), 401, 'the token is invalid');
  const second = await inspection.get('/api/channels/');
  if (second.status === 401) throw new Unreachable(`${client.origin} rejected the token.`);
}

async function tokenOf(inspection: Inspection, login: Login): Promise<string> {
  const request = jsonRequest('POST', '/oauth/v2/token', {
    grant_type: 'password',
    client_id: login.clientId,
    client_secret: login.clientSecret,
    username: login.username,
    password: login.password,
  });
  const { json, status } = await inspection.ask(request);
  const body = (json ?? {}) as { access_token?: unknown; error_description?: unknown };
  const { access_token: token, error_description: description } = body;
  if (typeof token === 'string' && isBearerToken(token)) return token;
  const reason = typeof description === 'string' ? `: ${truncate(description)}` : '';
  throw new Unreachable(
    `${inspection.client.origin} issued no token, with status ${status}${reason}.`,
  );
}

/** @throws Unreachable if a response shows that this is not the API of a store back office */
function assertIsStore({ status, headers, body, json }: Seen, origin: string): void {
  const { location, 'content-type': type = 'nothing' } = headers;
  if (status >= 300 && status < 400 && location !== undefined) {
    throw new Unreachable(`${origin} redirects to ${truncate(location)}. Pass that URL.`);
  }
  if (json === undefined && body !== '') {
    throw new Unreachable(
      `${origin} responded with ${type.split(';')[0]}, not JSON. Pass the URL in front of /api.`,
    );
  }
  if (body === '' || status >= 500) {
    throw new Unreachable(
      `${origin} responded to GET /api/channels/ with status ${status}${body === '' ? ' and no body' : ''}.`,
    );
  }
}
