import { useComputed, useSignal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { EntryRow } from '../entry-row.tsx';
import { parseFilter, passes, type Filter, type Touched } from '../filter.ts';
import { countOf } from '../format.ts';
import { go, hrefTo, hrefWith, route } from '../route.ts';
import { rootOf, scrolledOf, scrollerOf } from '../scroller.ts';
import type { Source, Summary } from '../source.ts';
import {
  act,
  dropped,
  firstId,
  hasHistory,
  lastId,
  loadGap,
  ownLast,
  revision,
  summaries,
} from '../store.ts';
import { Input } from '../form.tsx';
import { Button, Empty, useAsync, Windowed, type RoomProps } from '../ui.tsx';

/** Entries that a batch of events left out. */
interface Gap {
  readonly gap: readonly [since: number, before: number];
}

/** The history: requests, pages, the clock, restores and resets, newest first. */
export function Requests({ source }: RoomProps) {
  const card = useRef<HTMLElement>(null);
  const { query } = route.value;
  const text = query.get('filter') ?? '';
  const open = Number(query.get('open') ?? 0);
  const filter = parseFilter(text);
  const rows = useRows(source, filter, text === '');
  const { shown, held, release } = useHeld(card, rows, open);
  const toggle = (id: number) =>
    go(hrefWith({ open: id === open ? undefined : String(id) }), 'replace');
  return (
    <section ref={card} class="card requests" aria-labelledby="requests-title">
      <div class="head">
        <h1 id="requests-title">Requests</h1>
        <FilterField text={text} />
        <Button kind="quiet" onClick={clear}>
          Clear
        </Button>
      </div>
      {filter.issue !== undefined && <p class="warm">{filter.issue}</p>}
      {!hasHistory.value && <p class="soft">This server records requests, but no changes.</p>}
      {held > 0 && (
        <div class="held">
          <Button kind="primary" onClick={release}>
            {`Show ${countOf(held, 'new entry').replace('entrys', 'entries')}`}
          </Button>
        </div>
      )}
      {shown.length === 0 && <NoRows isFiltered={text !== ''} />}
      <Windowed
        label="History, newest first"
        rows={shown}
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

async function clear(): Promise<void> {
  if ((await act('Cleared the journal', 'DELETE /_backlot/journal')) === undefined) return;
  summaries.value = [];
  dropped.value = 0;
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
function useRows(source: Source, filter: Filter, isWhole: boolean): readonly (Summary | Gap)[] {
  const touched = useTouched(source, filter.records);
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
function useTouched(source: Source, records: Filter['records']): Touched {
  const key = records.map(({ table, id }) => `${table}/${id}`).join(' ');
  const touched = useAsync(() => historiesOf(source, records), [source, key, revision.value]);
  return touched ?? new Map();
}

async function historiesOf(source: Source, records: Filter['records']): Promise<Touched> {
  const touched = new Map<number, Filter['records']>();
  for (const record of records) {
    const path = `/_backlot/tables/${record.table}/${record.id}/history`;
    const { status, body } = await source.call<readonly Summary[]>(`GET ${path}`);
    if (status !== 200) continue;
    for (const { id } of body) touched.set(id, [...(touched.get(id) ?? []), record]);
  }
  return touched;
}

/**
 * Holds new rows back while a row is open, focused or scrolled to, so that nothing moves. The page's own actions show
 * theirs at once.
 */
function useHeld(
  card: RefObject<HTMLElement | null>,
  rows: readonly (Summary | Gap)[],
  open: number,
) {
  const upTo = useSignal(Infinity);
  const isStill = useSignal(false);
  useEffect(() => {
    const [root, scroller] = [rootOf(card.current), scrollerOf(card.current)];
    const scrolled = scrolledOf(card.current);
    const update = () => {
      const focused = root.activeElement?.closest('.requests [role=list]') ?? null;
      isStill.value = scrolled.scrollTop > 40 || focused !== null;
    };
    const end = new AbortController();
    const options = { passive: true, signal: end.signal };
    scroller.addEventListener('scroll', update, options);
    for (const name of ['focusin', 'focusout']) root.addEventListener(name, update, options);
    return () => end.abort();
  }, []);
  const isHolding = isStill.value || open > 0;
  const isLoaded = lastId.value > 0;
  useEffect(() => {
    upTo.value = isHolding && isLoaded ? lastId.peek() : Infinity;
  }, [isHolding, isLoaded]);
  const limit = useComputed(() => Math.max(upTo.value, ownLast.value));
  const idOf = (row: Summary | Gap) => ('gap' in row ? row.gap[1] : row.id);
  const shown = isHolding ? rows.filter((row) => idOf(row) <= limit.value) : rows;
  const newest = shown[0] === undefined ? 0 : idOf(shown[0]);
  const held = shown === rows ? 0 : Math.max(0, lastId.value - Math.max(newest, limit.value));
  const release = () => {
    upTo.value = lastId.value;
    scrolledOf(card.current).scrollTo({ top: 0 });
  };
  return { shown, held: rows.length === shown.length ? 0 : held, release };
}
