import { attached } from './calls.ts';
import type { Summary } from './source.ts';
import { tabStorage } from './tab-storage.ts';

/** The entries of this page's own actions, by id. Other entries may get their ids after a restart of the server. */
const own = new Map<number, string>();
/** While an action runs, its entry may arrive first: later entries than this are taken for it until the action ends. */
let pendingSince = Infinity;

/** Maximum number of entries that a tab remembers. */
const maxOwn = 500;

/** Whether an action of this page made an entry. */
export function isOwn(id: number): boolean {
  return own.has(id) || id > pendingSince;
}

/** Takes entries after one for those of an action that begins. Without a number, the action has ended. */
export function expectOwn(since = Infinity): void {
  pendingSince = since;
}

/** Notes the entry of an action, until the tab is closed. */
export function addOwn(entry: Summary): void {
  own.set(entry.id, markOf(entry));
  tabStorage()?.setItem(
    keyOf(),
    [...own]
      .slice(-maxOwn)
      .map(([id, mark]) => `${id} ${mark}`)
      .join('\n'),
  );
}

/** Notes the entries that the tab had noted before it was loaded again, as far as the history still has them. */
export function recallOwn(listed: readonly Summary[]): void {
  const noted = (tabStorage()?.getItem(keyOf()) ?? '').split('\n');
  const marks = new Map(listed.map((entry) => [entry.id, markOf(entry)]));
  const last = listed.at(-1)?.id ?? 0;
  own.clear();
  for (const line of noted) {
    const id = Number.parseInt(line, 10);
    const mark = line.slice(line.indexOf(' ') + 1);
    if (id <= last && (marks.get(id) ?? mark) === mark) own.set(id, mark);
  }
}

function markOf({ at, title }: Summary): string {
  return `${at} ${title}`;
}

function keyOf(): string {
  return `backlot-own ${attached().root}`;
}
