import { useEffect, useState } from 'preact/hooks';
import { slowFrom } from '../../engine/journal/entry-filter.ts';
import { formatReceived } from '../format.ts';
import { isPending } from '../entry-list.ts';
import { briefOf, deedIn, meaningOf, pendingOf, statusOf } from '../entries.ts';
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

/** One entry of the history: what was sent, what it meant, how long it took and when. */
export function EntryLine({ entry, isOpen, onToggle }: EntryLineProps) {
  const studio = useStudio();
  const { id, by, outcome } = entry;
  const isUndone = !studio.preview.isInEffect(entry);
  const kind = by === 'request' ? (outcome === 'ok' ? '' : 'refused') : 'event';
  return (
    <div class={`entry${isUndone ? ' undone' : ''}${entry.hold ? ' pending' : ''}`}>
      <button
        type="button"
        class={`line ${kind}`}
        aria-expanded={isOpen}
        data-entry={id}
        onClick={() => onToggle(id)}
      >
        {by === 'request' ? requestOf(studio, entry) : eventOf(studio, entry)}
        {isUndone && <span class="unseen">, not in effect</span>}
      </button>
      {entry.hold !== undefined && releaseOf(studio, entry, entry.hold)}
    </div>
  );
}

function requestOf(studio: Studio, entry: Summary) {
  const { title, outcome, step, client, ms = 0 } = entry;
  const space = title.indexOf(' ');
  const pending = pendingOf(entry);
  const tone = toneOfEntry(studio, entry) ?? '';
  return (
    <>
      <span class={`status ${tone}`}>{statusOf(entry)}</span>
      <span class="method">{title.slice(0, space)}</span>
      <span class="what">
        <span class="path">{title.slice(space + 1)}</span>{' '}
        {step !== undefined && <span class="step">{step}</span>}{' '}
        {client !== undefined && <span class="client faint">{client}</span>}
      </span>
      <span
        class={`reason ${outcome === 'ok' ? (ms > slowFrom ? 'warn' : 'soft') : tone}`}
        title={meaningOf(entry)}
      >
        {pending !== undefined && entry.hold === undefined && <b>{pending} </b>}
        {emphasized(briefOf(entry))}
        {isPending(entry) && <Waited {...entry} />}
      </span>
      {timeTaken(entry)}
      {arrivalOf(entry)}
    </>
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

/** The states and values that something came to stand out. */
function emphasized(text: string) {
  return text.split(/(?<=→ )([^\s,]+)/).map((part, at) => (at % 2 === 0 ? part : <b>{part}</b>));
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

/** A move of the clock, a reset, a restore or a write of a page: a line between requests. */
function eventOf(studio: Studio, entry: Summary) {
  return (
    <span class="what">
      <span class={toneOfEntry(studio, entry)} aria-hidden="true">
        ●{' '}
      </span>
      {deedIn(studio, entry)}
    </span>
  );
}

/** Reads in one line, which shows them. */
export function groupLine({ group, key }: Group, isOpen: boolean, onToggle: (key: number) => void) {
  const [newest] = group;
  return (
    <div class="entry group">
      <button type="button" class="line" aria-expanded={isOpen} onClick={() => onToggle(key)}>
        <span class="status faint" aria-hidden="true">
          {isOpen ? '▾' : '▸'}
        </span>
        <span class="method" aria-hidden="true">
          ⋯
        </span>
        <span class="what soft">{groupText(group)}</span>
        <span class="reason" />
        <span class="took" />
        {newest && arrivalOf(newest)}
      </button>
    </div>
  );
}
