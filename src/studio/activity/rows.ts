import { slowFrom } from '../../engine/journal/entry-filter.ts';
import type { Summary } from '../source.ts';

/** Entries that are not listed, by the ids around them. */
export interface Gap {
  readonly gap: readonly [since: number, before: number];
  /** Whether the server has none of them, as it keeps changes longer than reads. */
  readonly isEmpty: boolean;
}

/** Reads of one client that follow one another, newest first. */
export interface Group {
  readonly group: readonly Summary[];
  /** The id of the oldest, which stays while newer ones come. */
  readonly key: number;
}

export type ActivityRow = Summary | Gap | Group;

/** Number of reads that are one row, at least. */
const minGroup = 4;

/** Returns the key of a row in its list. */
export function keyOf(row: ActivityRow): string | number {
  if ('gap' in row) return `gap ${row.gap[0]}`;
  return 'group' in row ? `group ${row.key}` : row.id;
}

/**
 * Puts reads that follow one another into groups.
 *
 * @param rows newest first
 * @param opened the groups whose entries are rows, too, by key
 * @param open the entry that is open, which stays a row
 */
export function grouped(
  rows: readonly (Summary | Gap)[],
  opened: ReadonlySet<number>,
  open: number,
): readonly ActivityRow[] {
  const result: ActivityRow[] = [];
  let run: Summary[] = [];
  const end = (): void => {
    const key = run.at(-1)?.id ?? 0;
    const isGroup = run.length >= minGroup;
    if (isGroup) result.push({ group: run, key });
    if (!isGroup || opened.has(key) || run.some(({ id }) => id === open)) result.push(...run);
    run = [];
  };
  for (const row of rows) {
    if ('gap' in row || !isPlainRead(row)) {
      end();
      result.push(row);
      continue;
    }
    if (run.length > 0 && run[0]?.client !== row.client) end();
    run.push(row);
  }
  end();
  return result;
}

function isPlainRead(entry: Summary): boolean {
  const { by, title, state = 'sent', outcome, changed, ms = 0 } = entry;
  const isRead = by === 'request' && changed === 0 && /^(GET|HEAD) /.test(title);
  return isRead && state === 'sent' && outcome === 'ok' && ms < slowFrom;
}

/** `96 × GET /api/orders/:id, /api/products/ by checkout-web` */
export function groupText(group: readonly Summary[]): string {
  const paths = new Set(
    group.map(({ title }) =>
      title
        .slice(title.indexOf(' ') + 1)
        .replace(/\?.*/, '')
        .replaceAll(/\/(?:\d+|[\da-f]{8}-[\da-f-]{27})(?=\/|$)/g, '/:id'),
    ),
  );
  const shown = [...paths].slice(0, 2).join(', ');
  const more = paths.size > 2 ? `, ${paths.size - 2} more` : '';
  const client = group[0]?.client;
  return `${group.length} × GET ${shown}${more}${client === undefined ? '' : ` by ${client}`}`;
}
