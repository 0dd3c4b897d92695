import { parseEntryFilter, type EntryFilter } from '../../engine/journal/entry-filter.ts';
import { filterWords } from '../../shop/filter-words.ts';
import { lostText } from '../../engine/lib/lost-text.ts';
import type { Arguments } from '../commands.ts';
import { isUrl, runningUrl } from '../running-server.ts';
import { jsonLine, printIssue, widthOf } from '../terminal.ts';
import { UsageError } from '../values.ts';
import { feedOf, type Feed } from './follow.ts';
import { lineOf } from './line.ts';
import type { Batch, Summary } from './received.ts';

/**
 * Prints the entries of a server's history that match a filter, each when it is recorded, until the process receives
 * SIGINT or SIGTERM, until `until` aborts, or until nothing reads its output.
 *
 * @throws UsageError for a filter that is not valid, and for a server that is not there or refuses
 */
export async function tail(args: Arguments<'tail'>, until?: AbortSignal): Promise<void> {
  const { url, filter } = wordsOf(args);
  const end = new AbortController();
  const stop = (): void => end.abort();
  const signal = until === undefined ? end.signal : AbortSignal.any([end.signal, until]);
  process.once('SIGINT', stop).once('SIGTERM', stop);
  process.stdout.on('error', stop);
  const { session, token, since, json, brief } = args;
  const feed = feedOf({ url, session, token }, () =>
    printIssue('The connection is lost. Connecting again …'),
  );
  const printer = new Printer(feed, { filter, json, brief, last: since });
  try {
    for await (const batch of feed.batches(since, signal)) await printer.print(batch, signal);
  } finally {
    process.off('SIGINT', stop).off('SIGTERM', stop);
    process.stdout.off('error', stop);
  }
}

/** The words after the command: the URL of a server, and a filter. */
function wordsOf(args: Arguments<'tail'>): {
  readonly url: string;
  readonly filter: EntryFilter | undefined;
} {
  const { names } = args;
  const urls = names.filter(isUrl);
  if (urls.length > 1) throw new UsageError('tail follows one server.');
  const text = names
    .filter((name) => !isUrl(name))
    .map((word) => (/\s/.test(word) && !word.includes('"') ? quotedWord(word) : word))
    .join(' ');
  return { url: runningUrl(urls[0], args), filter: text === '' ? undefined : filterOf(text) };
}

function filterOf(text: string): EntryFilter {
  try {
    return parseEntryFilter(text, filterWords);
  } catch (error) {
    throw error instanceof RangeError ? new UsageError(error.message) : error;
  }
}

/** The shell has removed the quotes of a word with spaces: `"order 105"`. */
function quotedWord(word: string): string {
  const [, key = '', value = ''] = /^(-?[\w-]+:)?(.*)$/s.exec(word) ?? [];
  return `${key}"${value}"`;
}

interface PrinterOptions {
  readonly filter: EntryFilter | undefined;
  readonly json: boolean;
  readonly brief: boolean;
  /** The last entry that is known. */
  readonly last: number | undefined;
}

class Printer {
  readonly #feed: Feed;
  readonly #options: PrinterOptions;
  #last: number | undefined;
  /** The printed entries whose responses were not sent, and their states. */
  readonly #pending = new Map<number, string>();

  constructor(feed: Feed, options: PrinterOptions) {
    this.#feed = feed;
    this.#options = options;
    this.#last = options.last;
  }

  async print({ entries, more = 0 }: Batch, signal: AbortSignal): Promise<void> {
    const { filter, json, brief } = this.#options;
    const last = this.#last ?? 0;
    const fresh = entries.filter(({ id }) => id > last);
    const first = fresh[0]?.id ?? 0;
    // Ids have no gaps but for what the server no longer keeps.
    const newest = fresh.at(-1)?.id ?? last;
    if (this.#last !== undefined && newest - last > fresh.length + more) await this.#warn(last + 1);
    if (more > 0 && (filter !== undefined || json || brief)) {
      const since = this.#last ?? Math.max(0, first - more - 1);
      for (const entry of await this.#feed.between(since, first))
        await this.#printEntry(entry, signal);
    } else if (more > 0) console.log(`… and ${more} more`);
    const changed = entries.filter(
      ({ id, state }) => id <= last && state !== (this.#pending.get(id) ?? state),
    );
    for (const entry of [...changed, ...fresh]) await this.#printEntry(entry, signal);
    if (fresh.length > 0) this.#last = Math.max(last, ...fresh.map(({ id }) => id));
  }

  /** Says which entries are not printed, from an id on, because the server does not keep them any more. */
  async #warn(from: number): Promise<void> {
    const reach = await this.#feed.reach();
    const gone = reach && lostText(reach, from);
    if (gone !== undefined) printIssue(gone);
  }

  async #printEntry(entry: Summary, signal: AbortSignal): Promise<void> {
    const { filter, json } = this.#options;
    if (entry.state === 'held' || entry.state === 'delayed')
      this.#pending.set(entry.id, entry.state);
    else this.#pending.delete(entry.id);
    const matched = filter === undefined ? true : filter.matches(entry);
    if (signal.aborted || matched === false) return;
    if (matched === true && !json) return this.#printLine(entry);
    const whole = entry.changed > 0 ? await this.#feed.entry(entry.id) : undefined;
    const { changes = [], moves = [] } = whole ?? {};
    if (signal.aborted || filter?.matches(entry, changes) === false) return;
    if (json) console.log(jsonLine({ ...entry, changes, moves }));
    else await this.#printLine(entry);
  }

  async #printLine(entry: Summary): Promise<void> {
    if (!this.#options.brief)
      return console.log(lineOf(entry, widthOf(process.stdout) ?? Infinity));
    const { id, title } = entry;
    console.log(jsonLine({ id, title, ...(await this.#feed.brief(id)) }));
  }
}
