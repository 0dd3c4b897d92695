/** A session as a store has it. */
export interface StoredSession {
  /** Differs after each write. Undefined for a session that the store does not have. */
  readonly version: string | undefined;
  /** The text that was written last; absent if the caller knows this version. Empty for a session that was deleted. */
  readonly text?: string | undefined;
  /** The time of the store, in milliseconds since 1970. Servers have it in place of their own clocks. */
  readonly now: number;
}

/**
 * Keeps sessions for one or more servers, each as a text with a version. A server that writes states the version that it has
 * read, and the store refuses the text if that is not the latest one (compare and set).
 */
export interface SessionStore {
  /** @param known the version that the caller has @throws StoreUnavailable */
  read(key: string, known?: string): Promise<StoredSession>;
  /**
   * Writes a session as a whole, if it still has a version. If this fails, it may have been written or not.
   *
   * @param version undefined for a session that the store did not have
   * @returns the new version; undefined if the session has another one
   * @throws StoreUnavailable
   */
  write(key: string, version: string | undefined, text: string): Promise<string | undefined>;
  /** Deletes a session, whatever its version. Others learn of that by `read`. @throws StoreUnavailable */
  delete(key: string): Promise<void>;
  /** Whether the store can be used. */
  readonly isAvailable: boolean;
  /** Whether an operation may never end, and the process with it. */
  readonly hangs?: boolean;
  close(): Promise<void>;
}

/** The context that a store receives of its user. */
export interface StoreContext {
  /** The time for which an unused session stays, in milliseconds. */
  readonly idle: number;
  /** Receives what operators should know. */
  readonly warn: (message: string) => void;
}

/** Opens a store of sessions. */
export type OpenStore = (context: StoreContext) => SessionStore | Promise<SessionStore>;

/** The store cannot be used at the moment. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable';
  /** The message for clients. A store that is full has certainly not written. */
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

/** Returns the text of a session that has ended, so that its client learns why. See `SessionTexts`. */
export function endText(reason: string): string {
  return JSON.stringify({ ended: reason });
}
