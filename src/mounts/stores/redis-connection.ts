import type { createClient, RedisClientType } from 'redis';
import { StoreIssue, StoreUnavailable } from '../../engine/sessions/store.ts';
import { scripts } from './redis-scripts.ts';
import { withPage } from '../../engine/lib/error-page.ts';
import { errorCode, thrownMessage } from '../../engine/lib/thrown.ts';

export interface ConnectionOptions {
  /** Receives what operators should know: one line when a trouble begins, and one when it is over. */
  readonly warn: (message: string) => void;
  /** Called when Redis answers again after it did not. */
  readonly onBack: () => void;
}

export type ScriptName = keyof typeof scripts;

/** How long a command may take, in milliseconds. */
export const commandLimit = 1000;

/** How often that is checked, in milliseconds. */
const checkInterval = 200;

/** A command without a reply. */
interface Pending {
  readonly since: number;
  readonly reject: (error: StoreUnavailable) => void;
}

/** A connection to Redis whose commands fail soon if there is no reply. Until there is one again, all fail at once. */
export class RedisConnection {
  readonly #client: RedisClientType;
  /** A connection with subscriptions takes no other commands. */
  readonly #subscriber: RedisClientType;
  readonly #options: ConnectionOptions;
  /** The oldest first. */
  readonly #pending = new Set<Pending>();
  readonly #timer: NodeJS.Timeout;
  /** The codes of errors that were told. */
  readonly #rejections = new Set<string>();
  #isSilent = false;
  #isFull = false;
  #isTold = false;
  #checkedAt = 0;

  private constructor(client: RedisClientType, options: ConnectionOptions) {
    this.#client = client;
    this.#subscriber = client.duplicate();
    this.#subscriber.on('error', () => undefined);
    this.#options = options;
    client.on('error', (error: Error) => {
      this.#tell(`Redis cannot be reached: ${(error.message || error.name).replace(/\.$/, '')}.`);
    });
    client.on('ready', () => this.#back());
    this.#timer = setInterval(() => this.#check(), checkInterval).unref();
  }

  /** @throws StoreIssue if the client is not installed, or the server cannot be used */
  static async open(url: string, options: ConnectionOptions): Promise<RedisConnection> {
    const redis = await importClient();
    const client: RedisClientType = redis.createClient({
      url,
      disableOfflineQueue: true,
      commandsQueueMaxLength: 20_000,
      socket: {
        connectTimeout: 2000,
        socketTimeout: 3000,
        reconnectStrategy: (tries) => Math.min(50 * 2 ** tries, 1000),
      },
    });
    const connection = new RedisConnection(client, options);
    try {
      await client.connect();
    } catch (error) {
      connection.close();
      throw new StoreIssue(withPage('store-redis', `Cannot use Redis: ${thrownMessage(error)}.`));
    }
    return connection;
  }

  get isAvailable(): boolean {
    return this.#client.isReady && !this.#isSilent;
  }

  /** Runs a script. @throws StoreUnavailable */
  async run(
    name: ScriptName,
    keys: readonly string[],
    values: readonly string[],
  ): Promise<unknown> {
    const rest = [String(keys.length), ...keys, ...values];
    let reply: unknown;
    try {
      reply = await this.send(['EVALSHA', scripts[name].hash, ...rest]);
    } catch (error) {
      if (!thrownMessage(error).startsWith('NOSCRIPT')) throw error;
      reply = await this.send(['EVAL', scripts[name].text, ...rest]);
    }
    if (this.#isFull && name === 'save' && reply === 1) {
      this.#isFull = false;
      this.#options.warn('Redis has memory again. All changes are saved.');
    }
    return reply;
  }

  /** @throws StoreUnavailable */
  async send(command: readonly string[]): Promise<unknown> {
    if (!this.#client.isReady) throw new StoreUnavailable('Redis cannot be reached.');
    if (this.#isSilent) throw silent();
    return this.#limited(this.#client.sendCommand(command));
  }

  /** Calls functions with the messages of channels. @throws StoreUnavailable */
  async subscribe(
    listeners: Readonly<Record<string, (message: string) => unknown>>,
  ): Promise<void> {
    try {
      await this.#subscriber.connect();
      for (const [channel, listener] of Object.entries(listeners))
        await this.#subscriber.subscribe(channel, listener);
    } catch (error) {
      throw this.#unavailable(error);
    }
  }

  close(): void {
    clearInterval(this.#timer);
    for (const client of [this.#client, this.#subscriber]) if (client.isOpen) client.destroy();
  }

  /** One timer for all commands costs less than one for each. */
  async #limited<Reply>(work: Promise<Reply>): Promise<Reply> {
    return new Promise<Reply>((resolve, reject) => {
      const pending = { since: performance.now(), reject };
      this.#pending.add(pending);
      const end = (): void => {
        const isInTime = this.#pending.delete(pending);
        if (this.#isSilent) this.#probe(isInTime);
      };
      work.then(
        (reply) => {
          end();
          resolve(reply);
        },
        (error: unknown) => {
          if (this.#client.isReady) end();
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
    if (isLate || !this.#client.isReady) return;
    const [oldest] = this.#pending;
    if (oldest === undefined || now - oldest.since <= commandLimit) return;
    this.#isSilent = true;
    this.#tell('Redis does not answer.');
    for (const { reject } of this.#pending) reject(silent());
    this.#pending.clear();
  }

  /** After a late reply, Redis is there again if it replies in time. */
  #probe(isInTime: boolean): void {
    if (isInTime) this.#back();
    else if (this.#pending.size === 0) this.#limited(this.#client.ping()).catch(() => undefined);
  }

  #back(): void {
    this.#isSilent = false;
    if (this.#isTold) this.#options.warn('Redis is there again.');
    this.#isTold = false;
    this.#options.onBack();
  }

  #tell(message: string): void {
    if (!this.#isTold) this.#options.warn(message);
    this.#isTold = true;
  }

  #unavailable(error: unknown): Error {
    const message = thrownMessage(error);
    const [code = ''] = /^[A-Z]+(?= )/.exec(message) ?? [];
    if (code === 'NOSCRIPT') return new Error(message, { cause: error });
    if (code === 'OOM') {
      if (!this.#isFull)
        this.#options.warn(
          'The memory of Redis is full: changes are not saved, and no session can begin.',
        );
      this.#isFull = true;
      return new StoreUnavailable(message, { reason: 'is full' });
    }
    if (code !== '' && code !== 'LATE' && !this.#rejections.has(code)) {
      this.#rejections.add(code);
      this.#options.warn(`Redis rejects a command: ${message}`);
    }
    return new StoreUnavailable(message);
  }
}

function silent(): StoreUnavailable {
  return new StoreUnavailable('Redis does not answer.', { reason: 'does not answer' });
}

async function importClient(): Promise<{ readonly createClient: typeof createClient }> {
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
