import { createHash, randomUUID } from 'node:crypto';
import type { createClient, RedisClientType } from 'redis';
import { StoreUnavailable, type Claim, type SessionStore } from '../../sessions/store.ts';
import { StoreIssue } from './file-store.ts';
import { scripts } from './redis-scripts.ts';

export interface RedisStoreOptions {
  /** How long an unused session stays, in milliseconds. */
  readonly idle: number;
  /** Where other servers forward requests to; empty for nowhere. */
  readonly advertise: string;
  /** Milliseconds (default: 10,000). */
  readonly lease?: number | undefined;
  /** Prefix of all keys (default: `backlot:`). */
  readonly prefix?: string | undefined;
  /** Receives what operators should know. */
  readonly warn: (message: string) => void;
}

type ScriptName = keyof typeof scripts;

/** Keeps sessions in Redis 7 or Valkey, for any number of servers. */
export class RedisStore implements SessionStore {
  readonly #client: RedisClientType;
  readonly #options: RedisStoreOptions & { readonly lease: number; readonly prefix: string };
  readonly #id = randomUUID();
  readonly #hashes = Object.fromEntries(
    Object.entries(scripts).map(([name, script]) => [
      name,
      createHash('sha1').update(script).digest('hex'),
    ]),
  ) as Record<ScriptName, string>;
  #leaseUntil = 0;
  #lapses = 0;
  #isRetired = false;
  #renewal: NodeJS.Timeout | undefined;
  #secret = '';

  private constructor(client: RedisClientType, options: RedisStoreOptions) {
    this.#client = client;
    this.#options = {
      ...options,
      lease: options.lease ?? 10_000,
      prefix: options.prefix ?? 'backlot:',
    };
  }

  /** @throws StoreIssue if the client is not installed, or the server cannot be reached */
  static async open(url: string, options: RedisStoreOptions): Promise<RedisStore> {
    const redis = await importClient();
    const { lease = 10_000, warn } = options;
    const client: RedisClientType = redis.createClient({
      url,
      disableOfflineQueue: true,
      commandsQueueMaxLength: 20_000,
      socket: {
        socketTimeout: Math.max(lease, 2000),
        reconnectStrategy: (tries) => Math.min(50 * 2 ** tries, 1000),
      },
    });
    let isAway = false;
    client.on('error', (error: Error) => {
      if (!isAway)
        warn(`Redis cannot be reached: ${(error.message || error.name).replace(/\.$/, '')}.`);
      isAway = true;
    });
    client.on('ready', () => {
      if (isAway) warn('Redis is there again.');
      isAway = false;
    });
    const store = new RedisStore(client, options);
    await store.#begin();
    return store;
  }

  get isAvailable(): boolean {
    return this.#client.isReady;
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

  async claim(key: string, what: 'any' | 'existing' | 'none'): Promise<Claim> {
    const { advertise, lease, idle } = this.#options;
    const began = performance.now();
    const keys = [this.#key(key), this.#leaseKey, this.#named('fence')];
    const flags = [String(lease), this.#named('lease:'), String(idle), what];
    const reply = await this.#run('claim', keys, [this.#id, advertise, ...flags]);
    this.#renewed(began);
    const [status, ...rest] = reply as [string, ...(string | number | null)[]];
    if (status === 'none') return { status };
    if (status === 'elsewhere') {
      const [owner, url, remaining, taken] = rest as [string, string, number, string | null];
      return { status, owner, url, remaining, isTakenOver: taken !== null };
    }
    const [fence, previous, state, owner] = rest as [number, string, string | null, string];
    const isTakenOver = owner !== '' && owner !== this.#id;
    return {
      status: 'mine',
      fence,
      previous: Number(previous),
      state: state ?? undefined,
      isTakenOver,
    };
  }

  async save(key: string, fence: number, state: string): Promise<boolean> {
    return this.#save(key, fence, state, this.#id);
  }

  async release(key: string, fence: number, state: string | undefined): Promise<boolean> {
    if (state !== undefined) return this.#save(key, fence, state, '');
    return (await this.#run('delete', [this.#key(key)], [this.#id, String(fence)])) === 1;
  }

  touch(keys: readonly string[]): void {
    const { idle } = this.#options;
    for (const key of keys) {
      this.#client.pExpire(this.#key(key), idle).catch(() => undefined);
    }
  }

  async peer(): Promise<string | undefined> {
    const servers = this.#named('servers');
    const peers = await this.#client
      .zRange(servers, Date.now(), '+inf', { BY: 'SCORE' })
      .catch(fail);
    for (const url of peers) {
      if (url !== this.#options.advertise && (await this.isAlive(url))) return url;
    }
    return undefined;
  }

  async isAlive(url: string): Promise<boolean> {
    return (await this.#client.exists(this.#named(`alive:${url}`)).catch(fail)) === 1;
  }

  async retire(): Promise<void> {
    this.#isRetired = true;
    await this.#client.zRem(this.#named('servers'), this.#options.advertise).catch(() => undefined);
  }

  async close(): Promise<void> {
    clearInterval(this.#renewal);
    if (this.#client.isReady) {
      await Promise.allSettled([
        this.#client.del(this.#leaseKey),
        this.#client.del(this.#named(`alive:${this.#options.advertise}`)),
      ]);
    }
    this.#client.destroy();
  }

  async #begin(): Promise<void> {
    try {
      await this.#client.connect();
      await this.#renew();
      const secret = this.#named('secret');
      await this.#client.set(secret, randomUUID(), { condition: 'NX' });
      this.#secret = (await this.#client.get(secret)) ?? '';
    } catch (error) {
      this.#client.destroy();
      throw new StoreIssue(`Cannot use Redis: ${(error as Error).message || String(error)}.`);
    }
    const renew = (): void => void this.#renew().catch(() => undefined);
    this.#renewal = setInterval(renew, this.#options.lease / 4).unref();
    this.#client.on('ready', renew);
  }

  async #renew(): Promise<void> {
    const { lease, advertise } = this.#options;
    const began = performance.now();
    const work: Promise<unknown>[] = [
      this.#client.set(this.#leaseKey, advertise, { expiration: { type: 'PX', value: lease } }),
    ];
    const servers = this.#named('servers');
    if (advertise !== '') {
      const alive = this.#named(`alive:${advertise}`);
      work.push(this.#client.set(alive, '1', { expiration: { type: 'PX', value: lease } }));
    }
    if (advertise !== '' && !this.#isRetired) {
      work.push(this.#client.zAdd(servers, { score: Date.now() + lease, value: advertise }));
      work.push(this.#client.zRemRangeByScore(servers, 0, Date.now() - lease));
    }
    await Promise.all(work);
    this.#renewed(began);
  }

  /** @param began when the command was sent: the lease began at that time or later */
  #renewed(began: number): void {
    const { lease } = this.#options;
    if (this.#leaseUntil > 0 && performance.now() > this.#leaseUntil) this.#lapses += 1;
    this.#leaseUntil = Math.max(this.#leaseUntil, began + lease);
  }

  async #save(key: string, fence: number, state: string, owner: string): Promise<boolean> {
    const { idle } = this.#options;
    const values = [this.#id, String(fence), state, String(idle), owner];
    return (await this.#run('save', [this.#key(key)], values)) === 1;
  }

  async #run(name: ScriptName, keys: string[], values: string[]): Promise<unknown> {
    if (!this.#client.isReady) throw new StoreUnavailable('Redis cannot be reached.');
    try {
      return await this.#evaluate('EVALSHA', this.#hashes[name], keys, values);
    } catch (error) {
      if (!(error as Error).message.startsWith('NOSCRIPT')) throw unavailable(error);
    }
    try {
      return await this.#evaluate('EVAL', scripts[name], keys, values);
    } catch (error) {
      throw unavailable(error);
    }
  }

  async #evaluate(
    command: 'EVAL' | 'EVALSHA',
    script: string,
    keys: string[],
    values: string[],
  ): Promise<unknown> {
    return this.#client.sendCommand([command, script, String(keys.length), ...keys, ...values]);
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

function fail(error: unknown): never {
  throw unavailable(error);
}

function unavailable(error: unknown): StoreUnavailable {
  return new StoreUnavailable((error as Error).message);
}

async function importClient(): Promise<{ readonly createClient: typeof createClient }> {
  try {
    return await import('redis');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new StoreIssue(
      '--store redis:// requires the package redis. Install it: npm install redis',
    );
  }
}
