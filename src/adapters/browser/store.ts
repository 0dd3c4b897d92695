/** States of back offices, kept in the browser by name. */
export interface StateStore {
  read(): Promise<unknown>;
  write(state: unknown): Promise<void>;
  close(): void;
}

const storeName = 'states';

/** Opens the browser's own database (IndexedDB). */
export async function openStore(name: string): Promise<StateStore> {
  const opening = indexedDB.open('backlot', 1);
  opening.addEventListener('upgradeneeded', () => opening.result.createObjectStore(storeName));
  const database = await settled(opening);
  const states = (mode: IDBTransactionMode): IDBObjectStore =>
    database.transaction(storeName, mode).objectStore(storeName);
  return {
    read: () => settled<unknown>(states('readonly').get(name)),
    async write(state) {
      await settled(states('readwrite').put(state, name));
    },
    close: () => database.close(),
  };
}

function settled<Result>(request: IDBRequest<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () =>
      reject(request.error ?? new Error('Failed to use the database of the browser')),
    );
  });
}
