import { deedIn, meaningOf, pendingOf } from '../../entries.ts';
import { capitalize, formatMs, formatReceived } from '../../format.ts';
import type { EntryLineProps } from '../../activity/entry-line.tsx';
import { toneOfEntry } from '../../tones.ts';
import { useStudio } from '../../studio.ts';

const signs: Readonly<Record<string, string>> = {
  ok: '✓',
  declined: '!',
  rejected: '!',
  failed: '!',
  dropped: '!',
  page: '✎',
  clock: '◷',
  restore: '↶',
  reset: '↺',
};

/** An entry that touched an order: its step, and what it meant. */
export function TouchedLine({ entry, isOpen, onToggle }: EntryLineProps) {
  const studio = useStudio();
  const { id, by, outcome, step, title, ms, received, status, client } = entry;
  const isUndone = !studio.preview.isInEffect(entry);
  const kind = by === 'request' ? outcome : by;
  const tone = toneOfEntry(studio, entry) ?? '';
  const word = outcome === 'ok' ? '' : ` ${outcome}`;
  const isRequest = by === 'request';
  const what = isRequest ? (step === undefined ? title : capitalize(step)) : deedIn(studio, entry);
  return (
    <div class={`entry${isUndone ? ' undone' : ''}`}>
      <button
        type="button"
        class="line"
        aria-expanded={isOpen}
        data-entry={id}
        onClick={() => onToggle(id)}
      >
        <span class={`sign pill ${tone}`} aria-hidden="true">
          {signs[kind]}
        </span>
        <b>
          <span class="unseen">{`#${id} `}</span>
          {`${what}${word}`}
        </b>
        <span class="faint" title={received === undefined ? undefined : formatReceived(received)}>
          {[status ?? pendingOf(entry) ?? by, ms === undefined ? [] : formatMs(ms)]
            .flat()
            .join(' · ')}
        </span>
        <span class={`reason ${outcome === 'ok' ? 'soft' : tone}`}>
          {isRequest && meaningOf(entry)}{' '}
          {client !== undefined && <span class="faint">{client}</span>}
        </span>
        {isUndone && <span class="unseen">, not in effect</span>}
      </button>
    </div>
  );
}
