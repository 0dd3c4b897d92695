import { slow } from '../../journal/entry-filter.ts';
import { countOf, formatReceived } from '../format.ts';
import { briefOf, meaningOf } from '../entries.ts';
import type { Summary } from '../source.ts';
import { isInEffect } from '../past.ts';
import { isOwn } from '../own-entries.ts';
import { toneOf } from '../tones.ts';
import { groupText, tookOf, type Group } from './rows.ts';

interface EntryLineProps {
  readonly entry: Summary;
  readonly isOpen: boolean;
  readonly onToggle: (id: number) => void;
}

/** One entry of the history: what was sent, what it meant, how long it took and when. */
export function EntryLine({ entry, isOpen, onToggle }: EntryLineProps) {
  const { id, by, outcome } = entry;
  const isUndone = !isInEffect(entry);
  const kind = by === 'request' ? (outcome === 'ok' ? '' : 'refused') : 'event';
  return (
    <div class={`entry${isUndone ? ' undone' : ''}`}>
      <button
        type="button"
        class={`line ${kind}`}
        aria-expanded={isOpen}
        data-entry={id}
        onClick={() => onToggle(id)}
      >
        {by === 'request' ? <Request entry={entry} /> : <Event entry={entry} />}
        {isUndone && <span class="unseen">, not in effect</span>}
      </button>
    </div>
  );
}

function Request({ entry }: { readonly entry: Summary }) {
  const { title, status, outcome, step, client } = entry;
  const space = title.indexOf(' ');
  const tone = toneOf(outcome);
  return (
    <>
      <span class={`status ${tone}`}>{status === 0 ? 'drop' : status}</span>
      <span class="method">{title.slice(0, space)}</span>
      <span class="what">
        <span class="path">{title.slice(space + 1)}</span>{' '}
        {step !== undefined && <span class="step">{step}</span>}{' '}
        {client !== undefined && <span class="client faint">{client}</span>}
      </span>
      <span
        class={`reason ${outcome === 'ok' ? (tookOf(entry) > slow ? 'warn' : 'soft') : tone}`}
        title={meaningOf(entry)}
      >
        <Brief text={briefOf(entry)} />
      </span>
      <Took entry={entry} />
      <Clock entry={entry} />
    </>
  );
}

/** The states and values that something came to stand out. */
function Brief({ text }: { readonly text: string }) {
  return text.split(/(?<=→ )([^\s,]+)/).map((part, at) => (at % 2 === 0 ? part : <b>{part}</b>));
}

/** Its length has a logarithmic scale, up to two seconds. */
function Took({ entry }: { readonly entry: Summary }) {
  const took = tookOf(entry);
  if (entry.ms === undefined) return <span class="took" />;
  const width = Math.min(100, Math.max(3, (Math.log10(1 + took) / Math.log10(2001)) * 100));
  return (
    <span class="took">
      <span class="track" aria-hidden="true">
        <i class={took > slow ? 'slow' : ''} style={{ width: `${width}%` }} />
      </span>
      <span class="faint">
        {took.toLocaleString('en', { maximumFractionDigits: took < 10 ? 1 : 0 })}
      </span>
      <span class="unseen"> ms</span>
    </span>
  );
}

function Clock({ entry: { received } }: { readonly entry: Summary }) {
  return (
    <span class="when faint" title={received === undefined ? undefined : formatReceived(received)}>
      {received === undefined ? '' : formatReceived(received).slice(11)}
    </span>
  );
}

/** A move of the clock, a reset, a restore or a write of a page: a line between requests. */
function Event({ entry }: { readonly entry: Summary }) {
  const { id, by, meaning = '', changed } = entry;
  const isClock = by === 'clock';
  const [move = '', ...effects] = meaning.split(', ');
  const did = isClock ? effects.join(', ') : meaning;
  const told = did === '' && changed > 0 ? countOf(changed, 'record') : did;
  return (
    <span class="what">
      <span class={toneOf(by)} aria-hidden="true">
        ●{' '}
      </span>
      {isClock && move !== '' ? `Clock ${move}` : titleOf(entry)}
      {isOwn(id) && ', by you'}
      {told !== '' && <span class="faint">{` · ${told}`}</span>}
    </span>
  );
}

function titleOf({ title }: Summary): string {
  const text = title.replace(/T([\d:]{8})\+0000/, ' $1');
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}

/** Reads in one line, which shows them. */
export function GroupLine({
  row: { group, key },
  isOpen,
  onToggle,
}: {
  readonly row: Group;
  readonly isOpen: boolean;
  readonly onToggle: (key: number) => void;
}) {
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
        {newest !== undefined && <Clock entry={newest} />}
      </button>
    </div>
  );
}
