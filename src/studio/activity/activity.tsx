import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { RecordHistoryView } from '../../engine/control/endpoints/tables.ts';
import { lostText } from '../../engine/lib/lost-text.ts';
import { OpenedEntry } from '../opened-entry.tsx';
import { parseFilter, passes, type Filter, type Touched } from '../filter.ts';
import { Input } from '../form.tsx';
import { countOf } from '../format.ts';
import { hrefTo } from '../route.ts';
import type { Summary } from '../source.ts';
import { Button, Empty, useAsync, useToggled } from '../ui.tsx';
import { Windowed } from '../windowed.tsx';
import { EntryLine, groupLine } from './entry-line.tsx';
import { NewEntries, usePaused, useOpened, usePlace } from './new-entries.tsx';
import { listen } from '../scroller.ts';
import { Share } from './share.tsx';
import { grouped, keyOf, type ActivityRow, type Gap } from './rows.ts';
import { useStudio, type Studio } from '../studio.ts';

/** The history: requests, pages, the clock, restores and resets, newest first, and the entry that is open next to it. */
export function Activity() {
  const studio = useStudio();
  const { router, shop, history } = studio;
  const card = useRef<HTMLElement>(null);
  const { query } = router.route.value;
  const text = query.get('filter') ?? '';
  const open = Number(query.get('open') ?? 0);
  const filter = parseFilter(studio, text);
  const [opened, toggleGroup] = useToggled<number>();
  const plain = useRows(filter, text === '');
  const rows = text === '' ? grouped(plain, opened, open) : plain;
  const [isPaused, setPaused] = useState(false);
  const [isOver, setOver] = useState(false);
  const { isScrolled, isFocused } = usePlace(card);
  const isWide = useMedia('(width >= 1100px)');
  const isNarrow = useMedia('(width <= 700px)');
  usePaused(isPaused || isOver || isScrolled || isFocused || open > 0);
  useOpened(open);
  const gone = lostText(shop.reach.value);
  const entry = open === 0 ? undefined : history.summaries.value.find(({ id }) => id === open);
  const toggle = (id: number) =>
    router.go(router.hrefWith({ open: id === open ? undefined : String(id) }), 'replace');
  const pause = pauseButton(isPaused, isNarrow, () => setPaused(!isPaused));
  const render = (row: ActivityRow) =>
    'gap' in row ? (
      gapRow(studio, row)
    ) : 'group' in row ? (
      groupLine(row, opened.has(row.key), toggleGroup)
    ) : (
      <>
        <EntryLine entry={row} isOpen={row.id === open} onToggle={toggle} />
        {!isWide && row.id === open && <OpenedEntry entry={row} />}
      </>
    );
  return (
    <div
      class={`activity${isWide && entry !== undefined ? ' beside' : ''}${isNarrow ? ' tall' : ''}`}
    >
      <section ref={card} class="card requests" aria-labelledby="activity-title">
        {headOf(studio, text, pause)}
        {filter.issue !== undefined && <p class="warn">{filter.issue}</p>}
        {!shop.hasHistory.value && (
          <p class="soft">This server records requests, but no changes.</p>
        )}
        <div class="held">
          <NewEntries card={card} />
        </div>
        {rows.length === 0 && <NoRows isFiltered={text !== ''} />}
        <div onPointerEnter={() => setOver(true)} onPointerLeave={() => setOver(false)}>
          <Windowed
            label="History, newest first"
            rows={rows}
            height={isNarrow ? 54 : 34}
            openKey={isWide ? undefined : open}
            keyOf={keyOf}
            render={render}
          />
        </div>
        {gone !== undefined && <p class="soft">{gone}</p>}
      </section>
      {isWide && entry !== undefined && (
        <aside class="pane" aria-label={`Entry #${open}`}>
          <OpenedEntry entry={entry} isBeside />
        </aside>
      )}
    </div>
  );
}

function pauseButton(isPaused: boolean, isNarrow: boolean, onClick: () => void) {
  return (
    <Button of="the list" onClick={onClick}>
      <span aria-hidden="true">{isPaused ? '▶ ' : '❚❚ '}</span>
      <span class={isNarrow ? 'unseen' : ''}>{isPaused ? 'Resume' : 'Pause'}</span>
    </Button>
  );
}

/** The filter, its usual words with counts, and Pause. */
function headOf(studio: Studio, text: string, pause: ComponentChildren) {
  return (
    <div class="head">
      <h1 id="activity-title" class="unseen">
        Activity
      </h1>
      {filterField(studio, text)}
      {text !== '' && (
        <Button
          kind="quiet"
          of="filter"
          onClick={() => studio.router.go(studio.router.hrefWith({ filter: undefined }), 'replace')}
        >
          Clear
        </Button>
      )}
      {kindsOf(studio, text)}
      {pause}
      <Share open={Number(studio.router.route.value.query.get('open') ?? 0)} />
    </div>
  );
}

/** Whether the page matches a media query, now and after it was resized. */
function useMedia(query: string): boolean {
  const [is, setIs] = useState(() => matchMedia(query).matches);
  useEffect(() => {
    const media = matchMedia(query);
    return listen(media, ['change'], () => setIs(media.matches));
  }, [query]);
  return is;
}

const kinds = [
  ['All', undefined],
  ['Writes', 'is:write'],
  ['Errors', 'is:error'],
  ['Slow', 'is:slow'],
] as const;

/** The kinds of entries with their counts among those that are listed. Each is a word of the filter. */
function kindsOf(studio: Studio, text: string) {
  const words = text.split(/\s+/).filter((word) => word !== '');
  const chosen = kinds.findLast(([, word]) => word !== undefined && words.includes(word));
  const listed = studio.history.summaries.value;
  const others = words.filter((one) => !kinds.some(([, word]) => word === one));
  return (
    <div class="segments" role="group" aria-label="Kinds of entries">
      {kinds.map(([name, word]) => {
        const kind = parseFilter(studio, word ?? '');
        const count = listed.filter((entry) => kind.matches(entry) === true).length;
        return (
          <button
            key={name}
            type="button"
            aria-pressed={(chosen?.[1] ?? undefined) === word}
            onClick={() =>
              studio.router.go(
                studio.router.hrefWith({ filter: [...others, ...[word ?? []].flat()].join(' ') }),
                'replace',
              )
            }
          >
            {name} {word !== undefined && <small>{count}</small>}
          </button>
        );
      })}
      {listed.length < studio.history.lastId.value && (
        <small class="soft">{`of the ${listed.length} listed`}</small>
      )}
    </div>
  );
}

function filterField(studio: Studio, text: string) {
  const { examples } = studio.pages.value.filter;
  return (
    <search class="grow">
      <Input
        type="search"
        class="wide"
        label="Filter the history"
        hint={['Filter: is:rejected', ...examples, 'text'].join(' ')}
        list="filter-examples"
        value={text}
        onValue={(filter) => studio.router.go(studio.router.hrefWith({ filter }), 'replace')}
      />
      <datalist id="filter-examples">
        {['is:rejected,failed', 'is:declined', ...examples, 'by:clock'].map((one) => (
          <option key={one} value={one} />
        ))}
      </datalist>
    </search>
  );
}

function NoRows({ isFiltered }: { readonly isFiltered: boolean }) {
  const studio = useStudio();
  if (isFiltered) return <Empty>No entry passes the filter.</Empty>;
  return (
    <Empty>
      No requests yet. Send one to the {studio.shop.apiName} API, or{' '}
      <a href={hrefTo('docs')}>try an operation</a>.
    </Empty>
  );
}

/** Loads the entries of a gap that the server keeps. Between its last reads and the changes before them, it says why. */
function gapRow(studio: Studio, { gap: [since, before], isEmpty }: Gap) {
  const { changesFrom, entriesFrom } = studio.shop.reach.value;
  const kept = before - Math.max(since, entriesFrom - 1) - 1;
  const changes = before - Math.max(since, changesFrom - 1) - 1;
  const text = kept > 0 ? `and ${countOf(kept, 'more request')}` : `and changes before #${before}`;
  return (
    <div class="entry gap">
      {isEmpty || Math.max(kept, changes) <= 0 ? (
        <span class="soft">{`Before #${before}, only changes are kept`}</span>
      ) : (
        <Button kind="quiet" onClick={() => studio.history.loadGap(since, before)}>
          {text}
        </Button>
      )}
    </div>
  );
}

/** The entries that pass the filter, newest first, with gaps between them if there is no filter. */
function useRows(filter: Filter, isWhole: boolean): readonly (Summary | Gap)[] {
  const studio = useStudio();
  const touched = useTouched(filter.records);
  const entries = studio.history.summaries.value;
  const rows: (Summary | Gap)[] = [];
  let after: number | undefined;
  const addGap = (since: number) => {
    if (!isWhole || after === undefined || after - since <= 1) return;
    const isEmpty = (studio.history.emptyGaps.value.get(since) ?? 0) >= after;
    // The first one says it for all.
    if (isEmpty && rows.some((row) => 'gap' in row && row.isEmpty)) return;
    rows.push({ gap: [since, after], isEmpty });
  };
  for (const entry of entries.toReversed()) {
    addGap(entry.id);
    after = entry.id;
    if (passes(filter, touched, entry)) rows.push(entry);
  }
  addGap(studio.history.firstId.value - 1);
  return rows;
}

/** The entries that changed these records. */
function useTouched(records: Filter['records']): Touched {
  const studio = useStudio();
  const key = records.map(({ table, id }) => `${table}/${id}`).join(' ');
  const touched = useAsync(() => historiesOf(studio, records), [key, studio.shop.revision.value]);
  return touched ?? new Map();
}

async function historiesOf(studio: Studio, records: Filter['records']): Promise<Touched> {
  const touched = new Map<number, Filter['records']>();
  for (const record of records) {
    const path = `/_backlot/tables/${record.table}/${record.id}/history`;
    const history = await studio.client.peek<RecordHistoryView>(`GET ${path}`);
    for (const { id } of history?.entries ?? [])
      touched.set(id, [...(touched.get(id) ?? []), record]);
  }
  return touched;
}
