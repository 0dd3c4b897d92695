import { createHash } from 'node:crypto';
import { EventEmitter } from 'node:events';
import type { createClient, createCluster } from 'redis';
import { StoreIssue, StoreUnavailable } from '../../engine/sessions/store.ts';
import { withPage } from '../../engine/lib/error-page.ts';
import { errorCode, thrownMessage } from '../../engine/lib/thrown.ts';

/** A script that Redis runs, atomically. */
export interface RedisScript {
  readonly text: string;
  /** Redis knows a script that it has run by its hash. */
  readonly hash: string;
}

export function redisScript(text: string): RedisScript {
  return { text, hash: createHash('sha1').update(text).digest('hex') };
}

/** How long a command may take, and how often that is checked, in milliseconds. */
const [commandLimit, checkInterval] = [1000, 200];

/** A command without a reply. */
interface Pending {
  readonly since: number;
  readonly reject: (error: StoreUnavailable) => void;
}

/** A client of one Redis server, or of a cluster. */
interface Client {
  readonly isReady: boolean;
  send(key: string | undefined, command: readonly string[]): Promise<unknown>;
  destroy(): void;
}

interface Redis {
  readonly createClient: typeof createClient;
  readonly createCluster: typeof createCluster;
}

/** A connection to Redis whose commands fail soon if there is no reply. Until there is one again, all fail at once. */
export class RedisConnection {
  readonly #client: Client;
  readonly #warn: (message: string) => void;
  /** The oldest first. */
  readonly #pending = new Set<Pending>();
  readonly #timer: NodeJS.Timeout;
  /** The codes of errors that were told. */
  readonly #rejections = new Set<string>();
  #isSilent = false;
  #isFull = false;
  #isAway = false;
  #checkedAt = performance.now();

  private constructor(client: Client, warn: (message: string) => void) {
    this.#client = client;
    this.#warn = warn;
    this.#timer = setInterval(() => this.#check(), checkInterval).unref();
  }

  /**
   * @param warn receives one line when a trouble begins, and one when it is over
   * @throws StoreIssue if the client is not installed, or the server cannot be used
   */
  static async open(url: string, warn: (message: string) => void): Promise<RedisConnection> {
    const redis = await importClient();
    const errors = new EventEmitter();
    try {
      const client = await openClient(redis, url, (error) => errors.emit('trouble', error));
      const connection = new RedisConnection(client, warn);
      errors.on('trouble', (error: Error) => connection.#fail(error));
      return connection;
    } catch (error) {
      throw new StoreIssue(withPage('store-redis', `Cannot use Redis: ${thrownMessage(error)}.`));
    }
  }

  get isAvailable(): boolean {
    return this.#client.isReady && !this.#isAway;
  }

  /** Runs a script. The keys have to be in one slot of a cluster. @throws StoreUnavailable */
  async run(
    { text, hash }: RedisScript,
    keys: readonly string[],
    values: readonly string[],
  ): Promise<unknown> {
    const rest = [String(keys.length), ...keys, ...values];
    try {
      return await this.send(['EVALSHA', hash, ...rest], keys[0]);
    } catch (error) {
      if (!thrownMessage(error).startsWith('NOSCRIPT')) throw error;
      return this.send(['EVAL', text, ...rest], keys[0]);
    }
  }

  /** @param key a key of the command, if it has one @throws StoreUnavailable */
  async send(command: readonly string[], key?: string): Promise<unknown> {
    if (this.#isSilent) throw silent();
    return this.#limited(key, command);
  }

  /** Notes that a write has succeeded. */
  hasWritten(): void {
    if (this.#isFull) this.#warn('Redis has memory again.');
    this.#isFull = false;
  }

  close(): void {
    clearInterval(this.#timer);
    this.#client.destroy();
  }

  /** One timer for all commands costs less than one for each. */
  async #limited(key: string | undefined, command: readonly string[]): Promise<unknown> {
    return new Promise<unknown>((resolve, reject) => {
      const pending = { since: performance.now(), reject };
      this.#pending.add(pending);
      this.#client.send(key, command).then(
        (reply) => {
          // After a late reply, Redis may still be too slow.
          if (this.#pending.delete(pending)) this.#back();
          resolve(reply);
        },
        (error: unknown) => {
          this.#pending.delete(pending);
          reject(this.#unavailable(error));
        },
      );
    });
  }

  #check(): void {
    const now = performance.now();
    // A reply may have arrived while this process was busy or suspended.
    const isLate = now - this.#checkedAt > 2 * checkInterval;
    this.#checkedAt = now;
    const [oldest] = this.#pending;
    if (oldest === undefined) void this.#limited(undefined, ['PING']).catch(() => undefined);
    else if (!isLate && now - oldest.since > commandLimit) this.#fallSilent();
  }

  #fallSilent(): void {
    this.#isSilent = true;
    this.#tell('Redis does not answer.');
    for (const { reject } of this.#pending) reject(silent());
    this.#pending.clear();
  }

  #back(): void {
    this.#isSilent = false;
    if (this.#isAway) this.#warn('Redis is there again.');
    this.#isAway = false;
  }

  #fail(error: Error): void {
    this.#tell(`Redis cannot be reached: ${(error.message || error.name).replace(/\.$/, '')}.`);
  }

  #tell(message: string): void {
    if (!this.#isAway) this.#warn(message);
    this.#isAway = true;
  }

  #unavailable(error: unknown): Error {
    const message = thrownMessage(error);
    const [code = ''] = /^[A-Z]+(?= )/.exec(message) ?? [];
    if (code === 'NOSCRIPT') return new Error(message, { cause: error });
    if (code === 'OOM') {
      if (!this.#isFull)
        this.#warn('The memory of Redis is full: until it has some, changes get status 503.');
      this.#isFull = true;
      return new StoreUnavailable(message, { reason: 'is full' });
    }
    if (code !== '' && !this.#rejections.has(code)) {
      this.#rejections.add(code);
      this.#warn(`Redis rejects a command: ${message}`);
    }
    return new StoreUnavailable(message);
  }
}

function silent(): StoreUnavailable {
  return new StoreUnavailable('Redis does not answer.', { reason: 'does not answer' });
}

const clientOptions = {
  disableOfflineQueue: true,
  commandsQueueMaxLength: 20_000,
  socket: {
    connectTimeout: 2000,
    socketTimeout: 3000,
    reconnectStrategy: (tries: number) => Math.min(50 * 2 ** tries, 1000),
  },
};

/** Connects to a server, and to all servers of its cluster if it is in one. */
async function openClient(
  redis: Redis,
  url: string,
  onError: (error: Error) => void,
): Promise<Client> {
  const client = redis.createClient({ url, ...clientOptions });
  client.on('error', onError);
  let isCluster: boolean;
  try {
    await client.connect();
    isCluster = /^cluster_enabled:1/m.test(await client.info('cluster'));
  } catch (error) {
    if (client.isOpen) client.destroy();
    throw error;
  }
  if (!isCluster) {
    return {
      get isReady() {
        return client.isReady;
      },
      send: (_, command) => client.sendCommand([...command]),
      destroy: () => client.isOpen && client.destroy(),
    };
  }
  const { username, password, socket } = client.options;
  client.destroy();
  const tls = socket?.tls === true ? { tls: true as const } : {};
  const cluster = redis.createCluster({
    rootNodes: [{ url }],
    defaults: {
      ...clientOptions,
      ...(username !== undefined && { username }),
      ...(password !== undefined && { password }),
      socket: { ...clientOptions.socket, ...tls },
    },
  });
  cluster.on('error', onError).on('node-error', onError);
  await cluster.connect();
  return {
    get isReady() {
      return cluster.isReady;
    },
    send: (key, command) => cluster.sendCommand(key, false, [...command]),
    destroy: () => cluster.isOpen && cluster.destroy(),
  };
}

async function importClient(): Promise<Redis> {
  try {
    return await import('redis');
  } catch (error) {
    if (errorCode(error) !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new StoreIssue(
      withPage(
        'store-redis',
        '--store redis:// requires the package redis. Install it: npm install redis.',
      ),
    );
  }
}
