import * as z from 'zod';
import type { ApiDefinition } from '../../engine/definition/api.ts';
import { truncate } from '../../engine/lib/problem.ts';
import type { KnownSettings, Login, ParsedResponse } from '../../engine/definition/drift.ts';
import { addressOf, namedPath } from '../../engine/lib/api-path.ts';
import { Client, Unreachable, type ClientOptions } from './client.ts';
import type { Finding } from './finding.ts';
import { EnoughFindings, Inspection, type InspectionOptions } from './inspection.ts';
import { checkReads } from './reads.ts';
import { checkWrites } from './writes.ts';

export interface VerifyOptions extends ClientOptions, InspectionOptions {
  /** The API that the server must have. */
  readonly api: ApiDefinition;
  /** Runs the workflows too, which write, and deletes what they made (default: false). */
  readonly write?: boolean | undefined;
  /** An access token. */
  readonly token?: string | undefined;
  /** Gets an access token for a password. */
  readonly login?: Login | undefined;
}

/** The result of a check of a server. */
export interface Verification {
  readonly url: string;
  /** Whether the workflows that write were run. */
  readonly wrote: boolean;
  readonly findings: readonly Finding[];
  /** The settings that make a back office behave like the server, as far as they could be found out. */
  readonly settings: KnownSettings;
  /** Names of the settings that could not be found out, so the defaults apply. */
  readonly unknownSettings: readonly string[];
  /** The parts that were not checked, with the reasons. */
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
  const { api, write: wrote = false } = options;
  const client = new Client(options);
  const drift = await api.drift?.();
  const inspection = new Inspection(client, api, drift, options);
  try {
    await enter(inspection, options);
    await drift?.findSettings(inspection, wrote);
    if (wrote) await checkWrites(inspection, options.login);
    if (wrote) await inspection.cleanUp();
    await checkReads(inspection);
  } catch (error) {
    if (!(error instanceof EnoughFindings)) throw error;
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
  return {
    url: `${client.origin}${client.prefix}${client.apiPath === namedPath ? '' : client.apiPath}`,
    wrote,
    findings: inspection.findings,
    settings: inspection.settings,
    unknownSettings: settingNames(api).filter((name) => !(name in inspection.settings)),
    notes: inspection.notes,
    requests: client.count,
    endpoints: inspection.endpoints,
  };
}

/** The maximum time for deleting records after a failure, in milliseconds. */
const cleanUpTime = 30_000;

/** Whether a header can have this token: visible characters of ASCII. */
function isBearerToken(text: string): boolean {
  return /^[\u0021-\u007e]+$/.test(text);
}

function settingNames({ settings }: ApiDefinition): string[] {
  return settings instanceof z.ZodObject ? Object.keys(settings.shape) : [];
}

/** Returns the URL to read first. */
function entryOf({ api, drift }: Inspection): string {
  const list = api.endpoints.find(({ method, path }) => method === 'GET' && !path.includes(':'));
  return drift?.entry ?? list?.path ?? namedPath;
}

/** Finds out whether the server requires a token, and gets one. */
export async function enter(
  inspection: Inspection,
  { token, login }: Pick<VerifyOptions, 'token' | 'login'>,
): Promise<void> {
  const { client } = inspection;
  const entry = entryOf(inspection);
  const first = await inspection.get(entry);
  assertIsApi(first, entry, client.origin);
  if (settingNames(inspection.api).includes('auth'))
    inspection.set({ auth: first.status === 401 ? 'oauth2' : 'none' });
  if (token !== undefined) client.authorization = `Bearer ${token}`;
  else if (login !== undefined) client.authorization = `Bearer ${await tokenOf(inspection, login)}`;
  if (first.status !== 401) {
    if (first.status === 404) {
      throw new Unreachable(
        `${client.origin}${client.prefix} has no ${addressOf(client.apiPath, entry)}. Pass the URL in front of /api, or up to its end.`,
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
    url: entry,
  };
  inspection.expectStatus(invalid, await inspection.ask(invalid), 401, 'the token is invalid');
  const second = await inspection.get(entry);
  if (second.status === 401) throw new Unreachable(`${client.origin} rejected the token.`);
}

async function tokenOf(inspection: Inspection, login: Login): Promise<string> {
  const { drift, client } = inspection;
  const { token, why } = (await drift?.token(inspection, login)) ?? { token: undefined, why: '' };
  if (typeof token === 'string' && isBearerToken(token)) return token;
  throw new Unreachable(`${client.origin} issued no token${why}.`);
}

/** @throws Unreachable if a response shows that this is no API */
function assertIsApi(
  { status, headers, body, json }: ParsedResponse,
  entry: string,
  origin: string,
): void {
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
      `${origin} responded to GET ${entry} with status ${status}${body === '' ? ' and no body' : ''}.`,
    );
  }
}
