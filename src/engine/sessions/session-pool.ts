import { secondsIn } from '../lib/duration.ts';
import { parseName } from '../lib/names.ts';
import { Problem } from '../lib/problem.ts';
import type { Milliseconds } from '../lib/virtual-clock.ts';
import type { ControlledSessions, EvictedSession, SessionEntry } from '../control/endpoint.ts';
import type { AnyScenario, BackOffice } from '../office/back-office.ts';
import type { PoolListener, Session } from './session.ts';
import { openProblem, retryIn, type SessionLimits } from './session-limits.ts';
import {
  clientOf,
  shareOf,
  createClientRateLimit,
  createRateLimit,
  type ClientRateLimit,
} from './rate-limit.ts';

/** Opens the back office of a session (default scenario: that of the server). */
export type OpenSession = (name: string, scenario?: AnyScenario) => BackOffice;

/** Isolated back offices by session name. */
export class SessionPool implements ControlledSessions {
  readonly #openOffice: OpenSession;
  readonly #limits: SessionLimits;
  readonly #now: Milliseconds;
  /** In milliseconds. */
  readonly #idleTimeout: number;
  /** In milliseconds. */
  readonly #life: number;
  readonly #maxSessions: number;
  readonly #maxPerClient: number;
  readonly #clientRateLimit: ClientRateLimit;
  /** Least recently used first. */
  readonly #sessions = new Map<string, Session>();
  /** Sessions that were not used yet and replace another one, each by its name. They do not count for limits. */
  readonly #replacing = new Map<string, string>();
  readonly #evicted = new Map<string, EvictedSession>();
  #evictions = 0;
  #listener: PoolListener | undefined;

  /** @throws Problem `invalid` for an idle time or a life that is not a duration, or a share that is not a percentage */
  constructor(open: OpenSession, limits: SessionLimits) {
    this.#openOffice = open;
    this.#limits = limits;
    this.#now = limits.milliseconds ?? (() => 0);
    this.#idleTimeout = secondsIn(limits.sessionIdle ?? defaultIdle) * 1000;
    this.#life = limits.sessionLife === undefined ? Infinity : secondsIn(limits.sessionLife) * 1000;
    this.#maxSessions = limits.maxSessions ?? 1000;
    this.#maxPerClient = shareOf(this.#maxSessions, limits.clientShare);
    this.#clientRateLimit = createClientRateLimit(limits.requestRate, this.#now);
  }

  /**
   * Counts a request for the rate limit of its session if that is open, or else for that of its client.
   *
   * @param requests the number of requests to count it as (default: 1)
   * @throws Problem `too many`, with the seconds to wait
   */
  count(name: string | undefined, client: string | undefined, requests?: number): void {
    const session = name === undefined ? undefined : this.#sessions.get(name);
    if (session === undefined) this.#clientRateLimit.count(client, requests);
    else session.rateLimit.count(requests);
  }

  /**
   * Returns the back office of a session, and opens it at the first use.
   *
   * @param client address of the client that sends the request
   * @returns also the earlier session of that name, if it was evicted, and a sentence for the client
   * @throws Problem `malformed` for a name with characters that are not allowed, `too many` beyond a limit
   */
  use(name: string, client?: string): { readonly office: BackOffice; readonly notice?: string } {
    this.#evictDue();
    const evicted = this.#evicted.get(name);
    const isNew = !this.#sessions.has(name);
    const session = this.#sessions.get(name) ?? this.#open(name, client);
    if (isNew) session.rateLimit.count();
    this.touch(name);
    const replaced = this.#sessions.get(this.#replacing.get(name) ?? '');
    if (replaced !== undefined) this.#delete(replaced);
    const notice =
      evicted === undefined ? session.notice : `Session ${name} was reset: ${evicted.reason}.`;
    session.notice = undefined;
    return { office: session.office, ...(notice !== undefined && { notice }) };
  }

  /**
   * @param replaces name of a session that ends when this one is first used
   * @throws Problem as `use`; `conflict` if the session is open already, `missing` if the scenario is not found
   */
  open(name: string, scenario?: AnyScenario, client?: string, replaces = ''): BackOffice {
    this.#evictDue();
    if (this.#sessions.has(name)) throw openProblem(name);
    if (!this.#sessions.has(replaces)) return this.#open(name, client, scenario).office;
    const [other] = [...this.#replacing].find(([, replaced]) => replaced === replaces) ?? [];
    if (other !== undefined) this.remove(other);
    this.#replacing.set(name, replaces);
    try {
      return this.#open(name, client, scenario).office;
    } catch (error) {
      this.#replacing.delete(name);
      throw error;
    }
  }

  /** Calls a listener from now on. */
  listen(listener: PoolListener): void {
    this.#listener = listener;
  }

  /**
   * Opens a session that another server, or an earlier process, has opened before. It may exceed the limits by one.
   *
   * @param age how long ago it was opened, in milliseconds
   */
  adopt(name: string, age: number): BackOffice {
    this.#makeRoom();
    return this.#create(name, clientOf(), undefined, age).office;
  }

  /** Has an open session count as used now. */
  touch(name: string): void {
    const session = this.#sessions.get(name);
    if (session === undefined) return;
    session.usedAt = this.#now();
    this.#sessions.delete(name);
    this.#sessions.set(name, session);
  }

  /** Sends a sentence with the next response to a session that is open. */
  notify(name: string, notice: string): void {
    const session = this.#sessions.get(name);
    if (session !== undefined) session.notice = notice;
  }

  /** Removes a session without a reason, and does not call the listener. */
  forget(name: string): void {
    const session = this.#sessions.get(name);
    if (session === undefined) return;
    this.#sessions.delete(name);
    for (const pair of this.#replacing) if (pair.includes(name)) this.#replacing.delete(pair[0]);
    session.office.releaseAll();
  }

  /** Has the next request of a name learn why its session has ended. */
  recordEnd(name: string, reason: string): void {
    this.#evictions++;
    this.#evicted.set(name, { name, reason });
    const [oldest = name] = this.#evicted.keys();
    if (this.#evicted.size > maxEvicted) this.#evicted.delete(oldest);
  }

  /** Returns how long ago a session was opened, in milliseconds; 0 if it is not open. */
  ageOf(name: string): number {
    const session = this.#sessions.get(name);
    return session === undefined ? 0 : this.#now() - session.openedAt;
  }

  /** @throws Problem `missing` */
  get(name: string): SessionEntry {
    return this.#entryOf(this.#find(name));
  }

  /** Returns the back office of a session if it is open, without using the session. */
  peek(name: string): BackOffice | undefined {
    return this.#sessions.get(name)?.office;
  }

  find(name: string): SessionEntry | undefined {
    this.#evictDue();
    const session = this.#sessions.get(name);
    return session && this.#entryOf(session);
  }

  reasonOfEnd(name: string): string | undefined {
    this.#evictDue();
    return this.#evicted.get(name)?.reason;
  }

  /** The number of sessions that the server has removed by itself since its start. */
  get evictions(): number {
    return this.#evictions;
  }

  list(): readonly SessionEntry[] {
    this.#evictDue();
    return Array.from(this.#sessions.values(), (session) => this.#entryOf(session));
  }

  /** The last sessions that were evicted, newest first. */
  evicted(): readonly EvictedSession[] {
    return [...this.#evicted.values()].toReversed();
  }

  /** @throws Problem `missing` */
  remove(name: string): void {
    this.#delete(this.#find(name));
  }

  /**
   * @param reason for clients that use one of these sessions again (default: none)
   * @returns the number of sessions that ended
   */
  clear(reason?: string): number {
    const ended = [...this.#sessions.values()];
    for (const session of ended) this.#delete(session, reason);
    if (reason !== undefined) for (const { name } of ended) this.recordEnd(name, reason);
    return ended.length;
  }

  /** Gives a session another back office. */
  replace(name: string, after: BackOffice): void {
    const session = this.#find(name);
    this.replaced(session.office, after);
    session.office = after;
  }

  /** Removes a session, and has its next request learn why. */
  end(name: string, reason: string): void {
    this.#evict(this.#find(name), reason);
  }

  /** Tells the listener that a back office is another now, and sends what the former one holds. */
  replaced(before: BackOffice, after: BackOffice): void {
    this.#listener?.replaced(before, after);
    before.releaseAll();
  }

  #find(name: string): Session {
    this.#evictDue();
    const session = this.#sessions.get(name);
    if (session !== undefined) return session;
    throw new Problem('missing', `Session ${name} not found.`);
  }

  #open(name: string, address: string | undefined, scenario?: AnyScenario): Session {
    parseName(name, 'session');
    this.#makeRoom();
    if (this.#isFull) {
      const ends = Array.from(this.#sessions.values(), (one) => this.#secondsUntilEnd(one));
      throw retryIn(Math.min(...ends), `Session limit (${this.#maxSessions}) reached.`);
    }
    const client = clientOf(address);
    if (!this.#replacing.has(name)) this.#assertShare(client);
    return this.#create(name, client, scenario);
  }

  /** Has the listener forget sessions, as long as there are too many. */
  #makeRoom(): void {
    for (let size = Infinity; this.#isFull && this.#sessions.size < size;) {
      size = this.#sessions.size;
      this.#listener?.full(this.#sessions.keys());
    }
  }

  get #isFull(): boolean {
    return this.#sessions.size - this.#replacing.size >= this.#maxSessions;
  }

  #create(name: string, client: string, scenario?: AnyScenario, age = 0): Session {
    const now = this.#now();
    const rateLimit = createRateLimit(this.#limits.requestRate, this.#now);
    const office = this.#openOffice(name, scenario);
    const times = { openedAt: now - age, usedAt: now };
    const session = { name, office, rateLimit, client, ...times, notice: undefined };
    this.#sessions.set(name, session);
    this.#evicted.delete(name);
    this.#listener?.opened(name, office);
    return session;
  }

  /** Removes the sessions that were idle for too long, and those that are too old. */
  #evictDue(): void {
    const now = this.#now();
    const { sessionIdle = defaultIdle, sessionLife } = this.#limits;
    for (const session of this.#sessions.values()) {
      if (now - session.usedAt >= this.#idleTimeout)
        this.#evict(session, `it was idle for ${sessionIdle}`);
      else if (now - session.openedAt >= this.#life)
        this.#evict(session, `its life of ${sessionLife} was over`);
      else if (this.#life === Infinity) return;
    }
  }

  #evict(session: Session, reason: string): void {
    this.#delete(session, reason);
    this.recordEnd(session.name, reason);
  }

  #delete({ name }: Session, reason?: string): void {
    this.forget(name);
    this.#listener?.ended(name, reason);
  }

  #entryOf(session: Session): SessionEntry {
    const { name, office, openedAt, usedAt } = session;
    const secondsSince = (at: number): number => Math.floor((this.#now() - at) / 1000);
    return {
      name,
      office,
      idleSeconds: secondsSince(usedAt),
      ageSeconds: secondsSince(openedAt),
      secondsLeft: this.#secondsUntilEnd(session),
      endsBy: openedAt + this.#life < usedAt + this.#idleTimeout ? 'life' : 'idle',
    };
  }

  /** @throws Problem `too many` if the client has opened as many of the sessions as one client may */
  #assertShare(client: string): void {
    if (this.#maxPerClient >= this.#maxSessions) return;
    const own = [...this.#sessions.values()].filter(
      (session) => session.client === client && !this.#replacing.has(session.name),
    );
    if (own.length < this.#maxPerClient) return;
    const opened = `${own.length} of the ${this.#maxSessions} sessions`;
    throw retryIn(this.#secondsUntilEnd(own[0]), `This client has opened ${opened}, its share.`);
  }

  /** Returns the time until a session ends if it is not used, at least 1. */
  #secondsUntilEnd(session: Session | undefined): number {
    const end =
      session === undefined
        ? 0
        : Math.min(session.usedAt + this.#idleTimeout, session.openedAt + this.#life);
    return Math.max(1, Math.ceil((end - this.#now()) / 1000));
  }
}

const [defaultIdle, maxEvicted] = ['PT1H', 100] as const;
