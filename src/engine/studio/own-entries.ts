/** The entries of this page's own actions. */
const ownIds = new Set<number>();
/** While an action runs, its entry may arrive first: later entries than this are taken for it until the action ends. */
let pendingSince = Infinity;

/** Whether an action of this page made an entry. */
export function isOwn(id: number): boolean {
  return ownIds.has(id) || id > pendingSince;
}

/** Takes entries after one for those of an action that begins. Without a number, the action has ended. */
export function expectOwn(since = Infinity): void {
  pendingSince = since;
}

/** Notes the entry of an action. */
export function addOwn(id: number): void {
  ownIds.add(id);
}
