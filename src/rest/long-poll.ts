/**
 * Returned by a handler if its value may still change while the client waits: https://www.rfc-editor.org/rfc/rfc6202#section-2
 * Hosts that can wait send the value of `wait`, others that of `current`.
 */
export class LongPoll<Value> {
  /** How long to wait, in milliseconds. */
  readonly timeout: number;
  /** Returns the value that there is now, or throws a Problem. */
  readonly current: () => Value;
  /** Resolves with the value, or rejects with a Problem when the signal aborts. */
  readonly wait: (signal: AbortSignal) => Promise<Value>;

  constructor({ timeout, current, wait }: Pick<LongPoll<Value>, 'timeout' | 'current' | 'wait'>) {
    this.timeout = timeout;
    this.current = current;
    this.wait = wait;
  }
}
