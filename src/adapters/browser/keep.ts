import { createStore, get, getMany, setMany } from 'idb-keyval';
import type { BackOffice } from '../../office/open-back-office.ts';
import type { ScenarioName } from '../../scenario/scenario.ts';
import type { RunRequest } from '../fetch.ts';

/** The saved state, and the options of the page that saved it. */
interface SavedState {
  readonly asked: string;
  readonly file: { readonly scenario: string };
}

/**
 * Restores the saved state, if there is one, and saves every later change by a request, a reset, a restored snapshot or
 * an import. Changes through `db` or other methods are saved with the next of these, or when the page is left.
 *
 * @param name the key of the state in IndexedDB
 * @param pageOptions the options of the page; a state that was saved with other options is ignored
 * @param loadParts loads what another scenario may need
 */
export async function keep(
  backOffice: BackOffice,
  name: string,
  pageOptions: string,
  loadParts: () => Promise<void>,
): Promise<Keeper> {
  const keeper = new Keeper(backOffice, name, pageOptions, loadParts);
  await keeper.open();
  return keeper;
}

/**
 * Saves the state of a back office in IndexedDB and shares it with other tabs.
 *
 * A method that returns at once, such as `reset`, cannot wait for other tabs: what it changes replaces what they saved in
 * that moment.
 */
export class Keeper {
  readonly #backOffice: BackOffice;
  readonly #name: string;
  readonly #pageOptions: string;
  readonly #loadParts: () => Promise<void>;
  readonly #original: StateMethods;
  readonly #store = createStore('backlot', 'states');
  readonly #otherTabs: BroadcastChannel;
  readonly #alone: Exclusive;
  /** The version of the state that this tab has loaded or saved last. */
  #version: string | undefined;
  /** Whether a method has changed the state since it was saved. */
  #isChanged = false;
  /** Whether a request that is saved anyway is being answered. */
  #isRunning = false;
  #isClosed = false;
  /** What another tab has announced and this one has not loaded. */
  #announced: unknown;
  #saving: Promise<unknown> = Promise.resolve();

  constructor(
    backOffice: BackOffice,
    name: string,
    pageOptions: string,
    loadParts: () => Promise<void>,
  ) {
    this.#backOffice = backOffice;
    this.#loadParts = loadParts;
    this.#name = name;
    this.#pageOptions = pageOptions;
    this.#original = methodsOf(backOffice);
    this.#otherTabs = new BroadcastChannel(`backlot ${name}`);
    this.#alone = createExclusive(`backlot ${name}`);
  }

  /**
   * Answers a request. One that can write is answered while no other tab writes, from the newest state of all tabs, and
   * resolves after the state is saved. Others are answered at once, from the state that this tab has.
   *
   * The page can have sent the request before another back office replaced this one, so a closed keeper saves it, too.
   */
  readonly run: RunRequest = (request, answer) => {
    if (!isRead(request)) return this.#write(answer);
    return this.#isChanged ? this.#saving.then(answer) : answer();
  };

  /** As `run`, but saves nothing once this is closed. */
  readonly runIfOpen: RunRequest = (request, answer) =>
    this.#isClosed ? answer() : this.run(request, answer);

  /** Resolves when the state after all earlier requests is saved. */
  async saved(): Promise<void> {
    await this.#saving;
  }

  async open(): Promise<void> {
    this.#otherTabs.addEventListener('message', this.#loadLater);
    await this.#load();
    Object.assign(
      this.#backOffice,
      withChangeListener(this.#original, () => this.#saveLater()),
    );
    addEventListener('pagehide', this.#saveAtEnd);
  }

  close(): void {
    this.#isClosed = true;
    removeEventListener('pagehide', this.#saveAtEnd);
    this.#otherTabs.removeEventListener('message', this.#loadLater);
    Object.assign(this.#backOffice, this.#original);
  }

  get #versionKey(): IDBValidKey {
    return [this.#name, 'version'];
  }

  #state(): SavedState {
    return { asked: this.#pageOptions, file: this.#backOffice.export() };
  }

  async #load(): Promise<void> {
    const keys = [this.#name, this.#versionKey];
    const [saved, version] = await getMany<SavedState & string>(keys, this.#store);
    this.#version = version;
    if (saved?.asked !== this.#pageOptions) return;
    // The other scenario may have generated orders.
    if (saved.file.scenario !== this.#backOffice.scenario.name) await this.#loadParts();
    if (!this.#isChanged) resume(this.#backOffice, this.#original, saved);
  }

  async #loadIfOutdated(): Promise<void> {
    if ((await get(this.#versionKey, this.#store)) !== this.#version) await this.#load();
  }

  async #save(): Promise<void> {
    this.#isChanged = false;
    const version = crypto.randomUUID();
    const entries: [IDBValidKey, unknown][] = [
      [this.#name, this.#state()],
      [this.#versionKey, version],
    ];
    await setMany(entries, this.#store);
    this.#version = version;
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a BroadcastChannel has one origin
    this.#otherTabs.postMessage(version);
  }

  #write<Result>(work: () => Result): Promise<Result> {
    const written = this.#alone(async () => {
      await this.#loadIfOutdated().catch(warn);
      this.#isRunning = true;
      try {
        return work();
      } finally {
        this.#isRunning = false;
        await this.#save().catch(warn);
      }
    });
    this.#saving = Promise.allSettled([this.#saving, written]);
    return written;
  }

  #saveLater(): void {
    if (this.#isRunning) return;
    this.#isChanged = true;
    this.#saving = this.#alone(async () => this.#isChanged && this.#save()).catch(warn);
  }

  /** Loads once for many announcements. */
  readonly #loadLater = ({ data }: MessageEvent<unknown>): void => {
    const isWaiting = this.#announced !== undefined;
    this.#announced = data;
    if (isWaiting) return;
    this.#saving = this.#alone(async () => {
      const latest = this.#announced;
      this.#announced = undefined;
      if (latest !== this.#version) await this.#load();
    }).catch(warn);
  };

  /** A page that is left cannot wait for other tabs: it saves unless another one has saved since. */
  readonly #saveAtEnd = (): void => {
    const [before, isChanged, state] = [this.#version, this.#isChanged, this.#state()];
    const saved = this.#store('readwrite', (states) => {
      const found = states.get(this.#versionKey);
      found.addEventListener('success', () => {
        if (found.result !== before && !isChanged) return;
        this.#version = crypto.randomUUID();
        states.put(state, this.#name);
        states.put(this.#version, this.#versionKey);
      });
    });
    saved.catch(warn);
  };
}

type Exclusive = <Result>(work: () => Promise<Result>) => Promise<Result>;

/** Returns a function that runs one piece of work after another, in all tabs if the browser has `navigator.locks`. */
function createExclusive(name: string): Exclusive {
  if ('locks' in navigator) {
    return async (work) => navigator.locks.request(name, work);
  }
  // oxlint-disable-next-line no-console -- there is no caller to report it to
  console.warn(
    'This browser has no navigator.locks. Tabs that write at the same time can give the same ids twice.',
  );
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const result = last.then(work);
    last = result.catch(() => undefined);
    return result;
  };
}

/** A token request writes even if it is a GET. */
function isRead({ method, url }: Parameters<RunRequest>[0]): boolean {
  return ['GET', 'HEAD', 'OPTIONS'].includes(method) && !url.startsWith('/oauth');
}

type StateMethods = Pick<BackOffice, 'answer' | 'reset' | 'restore' | 'import'>;

/** The present methods, even after others replace them. */
function methodsOf(backOffice: BackOffice): StateMethods {
  const { ...methods } = backOffice as StateMethods;
  return {
    answer: (request) => methods.answer(request),
    reset: (...to) => methods.reset(...to),
    restore: (snapshot) => methods.restore(snapshot),
    import: (file) => methods.import(file),
  };
}

/** The same methods, which call `changed` after every possible change. */
function withChangeListener(original: StateMethods, changed: () => void): StateMethods {
  return {
    answer(request) {
      const answer = original.answer(request);
      if (!isRead(request)) changed();
      return answer;
    },
    reset(...to) {
      original.reset(...to);
      changed();
    },
    restore(snapshot) {
      original.restore(snapshot);
      changed();
    },
    import(file) {
      original.import(file);
      changed();
    },
  };
}

function resume(backOffice: BackOffice, original: StateMethods, { file }: SavedState): void {
  try {
    if (file.scenario !== backOffice.scenario.name) original.reset(file.scenario as ScenarioName);
    original.import(file);
  } catch (error) {
    // oxlint-disable-next-line no-console -- the page starts anyway; its developer should see why it was reset
    console.warn('Failed to read the saved state. The back office was reset.', error);
    original.reset();
  }
}

/** The storage can be full, or unavailable in a private window. Requests are answered anyway. */
function warn(error: unknown): void {
  // oxlint-disable-next-line no-console -- there is no caller to report it to
  console.warn('Failed to save the state of the back office. A reload may lose it.', error);
}
