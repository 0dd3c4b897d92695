import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import {
  StoreIssue,
  StoreUnavailable,
  type Claim,
  type HeldCopy,
  type SessionStore,
  type StoreContext,
} from '../../engine/sessions/store.ts';
import { commandLimit, RedisConnection, type ScriptName } from './redis-connection.ts';
import { wait } from '../wait.ts';
import { withPage } from '../../engine/lib/error-page.ts';
import { thrownMessage } from '../../engine/lib/thrown.ts';

export interface RedisStoreOptions extends StoreContext {
  /** Prefix of all keys (default: `backlot:`). */
  readonly prefix?: string | undefined;
}

/** What the scripts return: see `redis-scripts.ts`. */
const RenewReply = z.tuple([z.number(), z.number(), z.number(), z.number()]);
const ClaimReply = z.union([
  z.tuple([z.literal('lapsed')]),
  z.tuple([z.literal('none')]),
  z.tuple([z.literal('wait'), z.number()]),
  z.tuple([z.literal('elsewhere'), z.number()]),
  z.tuple([
    z.literal('mine'),
    z.number(),
    z.number(),
    z.string().nullable(),
    z.number(),
    z.number(),
  ]),
]);

/** The lease of a server, after which it counts as silent, and how often it is renewed, in milliseconds. */
const [lease, renewal] = [500, 100];

/** How long the owner of a session has to release it before it is requested again, and how long in all, in milliseconds. */
const [releaseTime, maxReleaseTime] = [200, 1000];

/**
 * Keeps sessions in Redis 7 or Valkey, for any number of servers. Each has a channel on which others request sessions of it,
 * and all have one that names released sessions.
 */
export class RedisStore implements SessionStore {
  readonly #options: RedisStoreOptions & { readonly lease: number; readonly prefix: string };
  /** What waits for the release of a session, by its key. */
  readonly #releases = new Map<string, () => void>();
  readonly #id = randomUUID();
  readonly #connection: Pick<
    RedisConnection,
    'isAvailable' | 'run' | 'send' | 'subscribe' | 'close'
  >;
  #leaseUntil = 0;
  /** Whether a renewal had no reply since the last one that had. It may have renewed a lease that was missing. */
  #hasFailed = false;
  #lapses = 0;
  #renewal: NodeJS.Timeout | undefined;
  /** The highest fence that is known. */
  #highest = 0;
  /** What is to be added to `performance.now()` for the time of Redis. */
  #offset = 0;
  /** Until when nothing is taken over, because Redis may have been away for all servers, and owners claim first. */
  #graceUntil = 0;
  /** Until when data counts as lost, by the clock of Redis in milliseconds. */
  #lostUntil = 0;

  private constructor(connection: RedisConnection, options: RedisStoreOptions) {
    this.#connection = connection;
    this.#options = {
      ...options,
      lease: options.lease ?? 10_000,
      prefix: options.prefix ?? 'backlot:',
    };
  }

  /** @throws StoreIssue if the client is not installed, or the server cannot be used */
  static async open(url: string, options: RedisStoreOptions): Promise<RedisStore> {
    const { warn } = options;
    const opened: { store?: RedisStore } = {};
    const onBack = (): void => void opened.store?.renew().catch(() => undefined);
    const connection = await RedisConnection.open(url, { warn, onBack });
    const store = new RedisStore(connection, options);
    opened.store = store;
    await store.#begin();
    return store;
  }

  get isAvailable(): boolean {
    return this.#connection.isAvailable;
  }

  get leaseUntil(): number {
    return this.#leaseUntil;
  }

  get usableUntil(): number {
    return this.#leaseUntil - lease + this.#options.lease;
  }

  get lapses(): number {
    return this.#lapses;
  }

  async claim(key: string, what: 'any' | 'existing' | 'own', held?: HeldCopy): Promise<Claim> {
    const end = performance.now() + maxReleaseTime;
    for (;;) {
      const release = this.#nextRelease(key);
      try {
        const reply = await this.#claim(key, what, held);
        if (reply[0] !== 'elsewhere') return this.#claimOf(key, reply);
        const [status, remaining] = reply;
        if (performance.now() >= end) return { status };
        const untilSilent = remaining > 0 ? remaining + 1 : Infinity;
        await Promise.race([release.promise, wait(Math.min(releaseTime, untilSilent))]);
      } finally {
        this.#releases.delete(key);
      }
    }
  }

  async save(key: string, fence: number, state: string): Promise<boolean> {
    const values = [String(fence), state, String(this.#options.idle)];
    return (await this.#runInTime('save', [this.#key(key)], values)) === 1;
  }

  async release(key: string, fence: number, state: string | undefined): Promise<boolean> {
    const saved = state === undefined ? [] : [state, String(this.#options.idle)];
    const values = [String(fence), ...saved, this.#named('released'), key];
    const name = state === undefined ? 'delete' : 'release';
    return (await this.#runInTime(name, [this.#key(key)], values)) === 1;
  }

  touch(keys: readonly string[]): void {
    const { idle } = this.#options;
    for (const key of keys) {
      this.#connection.send(['PEXPIRE', this.#key(key), String(idle)]).catch(() => undefined);
    }
  }

  async close(): Promise<void> {
    clearInterval(this.#renewal);
    await this.#connection.send(['DEL', this.#leaseKey]).catch(() => undefined);
    this.#connection.close();
  }

  async #begin(): Promise<void> {
    const { onRequested } = this.#options;
    try {
      await this.renew();
      await this.#connection.subscribe({
        [this.#channel]: (key) => key !== '' && onRequested(key),
        [this.#named('released')]: (key) => this.#releases.get(key)?.(),
      });
      await this.#checkEviction();
    } catch (error) {
      this.#connection.close();
      if (!(error instanceof StoreUnavailable)) throw error;
      throw new StoreIssue(withPage('store-redis', `Cannot use Redis: it ${error.reason}.`));
    }
    const renew = (): void => void this.renew().catch(() => undefined);
    this.#renewal = setInterval(renew, renewal).unref();
  }

  /** Renews the lease, also while another renewal is under way, which can take longer than the lease. @throws StoreUnavailable */
  async renew(): Promise<void> {
    const { lease: lossTime, onDataLost } = this.#options;
    const began = performance.now();
    const keys = [this.#leaseKey, this.#named('fence'), this.#named('lost')];
    const values = [String(lease), String(this.#highest), String(lossTime), this.#channel];
    const reply = await this.#connection.run('renew', keys, values).catch((error: unknown) => {
      this.#hasFailed = true;
      throw error;
    });
    const [now, fence, wasThere, lost] = RenewReply.parse(reply);
    const isMissing = this.#leaseUntil > 0 && (wasThere === 0 || this.#hasFailed);
    this.#hasFailed = false;
    // If the lease has ended here, too, each session is claimed again before it is used.
    if (this.#leaseUntil > 0 && performance.now() > this.#leaseUntil) this.#lapses += 1;
    // The command was executed at this time or later.
    this.#leaseUntil = Math.max(this.#leaseUntil, began + lease);
    // Redis has read its clock between these two. A higher value that is possible is nearer to the true one, and what is
    // sent is not late before its time, even if this process was busy when the reply arrived.
    const [least, most] = [now - performance.now(), now - began];
    if (this.#offset < least || this.#offset > most) this.#offset = least;
    this.#highest = Math.max(this.#highest, fence);
    if (isMissing) this.#graceUntil = performance.now() + lease;
    if (lost > 0 && (isMissing || now + lost > this.#lostUntil + 10)) onDataLost();
    this.#lostUntil = now + lost;
  }

  /** Warns if Redis deletes sessions when its memory is full. */
  async #checkEviction(): Promise<void> {
    const info = String(await this.#connection.send(['INFO', 'memory']).catch(() => ''));
    const [, policy = 'noeviction'] = /^maxmemory_policy:(\S+)/m.exec(info) ?? [];
    if (policy === 'noeviction' || /^maxmemory:0\r?$/m.test(info)) return;
    this.#options.warn(
      `Redis deletes sessions when its memory is full, because its maxmemory-policy is ${policy}. Set it to noeviction.`,
    );
  }

  async #claim(
    key: string,
    what: 'any' | 'existing' | 'own',
    held: HeldCopy | undefined,
  ): Promise<z.output<typeof ClaimReply>> {
    const [session, aside] = [this.#key(key), this.#named(`aside:${key}`)];
    const keys = [session, this.#leaseKey, this.#named('fence'), this.#named('lost'), aside];
    const run = async (): Promise<z.output<typeof ClaimReply>> => {
      const mayTakeOver = performance.now() < this.#graceUntil ? '0' : '1';
      const isCertain = held?.lapses === this.#lapses;
      const certainUntil = isCertain ? Math.floor(this.#leaseUntil + this.#offset) : 0;
      const values = [
        this.#named('lease:'),
        String(this.#options.idle),
        what,
        String(held?.fence ?? 0),
        String(this.#highest),
        mayTakeOver,
        String(certainUntil),
        this.#named('server:'),
        key,
        String(this.#options.lease),
      ];
      return ClaimReply.parse(await this.#runInTime('claim', keys, values));
    };
    const reply = await run();
    if (reply[0] !== 'lapsed') return reply;
    await this.renew();
    return run();
  }

  /** Resolves when a session is released. To be deleted afterwards. */
  #nextRelease(key: string): PromiseWithResolvers<undefined> {
    const release = Promise.withResolvers<undefined>();
    this.#releases.set(key, () => release.resolve(undefined));
    return release;
  }

  #claimOf(
    key: string,
    reply: Exclude<z.output<typeof ClaimReply>, readonly ['elsewhere', number]>,
  ): Claim {
    if (reply[0] === 'none') return { status: 'none' };
    if (reply[0] === 'wait') return { status: 'wait', remaining: reply[1] };
    if (reply[0] === 'lapsed')
      throw new StoreUnavailable('The lease of this server cannot be renewed.');
    const [status, fence, previous, state, taken, aside] = reply;
    this.#highest = Math.max(this.#highest, fence);
    if (aside === 1)
      this.#options.warn(
        `The key ${this.#key(key)} of Redis was no session. It is ${this.#named(`aside:${key}`)} now.`,
      );
    return { status, fence, previous, state: state ?? undefined, isTakenOver: taken === 1 };
  }

  /** Runs a script that changes nothing if Redis executes it after the time limit of commands. */
  async #runInTime(name: ScriptName, keys: string[], values: string[]): Promise<unknown> {
    const deadline = Math.floor(performance.now() + this.#offset + commandLimit);
    try {
      return await this.#connection.run(name, keys, [String(deadline), this.#id, ...values]);
    } catch (error) {
      // The clock of Redis may have been set.
      if (thrownMessage(error).startsWith('LATE ')) void this.renew().catch(() => undefined);
      throw error;
    }
  }

  /** On which other servers request sessions of this one. */
  get #channel(): string {
    return this.#named(`server:${this.#id}`);
  }

  get #leaseKey(): string {
    return this.#named(`lease:${this.#id}`);
  }

  #key(key: string): string {
    return this.#named(`session:${key}`);
  }

  #named(name: string): string {
    return `${this.#options.prefix}${name}`;
  }
}
