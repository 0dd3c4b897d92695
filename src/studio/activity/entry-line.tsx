import { useEffect, useState } from 'preact/hooks';
import { slowFrom } from '../../engine/journal/entry-filter.ts';
import { formatReceived } from '../format.ts';
import { isPending } from '../entry-list.ts';
import { sentenceIn, statusOf } from '../entries.ts';
import type { Summary } from '../source.ts';
import { toneOfEntry } from '../tones.ts';
import { Button } from '../ui.tsx';
import { groupText, type Group } from './rows.ts';
import { useStudio, type Studio } from '../studio.ts';

export interface EntryLineProps {
  readonly entry: Summary;
  readonly isOpen: boolean;
  readonly onToggle: (id: number) => void;
}

/** One entry of the history: its number, its status, what it did, the request, how long it took and when. */
export function EntryLine({ entry, isOpen, onToggle }: EntryLineProps) {
  const studio = useStudio();
  const { id, by, title, outcome, reason } = entry;
  const isUndone = !studio.preview.isInEffect(entry);
  const tone = toneOfEntry(studio, entry) ?? '';
  const isRequest = by === 'request';
  const kind = !isRequest ? 'event' : outcome === 'ok' ? '' : 'refused';
  return (
    <div class={`entry${isUndone ? ' undone' : ''}${entry.hold ? ' pending' : ''}`}>
      <button
        type="button"
        class={`line ${kind}`}
        aria-expanded={isOpen}
        data-entry={id}
        onClick={() => onToggle(id)}
      >
        <span class="number faint">{`#${id} `}</span>
        <span class={`status ${tone}`}>
          {isRequest ? statusOf(entry) : <span aria-hidden="true">●</span>}
        </span>{' '}
        <span class={`what ${outcome === 'ok' ? '' : tone}`} title={reason}>
          {sentenceIn(studio, entry)}
          {isPending(entry) && <Waited {...entry} />}
        </span>{' '}
        <span class="path faint">{isRequest && title}</span>
        {timeTaken(entry)}
        {arrivalOf(entry)}
        {isUndone && <span class="unseen">, not in effect</span>}
      </button>
      {entry.hold !== undefined && releaseOf(studio, entry, entry.hold)}
    </div>
  );
}

/** The seconds since a request arrived. */
function Waited({ received = Infinity }: Summary) {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  return now < received ? null : <>{` · ${Math.floor((now - received) / 1000)} s`}</>;
}

/** Sends a held response. */
function releaseOf({ actions }: Studio, { title }: Summary, hold: readonly string[]) {
  const paths = hold.map((name) => `/_backlot/holds/${encodeURIComponent(name)}/release`);
  const release = async () => {
    for (const path of paths) await actions.act(`Released ${hold.join(', ')}`, `POST ${path}`);
  };
  return (
    <Button of={title} onClick={release}>
      Release
    </Button>
  );
}

/** Its length has a logarithmic scale, up to two seconds. */
function timeTaken(entry: Summary) {
  const { ms: took } = entry;
  if (took === undefined) return <span class="took" />;
  const width = Math.min(100, Math.max(3, (Math.log10(1 + took) / Math.log10(2001)) * 100));
  return (
    <span class="took">
      <span class="track" aria-hidden="true">
        <i class={took > slowFrom ? 'slow' : ''} style={{ width: `${width}%` }} />
      </span>
      <span class="faint">
        {took.toLocaleString('en', { maximumFractionDigits: took < 10 ? 1 : 0 })}
      </span>
      <span class="unseen"> ms</span>
    </span>
  );
}

function arrivalOf({ received }: Summary) {
  const time = received === undefined ? undefined : formatReceived(received);
  return (
    <span class="when faint" title={time}>
      {time?.slice(11)}
    </span>
  );
}

/** Reads in one line, which shows them. */
export function groupLine({ group, key }: Group, isOpen: boolean, onToggle: (key: number) => void) {
  const [newest] = group;
  return (
    <div class="entry group">
      <button type="button" class="line" aria-expanded={isOpen} onClick={() => onToggle(key)}>
        <span class="number faint" aria-hidden="true">
          {isOpen ? '▾' : '▸'}
        </span>
        <span class="status faint" aria-hidden="true">
          ⋯
        </span>
        <span class="what soft">{groupText(group)}</span>
        <span class="path faint">{`#${key}–${newest?.id}`}</span>
        <span class="took" />
        {newest && arrivalOf(newest)}
      </button>
    </div>
  );
}
