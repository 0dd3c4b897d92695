import { openBackOffice, type BackOffice } from '../../engine/office/open-back-office.ts';
import type { Snapshot } from '../../engine/office/snapshots.ts';
import { differenceOfOffice, scenarioOf } from '../../engine/office/difference.ts';
import { openBuiltIn } from '../../engine/scenario/built-in.ts';
import type { ReadyScenario } from '../../engine/scenario/scenario.ts';
import type { RunRequest } from '../fetch/fetch.ts';
import { SessionTexts, type Refusal } from '../stores/saved-session.ts';
import { IndexedDbStore, type OwnedState } from './indexed-db-store.ts';
import { version } from '../server/version.ts';

/**
 * Restores the saved state, if there is one, and saves every later change, by requests and by code.
 *
 * @param name the name of the states in IndexedDB
 * @param pageOptions the options of the page: each set of options has a state of its own
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
  readonly #store: IndexedDbStore;
  readonly #texts: SessionTexts;
  readonly #otherTabs: BroadcastChannel;
  /** The fence of the state that this tab has loaded or saved last. */
  #fence = 0;
  /** Whether this tab has a claim. */
  #isOwner = false;
  /** Whether code has changed the state since it was saved. */
  #isChanged = false;
  /** The changes that were saved or loaded last. */
  #known: string;
  /** Whether what has changed is looked at soon. */
  #isNoticed = false;
  #isClosed = false;
  /** Whether the console says that a saved state is not used. */
  #isSaid = false;
  /** The fence that another tab has announced and this one has not loaded. */
  #announced: unknown;
  #saving: Promise<unknown> = Promise.resolve();

  constructor(backOffice: BackOffice, name: string, pageOptions: string) {
    this.#backOffice = backOffice;
    this.#known = changesOf(backOffice);
    const key = `${name} ${pageOptions}`;
    this.#store = new IndexedDbStore(key);
    this.#texts = new SessionTexts(
      version,
      findIn(backOffice),
      'it was saved by another version of the package',
    );
    this.#otherTabs = new BroadcastChannel(`backlot ${key}`);
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

  /** Resolves when all earlier changes are saved. */
  async saved(): Promise<void> {
    this.#saveChanges();
    await this.#saving;
  }

  async open(): Promise<void> {
    this.#otherTabs.addEventListener('message', this.#followLater);
    await this.#follow();
    const { transaction, clock } = this.#backOffice.shop;
    transaction.onChange = this.#notice;
    clock.onChange = this.#notice;
    addEventListener('pagehide', this.#saveAtEnd);
  }

  close(): void {
    this.#saveChanges();
    this.#isClosed = true;
    removeEventListener('pagehide', this.#saveAtEnd);
    this.#otherTabs.removeEventListener('message', this.#followLater);
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
      return work();
    });
    this.#saving = Promise.allSettled([this.#saving, written]);
    return written;
  }

  /** Is called at each write. A request or a call makes many. */
  readonly #notice = (): void => {
    if (this.#isNoticed) return;
    this.#isNoticed = true;
    queueMicrotask(() => {
      this.#isNoticed = false;
      this.#saveChanges();
    });
  };

  /** Saves what code has changed. What a request changes is saved by the owner, which it is then. */
  #saveChanges(): void {
    if (this.#isClosed || this.#isOwner || this.#isChanged) return;
    if (changesOf(this.#backOffice) === this.#known) return;
    this.#isChanged = true;
    this.#saving = Promise.allSettled([this.#saving, this.#whileOwner(() => undefined)]);
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
      this.#saveChanges();
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
    this.#known = changesOf(this.#backOffice);
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
    const refusal = this.#texts.read(text, open, { isTicking: false });
    return refusal ?? { ...scratch!.snapshot(), name: 'in IndexedDB' };
  }

  #resume(found: Snapshot | Refusal): void {
    if ('state' in found) this.#backOffice.restore(found);
    else if ('error' in found) {
      // oxlint-disable-next-line no-console -- the page starts anyway; its developer should see why it was reset
      console.warn('Failed to read the saved state. The back office was reset.', found.error);
      this.#backOffice.reset();
    } else if (!this.#isSaid) {
      this.#isSaid = true;
      // oxlint-disable-next-line no-console -- as above
      console.info(`The saved state of the back office is not used: ${found.reason}.`);
    }
    this.#known = changesOf(this.#backOffice);
  }
}

/** Opens another back office with the start of this one, which is in memory. */
function openLike({ shop: { start } }: BackOffice): BackOffice {
  const { scenario, seed, settings, origin: { now } = start } = start;
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

/** Returns how a back office differs from its start, as text to compare. */
function changesOf({ shop }: BackOffice): string {
  return JSON.stringify(differenceOfOffice({ shop, snapshots: { list: () => [] } }));
}

/** The storage can be full, or unavailable in a private window. Requests are answered anyway. */
function warn(error: unknown): undefined {
  // oxlint-disable-next-line no-console -- there is no caller to report it to
  console.warn('Failed to save the state of the back office. A reload may lose it.', error);
  return undefined;
}
