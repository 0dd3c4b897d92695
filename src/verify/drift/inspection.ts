import { openBackOffice, type BackOffice } from '../../engine/office/open-back-office.ts';
import type { ApiDefinition } from '../../engine/definition/api.ts';
import type {
  DriftDefinition,
  KnownSettings,
  Report,
  ParsedResponse,
  SentRequest,
  ServerCheck,
} from '../../engine/definition/drift.ts';
import { addressOf } from '../../engine/lib/api-path.ts';
import { idsIn, withoutPrefix } from './rule.ts';
import type { Client } from './client.ts';
import { itemsIn } from './pages.ts';
import { matchRequest } from '../../engine/definition/match-request.ts';
import { checkExchange, describe } from './exchange.ts';
import { findingOf, reportDifferences, type Finding } from './finding.ts';
import { aliasOf, resourceOf } from './resources.ts';
import { parseJson, valueAt } from '../../engine/lib/json-value.ts';

/** Ends a check that has found enough. */
export class EnoughFindings extends Error {
  override readonly name = 'EnoughFindings';
}

export interface InspectionOptions {
  /** Letters and digits that no record of the server has, for unique names and addresses (default: `probe`). */
  readonly tag?: string | undefined;
  /** Number of findings after which the check ends (default: unlimited). */
  readonly maxFindings?: number | undefined;
  /** Resources to check: `['orders']` (default: all). */
  readonly only?: readonly string[] | undefined;
  /** Settings that the server must have. They are not found out. */
  readonly settings?: KnownSettings | undefined;
}

/** The check of one server: what has been found so far. */
export class Inspection implements ServerCheck {
  readonly client: Client;
  readonly api: ApiDefinition;
  /** The checks of other servers in its definition, if it has any. */
  readonly drift: DriftDefinition | undefined;
  readonly #options: InspectionOptions;
  readonly findings: Finding[] = [];
  /** The parts that were not checked, with the reasons. */
  readonly notes: string[] = [];
  /** The settings of the server, as far as they are known. */
  settings: KnownSettings;
  /** URLs of the records that were created and are not deleted yet. */
  readonly created = new Set<string>();
  readonly #endpoints = new Set<string>();
  #twin: BackOffice | undefined;

  constructor(
    client: Client,
    api: ApiDefinition,
    drift: DriftDefinition | undefined,
    options: InspectionOptions,
  ) {
    this.client = client;
    this.api = api;
    this.drift = drift;
    this.#options = options;
    this.settings = options.settings ?? {};
  }

  get tag(): string {
    return this.#options.tag ?? 'probe';
  }

  /** Number of endpoints that were met. */
  get endpoints(): number {
    return this.#endpoints.size;
  }

  /** Whether the resource of a path is to be checked. */
  includes(path: string): boolean {
    const { only = [] } = this.#options;
    return only.length === 0 || only.includes(aliasOf(resourceOf(path), this.drift?.aliases));
  }

  /** Notes settings that were found out, apart from those that are given. */
  set(found: KnownSettings): void {
    this.settings = { ...this.settings, ...found, ...this.#options.settings };
  }

  /** Sends a request and checks its response. */
  async ask(request: SentRequest): Promise<ParsedResponse> {
    const received = await this.client.send(request);
    const response = { ...received, json: parseJson(received.body) };
    const { origin, prefix, apiPath } = this.client;
    const { api, drift, settings } = this;
    const options = { origin, prefix, apiPath, api, drift, settings };
    if (this.includes(request.url)) {
      const { row } = matchRequest(request, { api });
      if (row !== undefined) this.#endpoints.add(`${row.method} ${row.path}`);
      this.findings.push(...checkExchange({ request, response }, options));
    }
    this.#remember(request, response);
    this.#assertFew();
    return response;
  }

  /** Remembers what a request created, so that it can be deleted. */
  #remember({ method, url }: SentRequest, { status, headers, json }: ParsedResponse): void {
    const [path = ''] = url.split('?');
    if (method === 'DELETE' && status < 300) this.created.delete(path.replace(/\/$/, ''));
    if (method === 'PUT' && status < 300) this.#rememberParts(json);
    if (method !== 'POST' || status !== 201) return;
    const id = valueAt(json, ['id']);
    const collection = path.replace(/\/$/, '');
    const isKept = this.drift?.undeleted.includes(collection.split('/').at(-1) ?? '') === true;
    if (idsIn(`/${String(id)}`)[0] === id && !isKept) {
      this.created.add(`${collection}/${String(id)}`);
    } else if (id === undefined) {
      const location = withoutPrefix(headers['location'] ?? '', this.client);
      // Another path could lead to another host: `@shop.test`.
      if (location.startsWith('/api/')) this.created.add(location);
    }
  }

  /** Remembers the parts of a record that stay when it is deleted. */
  #rememberParts(record: unknown): void {
    for (const name of this.drift?.parts ?? [])
      for (const { id } of itemsIn(valueAt(record, [name]))) this.created.add(`/api/${name}/${id}`);
  }

  /** Deletes what is left of the records that were created, the latest first. */
  async cleanUp(): Promise<void> {
    for (const url of [...this.created].toReversed()) {
      const { status } = await this.client.send({ method: 'DELETE', url });
      this.created.delete(url);
      if (status >= 300 && status !== 404)
        this.notes.push(`Could not delete ${url}: status ${status}.`);
    }
  }

  get(url: string): Promise<ParsedResponse> {
    return this.ask({ method: 'GET', url });
  }

  #assertFew(): void {
    const { maxFindings = Infinity } = this.#options;
    if (this.findings.length >= maxFindings) throw new EnoughFindings('enough findings');
  }

  /** Returns a function that reports differences of the response to a request. */
  reporter(request: SentRequest): Report {
    return (kind, at, expected, received) => {
      if (!this.includes(request.url)) return;
      const about = describe(request, matchRequest(request, this).row, this.client);
      this.findings.push(findingOf(about, kind, at, expected, received));
    };
  }

  /** Reports another status than expected. Returns whether the status is the expected one. */
  expectStatus(
    request: SentRequest,
    { status }: ParsedResponse,
    expected: number,
    why: string,
  ): boolean {
    if (status === expected) return true;
    this.reporter(request)('status', 'status', `${expected}: ${why}`, status);
    this.#assertFew();
    return false;
  }

  /** Returns the response of a back office with the same settings, which has only what such requests have created. */
  expected({ method, url, headers = {}, body }: SentRequest): ParsedResponse {
    this.#twin ??= openBackOffice({
      // No request of it has a token, whatever the API asks for.
      api: { ...this.api, authenticate() {} },
      apiPath: this.client.apiPath,
      scenario: 'empty',
      settings: { ...this.settings, journalSize: 0 },
    });
    const sent = { method, url: addressOf(this.client.apiPath, url), headers };
    const answer = this.#twin.answer(body === undefined ? sent : { ...sent, body });
    const text = answer.body ?? '';
    return { ...answer, body: text, json: parseJson(text) };
  }

  /**
   * Sends a request that must be rejected whatever data a server has, and compares the error, message by message, with
   * the one of a back office with the same settings.
   */
  async askForError(request: SentRequest): Promise<void> {
    const expected = this.expected(request);
    // With other values, the request may be a valid one.
    if (expected.status < 400) return;
    const seen = await this.ask(request);
    const message = valueAt(expected.json, ['message']);
    const why = typeof message === 'string' ? message : 'an error';
    if (this.expectStatus(request, seen, expected.status, why))
      reportDifferences(expected.json, seen.json, this.reporter(request));
  }
}
