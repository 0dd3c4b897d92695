import { secondsIn } from '../lib/duration.ts';
import { Problem } from '../lib/problem.ts';
import type { Milliseconds } from '../lib/virtual-clock.ts';
import { clientOf } from './client.ts';
import { parseName } from '../lib/names.ts';
import type { ControlledSessions, DroppedSession, SessionEntry } from '../control/endpoint.ts';
import type { AnyScenario, BackOffice } from '../office/back-office.ts';
import { createRate, createRates, type Rate, type Rates } from './rate.ts';
import { shareOf } from './share.ts';

/** How many sessions there can be, for how long, and what each may do. */
export interface SessionLimits {
  /** How many sessions there can be at once: 1000 if not given. */
  readonly maxSessions?: number | undefined;
  /** How long a session may go without a request before it is dropped, an ISO 8601 duration of time outside: PT1H if not given. */
  readonly sessionIdle?: string | undefined;
  /**
   * How many requests a second each may send, counted over some seconds, and each client outside of sessions that have
   * begun; any number if not given.
   */
  readonly requestRate?: number | undefined;
  /**
   * The percentage of all sessions, and of all delayed responses, that one client may hold (default: 100). A client is
   * known by its address, an IPv6 client by its /64 network.
   */
  readonly clientShare?: number | undefined;
  /** How time goes outside; without it nothing is ever idle, and no rate is known. */
  readonly milliseconds?: Milliseconds | undefined;
}

/** What makes the back office of a session: of its own scenario, or else of the server's. */
export type OpenSession = (name: string, scenario?: AnyScenario) => BackOffice;

interface Live {
  readonly name: string;
  readonly office: BackOffice;
  readonly rate: Rate;
  /** The client that began it. */
  readonly client: string;
  readonly begun: number;
  used: number;
}

/** Back offices by the names of their sessions; none sees another. */
export class SessionPool implements ControlledSessions {
  readonly #open: OpenSession;
  readonly #limits: SessionLimits;
  readonly #now: Milliseconds;
  readonly #idle: number;
  readonly #most: number;
  readonly #mostOfOne: number;
  readonly #rates: Rates;
  /** The session that was used last stands last. */
  readonly #live = new Map<string, Live>();
  readonly #dropped = new Map<string, DroppedSession>();

  /** @throws Problem `invalid` for an idle time that is no duration, or a share that is no percentage */
  constructor(open: OpenSession, limits: SessionLimits) {
    this.#open = open;
    this.#limits = limits;
    this.#now = limits.milliseconds ?? (() => 0);
    this.#idle = secondsIn(limits.sessionIdle ?? defaultIdle) * 1000;
    this.#most = limits.maxSessions ?? 1000;
    this.#mostOfOne = shareOf(this.#most, limits.clientShare);
    this.#rates = createRates(limits.requestRate, this.#now);
  }

  /**
   * Counts a request for the session that it names, if that has begun, or else for its client.
   *
   * @throws Problem `too many`, with the seconds to wait
   */
  count(name: string | undefined, client: string | undefined): void {
    const session = name === undefined ? undefined : this.#live.get(name);
    if (session === undefined) this.#rates.count(client);
    else session.rate.count();
  }

  /**
   * The back office of a session, which begins with this if it has not begun.
   *
   * @param client the address of the client that sends the request
   * @returns also what became of an earlier session of that name, where it was dropped
   * @throws Problem `malformed` for a name with odd characters, `too many` where there can be no more sessions
   */
  use(
    name: string,
    client?: string,
  ): { readonly office: BackOffice; readonly dropped?: DroppedSession } {
    this.#dropIdle();
    const dropped = this.#dropped.get(name);
    const session = this.#live.get(name) ?? this.#beginAt(name, client);
    session.used = this.#now();
    this.#live.delete(name);
    this.#live.set(name, session);
    return { office: session.office, ...(dropped !== undefined && { dropped }) };
  }

  /** @throws Problem as `use`; `conflict` where there is such a session, `missing` for no such scenario */
  open(name: string, scenario?: AnyScenario, client?: string): BackOffice {
    this.#dropIdle();
    if (!this.#live.has(name)) return this.#begin(name, client, scenario).office;
    throw new Problem('conflict', `There is a session ${name} already.`);
  }

  /** @throws Problem `missing` */
  get(name: string): SessionEntry {
    return this.#entry(this.#find(name));
  }

  /** The back office of a session, if it has begun; this is no use of it. */
  peek(name: string | undefined): BackOffice | undefined {
    return name === undefined ? undefined : this.#live.get(name)?.office;
  }

  list(): readonly SessionEntry[] {
    this.#dropIdle();
    return Array.from(this.#live.values(), (session) => this.#entry(session));
  }

  /** The last ones that were dropped without anybody's asking for it, the newest first. */
  dropped(): readonly DroppedSession[] {
    return [...this.#dropped.values()].toReversed();
  }

  /** @throws Problem `missing` */
  drop(name: string): void {
    this.#live.delete(this.#find(name).name);
  }

  /** @param reason what those are told who come back; nothing if not given */
  clear(reason?: string): void {
    const names = [...this.#live.keys()];
    this.#live.clear();
    if (reason === undefined) return;
    for (const name of names) this.#remember({ name, reason });
  }

  #find(name: string): Live {
    this.#dropIdle();
    const session = this.#live.get(name);
    if (session !== undefined) return session;
    throw new Problem('missing', `There is no session ${name}.`);
  }

  /** Begins a session with a request, which is the first one of it. */
  #beginAt(name: string, client: string | undefined): Live {
    const session = this.#begin(name, client);
    session.rate.count();
    return session;
  }

  #begin(name: string, address: string | undefined, scenario?: AnyScenario): Live {
    parseName(name, 'session');
    if (this.#live.size >= this.#most) throw this.#tooMany();
    const client = clientOf(address);
    this.#limitClient(client);
    const now = this.#now();
    const rate = createRate(this.#limits.requestRate, this.#now);
    const office = this.#open(name, scenario);
    const session = { name, office, rate, client, begun: now, used: now };
    this.#live.set(name, session);
    this.#dropped.delete(name);
    return session;
  }

  #dropIdle(): void {
    const now = this.#now();
    for (const { name, used } of this.#live.values()) {
      if (now - used < this.#idle) return;
      this.#live.delete(name);
      this.#remember({
        name,
        reason: `it was idle for ${this.#limits.sessionIdle ?? defaultIdle}`,
      });
    }
  }

  #remember(session: DroppedSession): void {
    this.#dropped.set(session.name, session);
    const [oldest = session.name] = this.#dropped.keys();
    if (this.#dropped.size > mostRemembered) this.#dropped.delete(oldest);
  }

  #entry({ name, office, begun, used }: Live): SessionEntry {
    const since = (at: number): number => Math.floor((this.#now() - at) / 1000);
    return { name, office, idleSeconds: since(used), ageSeconds: since(begun) };
  }

  /** @throws Problem `too many` if the client has begun as many of the sessions as one client may */
  #limitClient(client: string): void {
    if (this.#mostOfOne >= this.#most) return;
    const own = [...this.#live.values()].filter((session) => session.client === client);
    if (own.length < this.#mostOfOne) return;
    const seconds = this.#secondsUntilIdle(own[0]);
    throw new Problem(
      'too many',
      `This client has begun ${own.length} of the ${this.#most} sessions, its share. Retry in ${seconds} s.`,
      { headers: { 'retry-after': String(seconds) } },
    );
  }

  #secondsUntilIdle(session: Live | undefined): number {
    const milliseconds = session === undefined ? 0 : session.used + this.#idle - this.#now();
    return Math.max(1, Math.ceil(milliseconds / 1000));
  }

  #tooMany(): Problem {
    const [oldest] = this.#live.values();
    const seconds = this.#secondsUntilIdle(oldest);
    return new Problem(
      'too many',
      `There are ${this.#most} sessions, the most that there can be here; one may be free in ${seconds} s.`,
      { headers: { 'retry-after': String(seconds) } },
    );
  }
}

const defaultIdle = 'PT1H';
const mostRemembered = 100;
