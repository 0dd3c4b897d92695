/** Returns the storage of the tab; undefined on a page without one: a trace on a disk, a frame in a sandbox. */
export function tabStorage(): Storage | undefined {
  try {
    return sessionStorage;
  } catch {
    return undefined;
  }
}
