import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import {
  endText,
  StoreIssue,
  StoreUnavailable,
  type SessionStore,
  type StoreContext,
  type StoredSession,
} from '../../engine/sessions/store.ts';
import { withPage } from '../../engine/lib/error-page.ts';
import { RedisConnection, redisScript } from './redis-connection.ts';

/**
 * KEYS: session, where a key goes that is no session. ARGV: version that the caller knows, expiry in milliseconds.
 *
 * Returns the time of Redis in milliseconds, the version of the session, its text if the caller has another version, and
 * whether the key was no session. It runs even if the memory of Redis is full.
 */
const readScript = redisScript(`#!lua flags=allow-oom
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local version = redis.pcall('HGET', KEYS[1], 'v')
if type(version) == 'table' and version.err then
  redis.call('RENAME', KEYS[1], KEYS[2])
  return {now, '', false, 1}
end
if redis.call('PEXPIRE', KEYS[1], ARGV[2]) == 0 then return {now, false, false, 0} end
local text = false
if version ~= ARGV[1] then text = redis.call('HGET', KEYS[1], 's') end
return {now, version or '', text, 0}`);

/** KEYS: session. ARGV: version that it must have, or `any`; new version; text; expiry. Returns whether it had that version. */
const writeScript = redisScript(`
local version = redis.call('HGET', KEYS[1], 'v') or ''
if ARGV[1] ~= 'any' and ARGV[1] ~= version then return 0 end
redis.call('HSET', KEYS[1], 'v', ARGV[2], 's', ARGV[3])
redis.call('PEXPIRE', KEYS[1], ARGV[4])
return 1`);

const ReadReply = z.tuple([z.number(), z.string().nullable(), z.string().nullable(), z.number()]);

/**
 * Keeps sessions in Redis 7 or Valkey, for any number of servers. A session is one hash: `v`, its version; `s`, its text. A
 * deleted one keeps a version and no text until all servers have removed it from their memory.
 */
export class RedisStore implements SessionStore {
  readonly #connection: RedisConnection;
  readonly #options: StoreContext;

  private constructor(connection: RedisConnection, options: StoreContext) {
    this.#connection = connection;
    this.#options = options;
  }

  /** @throws StoreIssue if the client is not installed, or the server cannot be used */
  static async open(url: string, options: StoreContext): Promise<RedisStore> {
    const { warn } = options;
    const connection = await RedisConnection.open(url, warn);
    try {
      await checkEviction(connection, warn);
    } catch (error) {
      connection.close();
      if (!(error instanceof StoreUnavailable)) throw error;
      throw new StoreIssue(withPage('store-redis', `Cannot use Redis: it ${error.reason}.`));
    }
    return new RedisStore(connection, options);
  }

  get isAvailable(): boolean {
    return this.#connection.isAvailable;
  }

  async read(key: string, known = 'none'): Promise<StoredSession> {
    const session = keyOf(key);
    // A cluster keeps a key in braces in the same slot as the key of this name.
    const aside = `{${session}}:aside`;
    const values = [known, String(this.#options.idle)];
    const reply = await this.#connection.run(readScript, [session, aside], values);
    const [now, version, text, isAside] = ReadReply.parse(reply);
    if (isAside === 0) return { version: version ?? undefined, text: text ?? undefined, now };
    this.#options.warn(`The key ${session} of Redis was no session. It is ${aside} now.`);
    return { version: '', text: endText('what was saved of it cannot be read'), now };
  }

  async write(key: string, version = '', text: string): Promise<string | undefined> {
    const next = randomUUID();
    return (await this.#write(key, version, next, text)) ? next : undefined;
  }

  async delete(key: string): Promise<void> {
    await this.#write(key, 'any', randomUUID(), '');
  }

  close(): Promise<void> {
    this.#connection.close();
    return Promise.resolve();
  }

  async #write(key: string, version: string, next: string, text: string): Promise<boolean> {
    const values = [version, next, text, String(this.#options.idle)];
    const reply = await this.#connection.run(writeScript, [keyOf(key)], values);
    this.#connection.hasWritten();
    return reply === 1;
  }
}

function keyOf(key: string): string {
  return `backlot:session:${key}`;
}

/** Warns if Redis deletes sessions when its memory is full. @throws StoreUnavailable */
async function checkEviction(
  connection: RedisConnection,
  warn: (message: string) => void,
): Promise<void> {
  const info = String(await connection.send(['INFO', 'memory']));
  const [, policy = 'noeviction'] = /^maxmemory_policy:(\S+)/m.exec(info) ?? [];
  if (policy === 'noeviction' || /^maxmemory:0\r?$/m.test(info)) return;
  warn(
    `Redis deletes sessions when its memory is full, because its maxmemory-policy is ${policy}. Set it to noeviction.`,
  );
}
