import { randomBytes, randomUUID } from 'node:crypto';
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
import { withPage } from '../../engine/lib/error-page.ts';
import { thrownMessage } from '../../engine/lib/thrown.ts';

export interface RedisStoreOptions extends StoreContext {
  /** Where other servers forward requests to; empty for nowhere. */
  readonly advertise: string;
  /** Prefix of all keys (default: `backlot:`). */
  readonly prefix?: string | undefined;
}

/** What the scripts return: see `redis-scripts.ts`. */
const RenewReply = z.tuple([z.number(), z.number(), z.number(), z.string()]);
const ClaimReply = z.union([
  z.tuple([z.literal('lapsed')]),
  z.tuple([z.literal('none')]),
  z.tuple([z.literal('wait'), z.number()]),
  z.tuple([z.literal('elsewhere'), z.string(), z.string(), z.number()]),
  z.tuple([
    z.literal('mine'),
    z.number(),
    z.number(),
    z.string().nullable(),
    z.number(),
    z.number(),
  ]),
]);

/**
 * How long a server takes over nothing after its lease was missing, in milliseconds. Redis may have been away for all
 * servers, and the owners claim their sessions again first.
 */
const grace = 1000;

/** Keeps sessions in Redis 7 or Valkey, for any number of servers. */
export class RedisStore implements SessionStore {
  readonly #options: RedisStoreOptions & { readonly lease: number; readonly prefix: string };
  readonly #id = randomUUID();
  readonly #connection: Pick<RedisConnection, 'isAvailable' | 'run' | 'send' | 'close'>;
  #leaseUntil = 0;
  /** Whether the last renewal had a reply. If not, it may have renewed a lease that was missing. */
  #hasReply = true;
  #lapses = 0;
  #isRetired = false;
  #renewal: NodeJS.Timeout | undefined;
  #renewing: Promise<void> | undefined;
  #secret = randomBytes(32).toString('base64url');
  /** The highest fence that is known. */
  #highest = 0;
  /** What is to be added to `performance.now()` for the time of Redis. */
  #offset = 0;
  #graceUntil = 0;

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

  get lapses(): number {
    return this.#lapses;
  }

  get secret(): string {
    return this.#secret;
  }

  async claim(key: string, what: 'any' | 'existing' | 'none', held?: HeldCopy): Promise<Claim> {
    const { idle } = this.#options;
    const [session, aside] = [this.#key(key), this.#named(`aside:${key}`)];
    const keys = [session, this.#leaseKey, this.#named('fence'), this.#named('lost'), aside];
    const run = async (): Promise<z.output<typeof ClaimReply>> => {
      const mayTakeOver = performance.now() < this.#graceUntil ? '0' : '1';
      const isCertain = held?.lapses === this.#lapses;
      const certainUntil = isCertain ? Math.floor(this.#leaseUntil + this.#offset) : 0;
      const fences = [String(held?.fence ?? 0), String(this.#highest)];
      const values = [String(idle), what, ...fences, mayTakeOver, String(certainUntil)];
      const reply = await this.#runInTime('claim', keys, [this.#named('lease:'), ...values]);
      return ClaimReply.parse(reply);
    };
    let reply = await run();
    if (reply[0] === 'lapsed') {
      await this.renew();
      reply = await run();
    }
    return this.#claimOf(key, reply);
  }

  async save(key: string, fence: number, state: string): Promise<boolean> {
    return this.#save(key, fence, state, this.#id);
  }

  async release(key: string, fence: number, state: string | undefined): Promise<boolean> {
    if (state !== undefined) return this.#save(key, fence, state, '');
    return (await this.#runInTime('delete', [this.#key(key)], [String(fence)])) === 1;
  }

  touch(keys: readonly string[]): void {
    const { idle } = this.#options;
    for (const key of keys) {
      this.#connection.send(['PEXPIRE', this.#key(key), String(idle)]).catch(() => undefined);
    }
  }

  async peer(): Promise<string | undefined> {
    const values = [this.#options.advertise, this.#named('alive:')];
    const url = await this.#connection.run('peer', [this.#named('servers')], values);
    return typeof url === 'string' ? urlOf(url) : undefined;
  }

  async isAlive(url: string): Promise<boolean> {
    return (await this.#connection.send(['EXISTS', this.#named(`alive:${url}`)])) === 1;
  }

  async retire(): Promise<void> {
    this.#isRetired = true;
    const command = ['ZREM', this.#named('servers'), this.#options.advertise];
    await this.#connection.send(command).catch(() => undefined);
  }

  async close(): Promise<void> {
    clearInterval(this.#renewal);
    const keys = [this.#leaseKey, this.#named(`alive:${this.#options.advertise}`)];
    await this.#connection.send(['DEL', ...keys]).catch(() => undefined);
    this.#connection.close();
  }

  /** Renews the lease. @throws StoreUnavailable */
  async renew(): Promise<void> {
    this.#renewing ??= this.#renew().finally(() => (this.#renewing = undefined));
    return this.#renewing;
  }

  async #begin(): Promise<void> {
    try {
      await this.renew();
      await this.#checkEviction();
    } catch (error) {
      this.#connection.close();
      if (!(error instanceof StoreUnavailable)) throw error;
      throw new StoreIssue(withPage('store-redis', `Cannot use Redis: it ${error.reason}.`));
    }
    const renew = (): void => void this.renew().catch(() => undefined);
    this.#renewal = setInterval(renew, this.#options.lease / 4).unref();
  }

  async #renew(): Promise<void> {
    const { lease, advertise, onLeaseMissing } = this.#options;
    const began = performance.now();
    const names = ['fence', 'lost', 'servers', `alive:${advertise}`, 'peer-secret'];
    const isListed = advertise !== '' && !this.#isRetired;
    const values = [advertise, String(lease), String(this.#highest), isListed ? '1' : '0'];
    const hadReply = this.#hasReply;
    this.#hasReply = false;
    const keys = [this.#leaseKey, ...names.map((name) => this.#named(name))];
    const reply = await this.#connection.run('renew', keys, [...values, this.#secret]);
    const [now, fence, wasThere, secret] = RenewReply.parse(reply);
    this.#hasReply = true;
    const isMissing = this.#leaseUntil > 0 && (wasThere === 0 || !hadReply);
    // If the lease has ended here, too, each session is claimed again before it is used.
    if (this.#leaseUntil > 0 && performance.now() > this.#leaseUntil) this.#lapses += 1;
    // The command was executed at this time or later.
    this.#leaseUntil = Math.max(this.#leaseUntil, began + lease);
    // Redis has read its clock between these two. A higher value that is possible is nearer to the true one, and what is
    // sent is not late before its time, even if this process was busy when the reply arrived.
    const [least, most] = [now - performance.now(), now - began];
    if (this.#offset < least || this.#offset > most) this.#offset = least;
    this.#highest = fence;
    this.#secret = secret;
    if (!isMissing) return;
    this.#graceUntil = performance.now() + Math.min(grace, lease / 4);
    onLeaseMissing();
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

  #claimOf(key: string, reply: z.output<typeof ClaimReply>): Claim {
    if (reply[0] === 'none') return { status: 'none' };
    if (reply[0] === 'wait') return { status: 'wait', remaining: reply[1] };
    if (reply[0] === 'elsewhere') {
      const [status, owner, url, remaining] = reply;
      return { status, owner, url: urlOf(url) ?? '', remaining };
    }
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

  async #save(key: string, fence: number, state: string, owner: string): Promise<boolean> {
    const { idle } = this.#options;
    const values = [String(fence), state, String(idle), owner];
    return (await this.#runInTime('save', [this.#key(key)], values)) === 1;
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

/** Returns the URL of a server as it stands in Redis, if requests can be forwarded to it. */
function urlOf(text: string): string | undefined {
  return URL.parse(text)?.protocol === 'http:' ? text : undefined;
}
