import type { Summary } from './source.ts';
import { tabStorage } from './tab-storage.ts';

/** Maximum number of entries that a tab remembers. */
const maxOwn = 500;

/** The entries of this page's own actions. */
export class OwnEntries {
  /** Marks by id: other entries may get these ids after a restart of the server. */
  readonly #marks = new Map<number, string>();
  readonly #key: string;
  /** While an action runs, its entry may arrive first: later entries than this are taken for it until the action ends. */
  #pendingSince = Infinity;

  /** @param root the URL of the shop, which tells apart what a tab remembers */
  constructor(root: string) {
    this.#key = `backlot-own ${root}`;
  }

  /** Whether an action of this page made an entry. */
  has(id: number): boolean {
    return this.#marks.has(id) || id > this.#pendingSince;
  }

  /** Takes entries after one for those of an action that begins. Without a number, the action has ended. */
  expect(since = Infinity): void {
    this.#pendingSince = since;
  }

  /** Notes the entry of an action, until the tab is closed. */
  add(entry: Summary): void {
    this.#marks.set(entry.id, markOf(entry));
    const lines = [...this.#marks].slice(-maxOwn).map(([id, mark]) => `${id} ${mark}`);
    tabStorage()?.setItem(this.#key, lines.join('\n'));
  }

  /** Notes the entries that the tab had noted before it was loaded again, as far as the history still has them. */
  recall(listed: readonly Summary[]): void {
    const noted = (tabStorage()?.getItem(this.#key) ?? '').split('\n');
    const marks = new Map(listed.map((entry) => [entry.id, markOf(entry)]));
    const last = listed.at(-1)?.id ?? 0;
    this.#marks.clear();
    for (const line of noted) {
      const id = Number.parseInt(line, 10);
      const mark = line.slice(line.indexOf(' ') + 1);
      if (id <= last && (marks.get(id) ?? mark) === mark) this.#marks.set(id, mark);
    }
  }
}

function markOf({ at, title }: Summary): string {
  return `${at} ${title}`;
}
