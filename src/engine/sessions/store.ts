/** The result of a claim of a session. */
export type Claim =
  | {
      readonly status: 'mine';
      /** A number that is higher than that of every earlier claim. Each save states it. */
      readonly fence: number;
      /** The fence of the claim before; 0 if there was none. */
      readonly previous: number;
      /** The last saved state; undefined for a session that is new to the store. */
      readonly state: string | undefined;
      /** Whether an earlier owner has ended without a release, so that its last changes may be missing. */
      readonly isTakenOver: boolean;
    }
  /** Another server owns it, and has not released it in time. */
  | { readonly status: 'elsewhere' }
  /** Its owner may be about to claim it again, because the store has lost data. Milliseconds until that is decided. */
  | { readonly status: 'wait'; readonly remaining: number }
  | { readonly status: 'none' };

/** A copy of a session in the memory of a server. */
export interface HeldCopy {
  /** The fence of its last claim. */
  readonly fence: number;
  /** The number of lapses of the lease at its last claim. */
  readonly lapses: number;
}

/** Keeps the sessions of one or more servers. Each session has at most one owner, which alone can save it. */
export interface SessionStore {
  /**
   * Makes this server the owner of a session. If another server is that, requests it to release the session, and waits.
   *
   * @param what `any`: also a session that is not in the store; `own`: only one that this server owns already, or of which
   * it holds the latest copy
   * @param held what this server holds of it already. If that is the latest copy, `previous` is its fence, or 0 if the store
   * does not have the session any more.
   * @throws StoreUnavailable
   */
  claim(key: string, what: 'any' | 'existing' | 'own', held?: HeldCopy): Promise<Claim>;
  /** Saves a session. Returns whether this server still is its owner. @throws StoreUnavailable */
  save(key: string, fence: number, state: string): Promise<boolean>;
  /**
   * Saves a session and makes it free. Without a state, deletes it.
   *
   * @throws StoreUnavailable
   */
  release(key: string, fence: number, state: string | undefined): Promise<boolean>;
  /** Prevents that owned sessions expire, which were used without being changed. */
  touch(keys: readonly string[]): void;
  /** Whether the store can be reached. */
  readonly isAvailable: boolean;
  /** The end of the lease of this server, by `performance.now()`: until then no other one becomes an owner of its sessions. */
  readonly leaseUntil: number;
  /** Until when sessions that may lose changes are used while the store cannot be reached (default: `leaseUntil`). */
  readonly usableUntil?: number;
  /** The number of times that the lease has ended before it was renewed. */
  readonly lapses: number;
  /** Whether an operation may never end, and the process with it. */
  readonly hangs?: boolean;
  /** Ends the lease and the connection. */
  close(): Promise<void>;
}

/** The context that a store receives of its user. */
export interface StoreContext {
  /** The minimum time for which an unused session stays, in milliseconds. */
  readonly idle: number;
  /**
   * How long a store that is away or has lost data is waited for, and a lock of a process that has ended, in milliseconds
   * (default: 10,000).
   */
  readonly lease?: number | undefined;
  /** Receives what operators should know. */
  readonly warn: (message: string) => void;
  /** To be called when the store has lost data, so that this process has to claim again what it holds, at once. */
  readonly onDataLost: () => void;
  /** To be called when another server requests a session of this one, by its key. */
  readonly onRequested: (key: string) => void;
}

/** Opens a store of sessions. */
export type OpenStore = (context: StoreContext) => SessionStore | Promise<SessionStore>;

/** The store cannot be used at the moment. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable';
  /** The message for clients. */
  readonly reason: 'cannot be reached' | 'does not answer' | 'is full';

  constructor(
    message: string,
    {
      reason = 'cannot be reached',
      ...options
    }: ErrorOptions & Partial<Pick<StoreUnavailable, 'reason'>> = {},
  ) {
    super(message, options);
    this.reason = reason;
  }
}

/** A store that cannot be used. The message states why. */
export class StoreIssue extends Error {
  override readonly name = 'StoreIssue';
}

/** The reason for which a session starts again whose server has ended before its first save. */
export const neverSaved = 'its server has ended before it was saved';

/** Returns the text of a session that has ended, so that its client learns why. See `SessionTexts`. */
export function endText(reason: string): string {
  return JSON.stringify({ ended: reason });
}
