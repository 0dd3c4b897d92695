import { createStore, get, set } from 'idb-keyval';
import type { BackOffice } from '../../office/open-back-office.ts';
import { loadGenerator } from '../../scenario/generator.ts';
import type { ScenarioName } from '../../scenario/scenario.ts';

/** Saves the state of a back office in IndexedDB and shares it with other tabs. */
export interface Keeper {
  /** Resolves when the state after all earlier requests is saved. */
  saved(): Promise<void>;
  close(): void;
}

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
 */
export async function keep(
  backOffice: BackOffice,
  name: string,
  pageOptions: string,
): Promise<Keeper> {
  const store = createStore('backlot', 'states');
  const otherTabs = new BroadcastChannel(`backlot ${name}`);
  const original = methodsOf(backOffice);
  const load = async (): Promise<void> => {
    const saved = await get<SavedState>(name, store);
    if (saved?.asked !== pageOptions) return;
    // The other scenario may have generated orders.
    if (saved.file.scenario !== backOffice.scenario.name) await loadGenerator();
    resume(backOffice, original, saved);
  };
  await load();
  let saving = Promise.resolve();
  const save = (): void => {
    const state: SavedState = { asked: pageOptions, file: backOffice.export() };
    const write = async (): Promise<void> => {
      await set(name, state, store);
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a BroadcastChannel has one origin
      otherTabs.postMessage('changed');
    };
    saving = saving.then(write).catch(warn);
  };
  Object.assign(backOffice, withChangeListener(original, save));
  otherTabs.addEventListener('message', () => {
    saving = saving.then(load).catch(warn);
  });
  addEventListener('pagehide', save);
  return {
    saved: () => saving,
    close() {
      removeEventListener('pagehide', save);
      otherTabs.close();
      Object.assign(backOffice, original);
    },
  };
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
      if (!['GET', 'HEAD', 'OPTIONS'].includes(request.method)) changed();
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
