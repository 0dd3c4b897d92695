import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { TableView } from '../../engine/control/endpoints/tables.ts';
import { operationHeads } from '../openapi.ts';
import { choicesFor, confirmChoices, type Choice, type PaletteFacts } from './palette-choices.ts';
import { findByWord } from './palette-search.ts';
import { hostOf, listen, rootOf } from '../scroller.ts';
import { useAsync } from '../ui.tsx';
import { useStudio, type Studio } from '../studio.ts';

/** Finds anything by id or word. Ctrl+K or ⌘K opens it. */
export function Palette() {
  const studio = useStudio();
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const onKey = (event: Event) => {
      if (!(event instanceof KeyboardEvent) || !(event.ctrlKey || event.metaKey)) return;
      if (event.key.toLowerCase() !== 'k') return;
      event.preventDefault();
      // The page around a panel may use the same key.
      event.stopPropagation();
      studio.isFinding.value = !studio.isFinding.value;
    };
    // Outside of a panel, keys belong to the page around it.
    return listen(hostOf(place.current), ['keydown'], onKey);
  }, []);
  return <div ref={place}>{studio.isFinding.value && <PaletteDialog />}</div>;
}

/** Opens the palette. */
export function FindButton() {
  const studio = useStudio();
  return (
    <button type="button" class="find" onClick={() => (studio.isFinding.value = true)}>
      Find <kbd class="roomy">{isMac() ? '⌘' : 'Ctrl '}K</kbd>
    </button>
  );
}

function isMac(): boolean {
  return navigator.userAgent.includes('Mac');
}

function close(studio: Studio): void {
  studio.isFinding.value = false;
}

function PaletteDialog() {
  const studio = useStudio();
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const [entered, setEntered] = useState<string>();
  const [asked, setAsked] = useState<Choice>();
  const found = useChoices(text, entered === text);
  const isComplete = asked !== undefined || found.isComplete;
  const choices = asked === undefined ? found.choices : confirmChoices(asked);
  const chosen = choices[Math.min(at, choices.length - 1)];
  const dialog = useDialog(chosen?.key);
  const choose = (choice: Choice | undefined) => {
    if (choice === undefined) return;
    const isAsked = choice.confirm !== undefined && asked === undefined;
    setAsked(isAsked ? choice : undefined);
    setAt(0);
    if (!isAsked) run(studio, choice, rootOf(dialog.current));
  };
  // A person may be faster than the server.
  useEffect(() => {
    if (entered === text && isComplete) choose(choices[0]);
  }, [entered, text, isComplete]);
  return (
    <dialog
      ref={dialog}
      class="palette"
      aria-label="Find"
      onCancel={() => close(studio)}
      onClick={(event) => event.target === dialog.current && close(studio)}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (isComplete || at > 0) choose(chosen);
          else setEntered(text);
        }}
      >
        <input
          role="combobox"
          aria-label="Find a record, an operation or a section"
          aria-expanded="true"
          aria-controls="choices"
          aria-autocomplete="list"
          aria-activedescendant={chosen === undefined ? undefined : `choice-${chosen.key}`}
          placeholder={studio.pages.value.palette.example}
          autoComplete="off"
          spellcheck={false}
          value={text}
          onInput={(event) => {
            setText(event.currentTarget.value);
            setAsked(undefined);
            setAt(0);
            setEntered(undefined);
          }}
          onKeyDown={(event) => {
            const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
            if (step === undefined) return;
            event.preventDefault();
            setEntered(undefined);
            setAt(
              (old) => (Math.min(old, choices.length - 1) + step + choices.length) % choices.length,
            );
          }}
        />
      </form>
      <div id="choices" role="listbox" aria-label={asked?.confirm ?? 'Found'}>
        {choiceList(choices, chosen, choose)}
      </div>
    </dialog>
  );
}

/** Returns the dialog to show, which scrolls to the chosen one. */
function useDialog(chosen: string | undefined) {
  const dialog = useRef<HTMLDialogElement>(null);
  // Opened before the next key arrives. Closed before it is removed, or a panel would lose the focus.
  useLayoutEffect(() => {
    dialog.current?.showModal();
    return () => dialog.current?.close();
  }, []);
  useEffect(() => {
    const option = dialog.current?.querySelector('[aria-selected=true]');
    option?.scrollIntoView({ block: 'nearest' });
  }, [chosen]);
  return dialog;
}

function choiceList(
  choices: readonly Choice[],
  chosen: Choice | undefined,
  onChoose: (choice: Choice) => void,
) {
  return choices.map((choice) => (
    <div
      key={choice.key}
      id={`choice-${choice.key}`}
      role="option"
      tabIndex={-1}
      aria-selected={choice === chosen}
      onClick={() => onChoose(choice)}
    >
      <span>{choice.title}</span> <span class="soft">{choice.hint}</span>
    </div>
  ));
}

function run(studio: Studio, { href, send, title, run: act }: Choice, root: Document | ShadowRoot) {
  close(studio);
  // After the dialog has given the focus back.
  if (act !== undefined) requestAnimationFrame(() => void act(root));
  if (href !== undefined) studio.router.go(href);
  if (send !== undefined) void studio.actions.act(title, send.line, send.body);
}

/**
 * The choices for a text: those that the page knows at once, then records that the server finds. They are complete once
 * the server has said all, or cannot be reached.
 *
 * @param isEntered whether to ask the server now, not when the person pauses
 */
function useChoices(
  text: string,
  isEntered: boolean,
): { readonly choices: readonly Choice[]; readonly isComplete: boolean } {
  const studio = useStudio();
  const known = useAsync(async () => {
    const [facts] = await Promise.all([loadFacts(studio), studio.client.loadOpenApi()]);
    return facts;
  }, []);
  const found = useAsync(
    async () => ({ text, choices: await findByWord(studio, text) }),
    [text, isEntered],
    isEntered ? 0 : 150,
  );
  const operations = operationHeads(studio.client.openApi.value);
  const own = choicesFor(studio, text, { tables: [], scenarios: [], ...known, operations });
  const isSearched = found?.text === text;
  return {
    choices: isSearched ? [...found.choices, ...own] : own,
    isComplete: known !== undefined && isSearched,
  };
}

async function loadFacts(studio: Studio): Promise<Omit<PaletteFacts, 'operations'>> {
  const [tables = [], scenarios = []] = await Promise.all([
    studio.client.peek<readonly TableView[]>('GET /_backlot/tables'),
    studio.client.peek<PaletteFacts['scenarios']>('GET /_backlot/scenarios'),
  ]);
  return { tables: tables.map(({ name }) => name), scenarios };
}
