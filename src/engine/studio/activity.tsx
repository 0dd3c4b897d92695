import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { EntryRow } from './entry-row.tsx';
import { parseFilter, passes, type Filter, type Touched } from './filter.ts';
import { countOf } from './format.ts';
import { go, hrefTo, hrefWith, route } from './route.ts';
import { rootOf, scrolledOf, hostOf } from './scroller.ts';
import type { Summary } from './source.ts';
import {
  dropped,
  firstId,
  hasHistory,
  isHeld,
  lastId,
  listWaiting,
  loadGap,
  peek,
  revision,
  summaries,
} from './store.ts';
import { Input } from './form.tsx';
import { Button, Empty, useAsync, Windowed, type SectionProps } from './ui.tsx';

/** Entries that a batch of events left out. */
interface Gap {
  readonly gap: readonly [since: number, before: number];
}

/** The history: requests, pages, the clock, restores and resets, newest first. */
export function Activity({ source }: SectionProps) {
  const card = useRef<HTMLElement>(null);
  const { query } = route.value;
  const text = query.get('filter') ?? '';
  const open = Number(query.get('open') ?? 0);
  const filter = parseFilter(text);
  const rows = useRows(filter, text === '');
  const [isPaused, setPaused] = useState(false);
  const [isOver, setOver] = useState(false);
  const { isScrolled, isFocused } = usePlace(card);
  useHeld(isPaused || isOver || isScrolled || isFocused || open > 0);
  useOpened(open);
  const toggle = (id: number) =>
    go(hrefWith({ open: id === open ? undefined : String(id) }), 'replace');
  return (
    <section ref={card} class="card requests" aria-labelledby="activity-title">
      <div class="head">
        <h1 id="activity-title">Activity</h1>
        <FilterField text={text} />
        {text !== '' && (
          <Button kind="quiet" onClick={() => go(hrefWith({ filter: undefined }), 'replace')}>
            Clear filter
          </Button>
        )}
        <Button of="the list" onClick={() => setPaused(!isPaused)}>
          {isPaused ? 'Resume' : 'Pause'}
        </Button>
        {!isScrolled && <NewEntries card={card} />}
      </div>
      {filter.issue !== undefined && <p class="warn">{filter.issue}</p>}
      {!hasHistory.value && <p class="soft">This server records requests, but no changes.</p>}
      {isScrolled && (
        <div class="held">
          <NewEntries card={card} />
        </div>
      )}
      {rows.length === 0 && <NoRows isFiltered={text !== ''} />}
      <div onPointerEnter={() => setOver(true)} onPointerLeave={() => setOver(false)}>
        <Windowed
          label="History, newest first"
          rows={rows}
          height={rowHeight()}
          openKey={open}
          keyOf={(row) => ('gap' in row ? `gap ${row.gap[0]}` : row.id)}
          render={(row) =>
            'gap' in row ? (
              <GapRow gap={row.gap} />
            ) : (
              <EntryRow source={source} entry={row} isOpen={row.id === open} onToggle={toggle} />
            )
          }
        />
      </div>
      {dropped.value > 0 && (
        <p class="soft">{`The journal was full: ${countOf(dropped.value, 'older request')} dropped.`}</p>
      )}
    </section>
  );
}

/** As in the style sheet: rows have two lines on a narrow page. */
function rowHeight(): number {
  return matchMedia('(max-width: 700px)').matches ? 54 : 34;
}

const examples = ['is:rejected,failed', 'is:declined', 'step:purchase', 'order:105', 'by:clock'];

function FilterField({ text }: { readonly text: string }) {
  return (
    <search class="grow">
      <Input
        type="search"
        class="wide"
        label="Filter the history"
        hint="is:rejected step:purchase order:105 text"
        list="filter-examples"
        value={text}
        onValue={(filter) => go(hrefWith({ filter }), 'replace')}
      />
      <datalist id="filter-examples">
        {examples.map((one) => (
          <option key={one} value={one} />
        ))}
      </datalist>
    </search>
  );
}

function NoRows({ isFiltered }: { readonly isFiltered: boolean }) {
  if (isFiltered) return <Empty>No entry passes the filter.</Empty>;
  return (
    <Empty>
      No requests yet. Send one to the store API, or <a href={hrefTo('docs')}>try an operation</a>.
    </Empty>
  );
}

function GapRow({ gap: [since, before] }: Gap) {
  return (
    <div class="entry gap">
      <Button kind="quiet" onClick={() => loadGap(since, before)}>
        {`and ${countOf(before - since - 1, 'more request')}`}
      </Button>
    </div>
  );
}

/** The rows that pass the filter, newest first, with gaps between them if there is no filter. */
function useRows(filter: Filter, isWhole: boolean): readonly (Summary | Gap)[] {
  const touched = useTouched(filter.records);
  const entries = summaries.value;
  const rows: (Summary | Gap)[] = [];
  let after: number | undefined;
  const addGap = (since: number) => {
    if (isWhole && after !== undefined && after - since > 1) rows.push({ gap: [since, after] });
  };
  for (const entry of entries.toReversed()) {
    addGap(entry.id);
    after = entry.id;
    if (passes(filter, touched, entry)) rows.push(entry);
  }
  addGap(firstId.value - 1);
  return rows;
}

/** The entries that changed these records. */
function useTouched(records: Filter['records']): Touched {
  const key = records.map(({ table, id }) => `${table}/${id}`).join(' ');
  const touched = useAsync(() => historiesOf(records), [key, revision.value]);
  return touched ?? new Map();
}

async function historiesOf(records: Filter['records']): Promise<Touched> {
  const touched = new Map<number, Filter['records']>();
  for (const record of records) {
    const path = `/_backlot/tables/${record.table}/${record.id}/history`;
    const entries = await peek<readonly Summary[]>(`GET ${path}`);
    for (const { id } of entries ?? []) touched.set(id, [...(touched.get(id) ?? []), record]);
  }
  return touched;
}

/** How many entries have arrived since the list is held, as a button that lists them. */
function NewEntries({ card }: { readonly card: RefObject<HTMLElement | null> }) {
  const held = lastId.value - (summaries.value.at(-1)?.id ?? 0);
  if (held <= 0) return null;
  const show = () => {
    listWaiting();
    scrolledOf(card.current).scrollTo({ top: 0 });
  };
  return (
    <Button kind="primary" onClick={show}>
      {`Show ${countOf(held, 'new entry').replace('entrys', 'entries')}`}
    </Button>
  );
}

/** Whether the list is scrolled to, or has the focus. */
function usePlace(card: RefObject<HTMLElement | null>) {
  const [place, setPlace] = useState({ isScrolled: false, isFocused: false });
  useEffect(() => {
    const [root, scroller] = [rootOf(card.current), hostOf(card.current)];
    const scrolled = scrolledOf(card.current);
    const update = () => {
      const isScrolled = scrolled.scrollTop > 40;
      const isFocused = Boolean(root.activeElement?.closest('.requests [role=list]'));
      setPlace((old) =>
        old.isScrolled === isScrolled && old.isFocused === isFocused
          ? old
          : { isScrolled, isFocused },
      );
    };
    const end = new AbortController();
    const options = { passive: true, signal: end.signal };
    scroller.addEventListener('scroll', update, options);
    for (const name of ['focusin', 'focusout']) root.addEventListener(name, update, options);
    return () => end.abort();
  }, []);
  return place;
}

/**
 * Holds the list still while somebody reads it: while a row is open, focused, scrolled to or under the pointer, or the
 * list is paused. New entries are only counted then, but the page's own actions show theirs at once.
 */
function useHeld(isHolding: boolean): void {
  // Before the next batch of entries, which would move the rows.
  useLayoutEffect(() => {
    isHeld.value = isHolding;
    if (!isHolding) listWaiting();
  }, [isHolding]);
  useEffect(
    () => () => {
      isHeld.value = false;
      listWaiting();
    },
    [],
  );
}

/** Loads the entry that a link names if it is not among those that are listed. */
function useOpened(open: number): void {
  const isListed = open === 0 || summaries.value.some(({ id }) => id === open);
  useEffect(() => {
    if (!isListed) void loadGap(open - 1, open + 1);
  }, [open, isListed]);
}
