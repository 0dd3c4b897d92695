import { openBackOffice, type BackOffice } from '../../engine/office/open-back-office.ts';
import type { Snapshot } from '../../engine/office/snapshots.ts';
import { scenarioOf } from '../../engine/office/difference.ts';
import { openBuiltIn } from '../../engine/scenario/built-in.ts';
import type { ReadyScenario } from '../../engine/scenario/scenario.ts';
import type { RunRequest } from '../fetch.ts';
import { SessionTexts, type Refusal } from '../stores/saved-session.ts';
import { IndexedDbStore, type OwnedState } from './indexed-db-store.ts';
import { version } from '../version.ts';

/**
 * Restores the saved state, if there is one, and saves every later change by a request, a reset, a restored snapshot or
 * an import. Changes through `db` or other methods are saved with the next of these, or when the page is left.
 *
 * @param name the key of the state in IndexedDB
 * @param pageOptions the options of the page; a state that was saved with other options is ignored
 */
export async function openStateSaver(
  backOffice: BackOffice,
  name: string,
  pageOptions: string,
): Promise<StateSaver> {
  const saver = new StateSaver(backOffice, name, pageOptions);
  await saver.open();
  return saver;
}

/**
 * Saves the state of a back office in IndexedDB and shares it with other tabs.
 *
 * A method that returns at once, such as `reset`, cannot wait for other tabs: what it changes replaces what they saved in
 * that moment.
 */
export class StateSaver {
  readonly #backOffice: BackOffice;
  readonly #original: StateMethods;
  readonly #store: IndexedDbStore;
  readonly #texts: SessionTexts;
  readonly #otherTabs: BroadcastChannel;
  /** The fence of the state that this tab has loaded or saved last. */
  #fence = 0;
  /** Whether this tab has a claim. */
  #isOwner = false;
  /** Whether a method has changed the state since it was saved. */
  #isChanged = false;
  /** Whether a request that is saved anyway is being answered. */
  #isRunning = false;
  #isClosed = false;
  /** Whether the console says that a saved state is not used. */
  #isSaid = false;
  /** The fence that another tab has announced and this one has not loaded. */
  #announced: unknown;
  #saving: Promise<unknown> = Promise.resolve();

  constructor(backOffice: BackOffice, name: string, pageOptions: string) {
    this.#backOffice = backOffice;
    this.#store = new IndexedDbStore(name);
    this.#original = methodsOf(backOffice);
    this.#texts = new SessionTexts(
      JSON.stringify([version, pageOptions]),
      findIn(backOffice),
      'it was saved by another version of the package or with other options',
    );
    this.#otherTabs = new BroadcastChannel(`backlot ${name}`);
  }

  /**
   * Answers a request. One that can write is answered while no other tab writes, from the newest state of all tabs, and
   * resolves after the state is saved. Others are answered at once, from the state that this tab has.
   *
   * The page can have sent the request before another back office replaced this one, so a closed saver saves it, too.
   */
  readonly run: RunRequest = (request, answer) => {
    if (!isRead(request)) return this.#write(answer);
    return this.#isChanged ? this.#saving.then(answer) : answer();
  };

  /** Does the same as `run`, but saves nothing once this is closed. */
  readonly runIfOpen: RunRequest = (request, answer) =>
    this.#isClosed ? answer() : this.run(request, answer);

  /** Resolves when the state after all earlier requests is saved. */
  async saved(): Promise<void> {
    await this.#saving;
  }

  async open(): Promise<void> {
    this.#otherTabs.addEventListener('message', this.#followLater);
    await this.#follow();
    Object.assign(
      this.#backOffice,
      withChangeListener(this.#original, () => this.#saveLater()),
    );
    addEventListener('pagehide', this.#saveAtEnd);
  }

  close(): void {
    this.#isClosed = true;
    removeEventListener('pagehide', this.#saveAtEnd);
    this.#otherTabs.removeEventListener('message', this.#followLater);
    Object.assign(this.#backOffice, this.#original);
  }

  /** Loads what was saved last, unless a write of this tab has begun meanwhile, which loads it, too. */
  async #follow(): Promise<void> {
    const known = this.#fence;
    const { fence, state } = await this.#store.newest();
    if (this.#isOwner || known !== this.#fence) return;
    this.#fence = fence;
    this.#load(state);
  }

  /** Loads once for many announcements. */
  readonly #followLater = ({ data }: MessageEvent<unknown>): void => {
    const isScheduled = this.#announced !== undefined;
    this.#announced = data;
    if (isScheduled) return;
    const follow = async (): Promise<void> => {
      const latest = this.#announced;
      this.#announced = undefined;
      const isKnown = typeof latest === 'number' && latest <= this.#fence;
      if (!isKnown) await this.#follow();
    };
    this.#saving = this.#saving.then(follow).catch(warn);
  };

  #write<Result>(work: () => Result): Promise<Result> {
    const written = this.#whileOwner((claim) => {
      if (claim && claim.previous !== this.#fence) this.#load(claim.state);
      this.#isRunning = true;
      try {
        return work();
      } finally {
        this.#isRunning = false;
      }
    });
    this.#saving = Promise.allSettled([this.#saving, written]);
    return written;
  }

  #saveLater(): void {
    if (this.#isRunning) return;
    this.#isChanged = true;
    this.#saving = this.#whileOwner(() => undefined);
  }

  /** Runs work while no other tab writes, then saves the state. If the store cannot be used, runs it anyway. */
  async #whileOwner<Result>(work: (claim: OwnedState | undefined) => Result): Promise<Result> {
    const claim = await this.#store.claim().catch(warn);
    if (claim) this.#isOwner = true;
    try {
      return work(claim);
    } finally {
      await this.#save(claim).catch(warn);
      if (claim) this.#isOwner = false;
    }
  }

  /** Saves the state, also if a tab has saved its own while it was left. */
  async #save(claim: OwnedState | undefined): Promise<void> {
    this.#isChanged = false;
    const text = this.#text();
    const isSaved = await claim?.release(text);
    this.#fence = (isSaved ? claim?.fence : await this.#store.seize(text)) ?? this.#fence;
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a BroadcastChannel has one origin
    this.#otherTabs.postMessage(this.#fence);
  }

  /** A page that is left cannot wait for other tabs: it saves unless another one has saved since. */
  readonly #saveAtEnd = (): void => {
    const after = this.#isChanged ? undefined : this.#fence;
    const save = async (): Promise<void> => {
      this.#fence = (await this.#store.seize(this.#text(), after)) ?? this.#fence;
    };
    save().catch(warn);
  };

  /** Each tab has its own snapshots and its own journal. */
  #text(): string {
    const { shop } = this.#backOffice;
    return this.#texts.write({ shop, snapshots: { list: () => [] } }, 0);
  }

  /** Puts a saved state in place, unless this tab has changed its own. */
  #load(text: string | undefined): void {
    if (text !== undefined && !this.#isChanged) this.#resume(this.#read(text));
  }

  /** Restores a state in another back office, so that the journal of this one stays, and all of it if this fails. */
  #read(text: string): Snapshot | Refusal {
    let scratch: BackOffice | undefined;
    const open = (): BackOffice => (scratch = openLike(this.#backOffice));
    const refusal = this.#texts.read(text, open, false);
    return refusal ?? { ...scratch!.snapshot(), name: 'in IndexedDB' };
  }

  #resume(found: Snapshot | Refusal): void {
    if ('state' in found) this.#original.restore(found);
    else if ('error' in found) {
      // oxlint-disable-next-line no-console -- the page starts anyway; its developer should see why it was reset
      console.warn('Failed to read the saved state. The back office was reset.', found.error);
      this.#original.reset();
    } else if (!this.#isSaid) {
      this.#isSaid = true;
      // oxlint-disable-next-line no-console -- as above
      console.info(`The saved state of the back office is not used: ${found.reason}.`);
    }
  }
}

/** Opens another back office with the start of this one, which is in memory. */
function openLike({ shop: { start } }: BackOffice): BackOffice {
  const named = start.base ?? start;
  const { scenario, seed, settings, origin: { now } = named } = named;
  return openBackOffice({
    api: scenario.api,
    scenario,
    seed,
    settings,
    now,
    milliseconds: () => performance.now(),
  });
}

/** Returns a function that finds a scenario of a page by its name. */
function findIn(backOffice: BackOffice): (name: string) => ReadyScenario {
  const { shop } = backOffice;
  const first = scenarioOf(shop.start);
  return (name) =>
    [scenarioOf(shop.start), first].find((own) => own.name === name) ??
    openBuiltIn(first.api, name);
}

/** A token request writes even if it is a GET. */
function isRead({ method, url }: Parameters<RunRequest>[0]): boolean {
  return ['GET', 'HEAD', 'OPTIONS'].includes(method) && !url.startsWith('/oauth');
}

type StateMethods = Pick<BackOffice, 'answer' | 'reset' | 'restore' | 'import'>;

/** The present methods, even after others replace them. They are not bound: a back office is made of closures. */
// oxlint-disable-next-line typescript/unbound-method -- as above
function methodsOf({ answer, reset, restore, import: importFile }: BackOffice): StateMethods {
  return { answer, reset, restore, import: importFile };
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

/** The storage can be full, or unavailable in a private window. Requests are answered anyway. */
function warn(error: unknown): undefined {
  // oxlint-disable-next-line no-console -- there is no caller to report it to
  console.warn('Failed to save the state of the back office. A reload may lose it.', error);
  return undefined;
}
