import { isPublic } from '../../engine/control/guard.ts';
import { isControl } from '../../engine/lib/api-path.ts';
import { unref } from '../../engine/lib/timers.ts';
import type { BackOffice } from '../../engine/office/open-back-office.ts';
import { problemResponse } from '../../engine/rest/errors.ts';
import type { ApiResponse, RequestTarget } from '../../engine/rest/message.ts';
import { openProblem } from '../../engine/sessions/session-limits.ts';
import type { SessionRouter } from '../../engine/sessions/session-router.ts';
import { StoreUnavailable, type SessionStore } from '../../engine/sessions/store.ts';
import { wait } from '../fetch/wait.ts';
import {
  neededBy,
  notRead,
  notWritten,
  sharedName,
  unavailable,
  type Needed,
} from './needed-session.ts';
import { SessionCopies, type CopiesOptions } from './session-copies.ts';

export interface StoredSessionsOptions extends CopiesOptions {
  /** Whether the shared back office is kept, too. */
  readonly keepsShared: boolean;
}

/** How often requests are performed at most, because other servers change their session meanwhile. */
const maxTries = 5;

/** Maximum number of requests that wait for the store. */
const maxWaiting = 1000;

/** How often the store is asked for a session while a response waits for it, in milliseconds. */
const pollInterval = 1000;

/** A request that waits for its session. */
interface Waiting {
  readonly needed: Needed;
  readonly perform: () => ApiResponse;
  readonly resolve: (answer: ApiResponse | Promise<ApiResponse>) => void;
  readonly reject: (error: unknown) => void;
}

/** A request that was performed in memory. */
interface Performed {
  /** Returns its response, or throws what it has thrown. */
  readonly answer: () => ApiResponse;
  /** The sessions that it has opened under new names. */
  readonly opened: ReadonlyMap<string, BackOffice>;
  /** The sessions that it has deleted. */
  readonly deleted: readonly string[];
}

/**
 * Keeps sessions in a store by compare and set. The requests of a session are performed in groups: each group reads the
 * session, is performed in memory, and writes it with the version that was read.
 */
export class StoredSessions implements SessionRouter {
  readonly #options: StoredSessionsOptions;
  readonly #store: SessionStore;
  readonly #copies: SessionCopies;
  /** The requests that arrive while a group of their session is performed, which are the next one. */
  readonly #groups = new Map<string, Waiting[]>();
  #waiting = 0;
  /** What a request that is being performed has opened and deleted. */
  #opened = new Map<string, BackOffice>();
  #deleted: string[] = [];
  /** In front of the names of sessions, so that a reset of everything begins with new ones. */
  #epoch = '';
  #isClosing = false;

  constructor(options: StoredSessionsOptions) {
    this.#options = options;
    this.#store = options.store;
    this.#copies = new SessionCopies(options);
    const { server } = options;
    server.requireStore(() => this.#store.isAvailable);
    server.sessions.listen({
      opened: (name, office) => {
        this.#copies.add(office);
        this.#opened.set(name, office);
      },
      // Any server finds out by itself what has ended by a limit.
      ended: (name, reason) => void (reason === undefined && this.#deleted.push(name)),
      replaced: (before, after) => this.#copies.replace(before, after),
      full: ([oldest]) => void (oldest !== undefined && server.sessions.forget(oldest)),
    });
  }

  /** Whether an operation of the store may never end, and the process with it. */
  get hangs(): boolean {
    return this.#store.hangs ?? false;
  }

  answer(target: RequestTarget, perform: () => ApiResponse): ApiResponse | Promise<ApiResponse> {
    if (this.#isClosing && !(isControl(target.path) && isPublic(target.path)))
      return unavailable('This server is about to stop.');
    const needed = neededBy(target, this.#options.keepsShared);
    if (needed === undefined) {
      const performed = this.#perform(perform);
      const { opened, deleted } = performed;
      return opened.size + deleted.length > 0 ? this.#finish(performed) : performed.answer();
    }
    if (this.#waiting >= maxWaiting)
      return unavailable('Too many requests wait for the store of sessions.');
    return this.#enqueue(needed, perform).then((answer) =>
      whileOpen(answer, () => this.refresh(needed.name)),
    );
  }

  /** Brings a session in memory to the state of the store, which it keeps from expiring there. */
  refresh(name = sharedName): void {
    if (this.#isClosing || this.#copies.versionOf(name) === undefined) return;
    const none = unavailable('');
    this.#enqueue({ name, isOptional: true }, () => none).catch(() => undefined);
  }

  /** Begins anew with other names in the store. */
  beginEpoch(epoch: string): void {
    this.#epoch = epoch;
    this.#copies.clear();
  }

  /** Closes the store when all requests have been answered. */
  async close(): Promise<void> {
    this.#isClosing = true;
    while (this.#groups.size > 0) await wait(5);
    await this.#store.close();
  }

  #keyOf(name: string): string {
    return this.#epoch === '' ? name : `${this.#epoch}~${name}`;
  }

  #enqueue(needed: Needed, perform: () => ApiResponse): Promise<ApiResponse> {
    this.#waiting += 1;
    return new Promise<ApiResponse>((resolve, reject) => {
      const waiting = { needed, perform, resolve, reject };
      const next = this.#groups.get(needed.name);
      if (next === undefined) void this.#answerGroups(needed.name, [waiting]);
      else next.push(waiting);
    }).finally(() => {
      this.#waiting -= 1;
    });
  }

  async #answerGroups(name: string, first: Waiting[]): Promise<void> {
    for (let group = first; group.length > 0; group = this.#groups.get(name) ?? []) {
      this.#groups.set(name, []);
      try {
        await this.#answerGroup(name, group);
      } catch (error) {
        for (const { reject } of group) reject(error);
      }
    }
    this.#groups.delete(name);
  }

  async #answerGroup(name: string, group: readonly Waiting[]): Promise<void> {
    const key = this.#keyOf(name);
    for (let tries = 0; tries < maxTries; tries++) {
      // Servers that have met each other should not do so again.
      if (tries > 0) await wait(Math.random() * 2 ** tries);
      const readAt = performance.now();
      const stored = await this.#store
        .read(key, this.#copies.versionOf(name))
        .catch(unavailableOrThrow);
      if (stored instanceof StoreUnavailable) return this.#answerWithout(stored, notRead, group);
      // Nothing else may run until the text is made that is written.
      const undoCopy = this.#copies.take(name, stored, readAt);
      const performed = group.map(({ perform }) => this.#perform(perform, name));
      const deleted = new Set(performed.flatMap((one) => one.deleted));
      // It was opened again, so that it is written.
      if (this.#options.server.sessions.peek(name) !== undefined) deleted.delete(name);
      const writing = this.#copies.write(name, key, stored);
      const undo = (): void => {
        undoCopy();
        for (const { opened } of performed)
          for (const one of opened.keys()) this.#options.server.sessions.forget(one);
      };
      const isWritten = await writing.catch(unavailableOrThrow);
      if (isWritten !== true) undo();
      if (isWritten instanceof StoreUnavailable)
        return this.#answerWithout(isWritten, notWritten, group);
      if (!isWritten) continue;
      const finished = performed.map(async ({ answer, opened, deleted: own }) =>
        this.#finish({ answer, opened, deleted: own.filter((one) => deleted.has(one)) }),
      );
      for (const [at, { resolve }] of group.entries()) resolve(finished[at]!);
      return void (await Promise.allSettled(finished));
    }
    for (const { resolve } of group)
      resolve(unavailable('Other servers change this session at the same time. Try again.'));
  }

  /** Answers requests without the store: from memory, if they do not depend on it. */
  #answerWithout(
    error: StoreUnavailable,
    answerOf: (error: StoreUnavailable) => ApiResponse,
    group: readonly Waiting[],
  ): void {
    for (const { needed, perform, resolve } of group)
      resolve(
        needed.isOptional ? this.#finish(this.#perform(perform, needed.name)) : answerOf(error),
      );
  }

  /** Performs a request in memory. @param needed the name of its session, which it may open */
  #perform(perform: () => ApiResponse, needed?: string): Performed {
    this.#opened = new Map();
    this.#deleted = [];
    const answer = attempt(perform);
    const opened = this.#opened;
    if (needed !== undefined) opened.delete(needed);
    return { answer, opened, deleted: this.#deleted };
  }

  /** Resolves with the response when the store has what a request has opened and deleted. */
  async #finish({ answer, opened, deleted }: Performed): Promise<ApiResponse> {
    try {
      for (const name of deleted) await this.#store.delete(this.#keyOf(name));
      for (const [name, office] of opened) {
        if (await this.#copies.begin(this.#keyOf(name), office)) continue;
        this.#options.server.sessions.forget(name);
        return problemResponse(openProblem(name));
      }
      return answer();
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
      for (const name of opened.keys()) this.#options.server.sessions.forget(name);
      return notWritten(error);
    }
  }
}

/** Calls a function. Returns one that returns the result, or throws what it has thrown. */
function attempt<Result>(work: () => Result): () => Result {
  try {
    const result = work();
    return () => result;
  } catch (error) {
    return () => {
      throw error;
    };
  }
}

function unavailableOrThrow(error: unknown): StoreUnavailable {
  if (error instanceof StoreUnavailable) return error;
  throw error;
}

/** Calls a function regularly while a response waits or sends events. */
function whileOpen(answer: ApiResponse, poll: () => void): ApiResponse {
  const { events, deferred } = answer;
  if (events === undefined && deferred === undefined) return answer;
  const begin = (): (() => void) => {
    const timer = setInterval(poll, pollInterval);
    unref(timer);
    return () => clearInterval(timer);
  };
  return {
    ...answer,
    ...(events && {
      events: {
        ...events,
        subscribe(listener) {
          const ends = [begin(), events.subscribe(listener)];
          return () => {
            for (const end of ends) end();
          };
        },
      },
    }),
    ...(deferred && {
      deferred: {
        ...deferred,
        answer: (signal) => {
          const end = begin();
          return deferred.answer(signal).finally(end);
        },
      },
    }),
  };
}
