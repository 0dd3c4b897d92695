import { StoreUnavailable } from '../../engine/sessions/store.ts';
import { errorCode, thrownMessage } from '../../engine/lib/thrown.ts';

/**
 * How long an operation of a disk may take: a number of ticks, and their length in milliseconds. A process that gets no
 * processor time counts one tick, so that a busy machine is not taken for a disk that hangs.
 */
const [maxTicks, tick] = [9, 100];

/** Waits for operations of a disk that may hang, such as one of the network. */
export class Disk {
  readonly #folder: string;
  readonly #warn: (message: string) => void;
  /** The operations that take too long. */
  #late = 0;

  constructor(folder: string, warn: (message: string) => void) {
    this.#folder = folder;
    this.#warn = warn;
  }

  get hangs(): boolean {
    return this.#late > 0;
  }

  /**
   * Waits for an operation for a limited time. It may be done later. While one is late, no other is begun.
   *
   * @throws StoreUnavailable if it fails, with its reason, or takes too long
   */
  async run<Result>(what: string, begin: () => Promise<Result>): Promise<Result> {
    if (this.hangs) throw notAnswering();
    const work = begin();
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<never>((_, reject) => {
      let ticks = 0;
      timer = setInterval(() => {
        ticks += 1;
        if (ticks < maxTicks) return;
        clearInterval(timer);
        this.#count(work);
        reject(notAnswering());
      }, tick);
    });
    try {
      return await Promise.race([work, timeout]);
    } catch (error) {
      if (error instanceof StoreUnavailable) throw error;
      const isFull = fullCodes.has(errorCode(error));
      throw new StoreUnavailable(
        `Cannot ${what}: ${thrownMessage(error)}`,
        isFull ? { reason: 'is full' } : {},
      );
    } finally {
      clearInterval(timer);
    }
  }

  /** Counts a late operation until it is done. */
  #count(work: Promise<unknown>): void {
    this.#late += 1;
    if (this.#late === 1) {
      this.#warn(
        `The folder ${this.#folder} does not answer. Until it does, requests get status 503.`,
      );
    }
    const done = (): void => {
      this.#late -= 1;
      if (!this.hangs) this.#warn(`The folder ${this.#folder} answers again.`);
    };
    work.then(done, done);
  }
}

/** The codes of errors of a disk that takes no more. */
const fullCodes = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);

function notAnswering(): StoreUnavailable {
  return new StoreUnavailable('The disk does not answer.', { reason: 'does not answer' });
}
