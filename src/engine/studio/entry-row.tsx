import { EntryDetail } from './entry-detail.tsx';
import { entryOf } from './entries.ts';
import { countOf, formatReceived } from './format.ts';
import type { Source, Summary } from './source.ts';
import { isInEffect } from './past.ts';
import { toneOf } from './tones.ts';
import { useAsync } from './ui.tsx';

interface EntryRowProps {
  readonly source: Source;
  readonly entry: Summary;
  readonly isOpen: boolean;
  readonly onToggle: (id: number) => void;
  /** Records whose changes are shown first: `orders/105`. */
  readonly about?: ReadonlySet<string>;
}

/** One entry of the history. A row says why a request was refused, and how much it changed. */
export function EntryRow({ source, entry, isOpen, onToggle, about }: EntryRowProps) {
  const { id, outcome, reason, received } = entry;
  const isUndone = !isInEffect(entry);
  return (
    <div class={`entry${isUndone ? ' undone' : ''}`}>
      <button
        type="button"
        class={outcome === 'ok' ? 'line' : 'line refused'}
        aria-expanded={isOpen}
        data-entry={id}
        title={received === undefined ? undefined : `received ${formatReceived(received)}`}
        onClick={() => onToggle(id)}
      >
        <Heading entry={entry} />
        <span class={`reason ${toneOf(outcome)}`} title={reason}>
          {outcome === 'declined' ? declineOf(reason) : reason}
        </span>
        <span class="changed">
          {isUndone && <span class="unseen">not in effect, </span>}
          {effectOf(entry)}
        </span>
      </button>
      {isOpen && <Opened source={source} entry={entry} about={about} />}
    </div>
  );
}

function Heading({
  entry: { by, title, status, outcome, step = '' },
}: {
  readonly entry: Summary;
}) {
  if (by !== 'request') {
    return (
      <>
        <span class="soft">{by}</span>
        <span class="step" />
        <span class="step" />
        <span class="path event">{title.replace(/T([\d:]{8})\+0000/, ' $1')}</span>
      </>
    );
  }
  const space = title.indexOf(' ');
  return (
    <>
      <span class={`status ${toneOf(outcome)}`}>{status === 0 ? 'drop' : status}</span>
      <span class="method">{title.slice(0, space)}</span>
      <span class="step">{step}</span>
      <span class="path">{title.slice(space + 1)}</span>
    </>
  );
}

function declineOf(reason = ''): string {
  return reason.includes('declined') ? reason : `declined: ${reason}`;
}

function effectOf({ changed, outcome }: Summary): string {
  if (changed > 0) return countOf(changed, 'record');
  return outcome === 'ok' ? 'read' : 'nothing';
}

interface OpenedProps {
  readonly source: Source;
  readonly entry: Summary;
  readonly about: ReadonlySet<string> | undefined;
}

function Opened({ source, entry, about }: OpenedProps) {
  const loaded = useAsync(
    async () => (await entryOf(source, entry)) ?? 'missing',
    [source, entry.id],
  );
  if (loaded === undefined) return <div class="detail" aria-busy="true" />;
  if (loaded === 'missing') return <p class="detail">The journal no longer has this entry.</p>;
  return <EntryDetail source={source} entry={loaded} about={about} />;
}
