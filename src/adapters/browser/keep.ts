import type { BackOffice } from '../../office/open-back-office.ts';
import { openStore, type StateStore } from './store.ts';

/** Keeps what a back office holds over reloads of its page, and shares it with other tabs. */
export interface Keeper {
  /** Resolves when everything that has happened so far is kept. */
  saved(): Promise<void>;
  close(): void;
}

/** What is kept: the state, and what was asked for when it began. Another wish begins anew. */
interface Kept {
  readonly asked: string;
  readonly file: { readonly scenario: string };
}

/**
 * Takes over what was kept, if there is something, and keeps what happens from now on: requests, resets, snapshots
 * that are restored. What other doors change is kept with the next of these, or when the page is left.
 *
 * @param asked what the page asks for; a state that was kept under another wish is passed over
 */
export async function keep(backOffice: BackOffice, name: string, asked: string): Promise<Keeper> {
  const store = await openStore(name);
  const others = new BroadcastChannel(`backlot ${name}`);
  const own = doorsOf(backOffice);
  const follow = async (): Promise<void> => resume(backOffice, own, await read(store, asked));
  await follow();
  let saving = Promise.resolve();
  const save = (): void => {
    const kept: Kept = { asked, file: backOffice.export() };
    const write = async (): Promise<void> => {
      await store.write(kept);
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no other origins
      others.postMessage('changed');
    };
    saving = saving.then(write).catch(warn);
  };
  Object.assign(backOffice, saying(own, save));
  others.addEventListener('message', () => {
    saving = saving.then(follow).catch(warn);
  });
  addEventListener('pagehide', save);
  return {
    saved: () => saving,
    close() {
      removeEventListener('pagehide', save);
      others.close();
      Object.assign(backOffice, own);
      void saving.finally(() => store.close());
    },
  };
}

type Doors = Pick<BackOffice, 'answer' | 'reset' | 'restore' | 'import'>;

/** As they are now, whatever is put in their place later. */
function doorsOf(backOffice: BackOffice): Doors {
  const { ...doors } = backOffice as Doors;
  return {
    answer: (request) => doors.answer(request),
    reset: (...to) => doors.reset(...to),
    restore: (snapshot) => doors.restore(snapshot),
    import: (file) => doors.import(file),
  };
}

/** The same doors, each of which tells when something may have changed. */
function saying(own: Doors, changed: () => void): Doors {
  return {
    answer(request) {
      const answer = own.answer(request);
      if (!['GET', 'HEAD', 'OPTIONS'].includes(request.method)) changed();
      return answer;
    },
    reset(...to) {
      own.reset(...to);
      changed();
    },
    restore(snapshot) {
      own.restore(snapshot);
      changed();
    },
    import(file) {
      own.import(file);
      changed();
    },
  };
}

async function read(store: StateStore, asked: string): Promise<Kept | undefined> {
  const kept = (await store.read()) as Kept | undefined;
  return kept?.asked === asked ? kept : undefined;
}

function resume(backOffice: BackOffice, own: Doors, kept: Kept | undefined): void {
  if (kept === undefined) return;
  const { file } = kept;
  try {
    if (file.scenario !== backOffice.scenario.name) own.reset(file.scenario);
    own.import(file);
  } catch (error) {
    // oxlint-disable-next-line no-console -- the page starts all the same; its developer should know why anew
    console.warn('Failed to read what was kept; the back office starts anew.', error);
    own.reset();
  }
}

/** A store can be full, or closed to a private window; what is asked is answered all the same. */
function warn(error: unknown): void {
  // oxlint-disable-next-line no-console -- nobody else hears of it
  console.warn('Failed to keep what the back office holds; a reload may begin without it.', error);
}
