import { useMemo } from 'preact/hooks';
import { foldCase } from '../engine/lib/fold-case.ts';
import { Input, useText } from './form.tsx';
import { countOf } from './format.ts';
import { found, has, jsonLines, rangeOf, visibleLines, type JsonLine } from './json-lines.ts';
import type { Tone } from '../engine/journal/tone.ts';
import { CopyButton, useToggled } from './ui.tsx';
import { Windowed } from './windowed.tsx';

interface JsonProps {
  readonly value: unknown;
  readonly label: string;
  /** The tones of values by their paths: `items.0.quantity`. */
  readonly marks?: ReadonlyMap<string, Tone> | undefined;
}

/** Number of lines from which on a value can be searched, and inner values are folded at first. */
const [fewLines, manyLines] = [16, 200];

/** A value of JSON, whose parts can be folded and searched. A text is shown as it is. */
export function Json({ value, label, marks }: JsonProps) {
  if (typeof value !== 'string') return <Lines value={value} label={label} marks={marks} />;
  return (
    <pre tabIndex={0} role="group" aria-label={label}>
      {value}
    </pre>
  );
}

function Lines({ value, label, marks = new Map() }: JsonProps) {
  const lines = useMemo(() => jsonLines(value), [value]);
  const search = useText();
  const [toggled, toggle] = useToggled<string>();
  const isMany = lines.length > manyLines;
  const isFolded = (path: string) =>
    (isMany && path.split('.').length > 2 && !marks.has(path)) !== toggled.has(path);
  const wanted = foldCase(search.value.trim());
  const shown = wanted === '' ? visibleLines(lines, isFolded) : found(lines, wanted);
  const line = (one: JsonLine) => {
    const isShut = wanted === '' && one.kind === 'open' && isFolded(one.path);
    return lineOf(one, marks.get(one.path), isShut, wanted, toggle);
  };
  return (
    <div class="json">
      <div class="row json-tools">
        {lines.length > fewLines && (
          <>
            <Input
              type="search"
              class="grow"
              label={`Search: ${label}`}
              hint="Search"
              {...search}
            />
            <span class="soft" role="status">
              {wanted !== '' && countOf(lines.filter((one) => has(one, wanted)).length, 'line')}
            </span>
          </>
        )}
        <CopyButton of={label} text={() => Promise.resolve(JSON.stringify(value, null, 2))}>
          Copy
        </CopyButton>
      </div>
      <div class="code" tabIndex={0} role="group" aria-label={label}>
        {isMany ? (
          <Windowed
            label={`Lines: ${label}`}
            rows={shown}
            height={18}
            keyOf={keyOf}
            render={line}
          />
        ) : (
          shown.map((one) => <div key={keyOf(one)}>{line(one)}</div>)
        )}
      </div>
    </div>
  );
}

function keyOf({ path, kind }: JsonLine): string {
  return `${kind === 'close' ? 'end ' : ''}${path}`;
}

/** One line. Its first sign folds what it opens. */
function lineOf(
  { path, depth, name, text, kind, size = 0, hasNext }: JsonLine,
  tone: Tone | undefined,
  isFolded: boolean,
  wanted: string,
  onToggle: (path: string) => void,
) {
  const isOpen = kind === 'open';
  const end = text === '[' ? ']' : '}';
  return (
    <div class="json-line" style={{ paddingInlineStart: `${depth * 14 + 14}px` }}>
      {isOpen && wanted === '' && (
        <button
          type="button"
          class="fold"
          aria-expanded={!isFolded}
          aria-label={`${path === '' ? 'The value' : path}: ${countOf(size, 'part')}`}
          onClick={() => onToggle(path)}
        >
          {isFolded ? '▸' : '▾'}
        </button>
      )}
      {name !== undefined && (
        <>
          <span class="key">{marked(name, wanted)}</span>
          {': '}
        </>
      )}
      <span class={`${kind}${tone === undefined || kind === 'close' ? '' : ` fact ${tone}`}`}>
        {isOpen ? text : marked(text, wanted)}
      </span>
      {isFolded && <span class="faint">{` ${size} … ${end}`}</span>}
      {hasNext && (!isOpen || isFolded) && ','}
    </div>
  );
}

/** A text, with what is searched marked. */
function marked(text: string, wanted: string) {
  const range = wanted === '' ? undefined : rangeOf(text, wanted);
  if (range === undefined) return text;
  const [at, end] = range;
  return (
    <>
      {text.slice(0, at)}
      <mark>{text.slice(at, end)}</mark>
      {text.slice(end)}
    </>
  );
}
