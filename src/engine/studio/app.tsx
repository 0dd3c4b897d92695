import { computed } from '@preact/signals';
import type { ComponentType, TargetedEvent } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { apiPages } from './api-pages.ts';
import { useFavicon } from './favicon.ts';
import { keepFocus } from './focus.ts';
import { Header, MissingSession, NoticeBar, TokenForm } from './frame.tsx';
import { lazyView } from './lazy-view.tsx';
import { Palette } from './palette/palette.tsx';
import { activity, docs, files, home, rules, time } from './rooms.ts';
import { ownsPage, route, sections } from './route.ts';
import { rootOf } from './scroller.ts';
import { Welcome } from './session-panel.tsx';
import { connect, health, isReady } from './store.ts';
import { TimelineBar } from './timeline-bar.tsx';

const views = computed((): ReadonlyMap<string, ComponentType> => {
  const { rooms: own, sections: others } = apiPages();
  const named = { home, activity, data: own.data, rules, time, docs };
  return new Map(
    [...Object.entries(named), ...others.map(({ name, room }) => [name, room] as const)].map(
      ([name, room]) => [name, lazyView(room)],
    ),
  );
});

/** The whole page. */
export function App() {
  useEffect(() => connect(), []);
  useFavicon();
  const { section, path } = route.value;
  const main = useRef<HTMLElement>(null);
  useEffect(() => (main.current === null ? undefined : keepFocus(main.current)), []);
  // Nothing can be done with a shop that the server has removed.
  const isEnded = health.value?.session?.ended !== undefined;
  const View = views.value.get(section);
  // A page has one main element, which is that of the app around a panel.
  const Main = ownsPage() ? 'main' : 'section';
  useEffect(() => {
    if (!ownsPage()) return;
    const title = sections.value.find(({ name }) => name === section)?.title;
    document.title = `${[...path.slice(0, 2), title].join(' · ')} · Backlot`;
  }, [section, path]);
  return (
    <>
      {ownsPage() && (
        <a class="skip" href="#main" onClick={skip}>
          Skip to the content
        </a>
      )}
      <Header />
      {!isEnded && <TimelineBar />}
      <Main
        ref={main}
        id="main"
        tabIndex={-1}
        onDragOver={(event) => event.preventDefault()}
        onDrop={(event) => void drop(event)}
      >
        {isReady.value && <Welcome />}
        {section !== 'docs' && <TokenForm />}
        <MissingSession />
        {!isEnded && (isReady.value || section === 'docs') && View && <View />}
      </Main>
      <NoticeBar />
      <Palette />
    </>
  );
}

async function drop(event: DragEvent): Promise<void> {
  const [file] = event.dataTransfer?.files ?? [];
  if (file === undefined) return;
  event.preventDefault();
  await (await files()).openFile(file);
}

/** The hash of the page is its route, so the link moves the focus itself. */
function skip(event: TargetedEvent<HTMLElement>): void {
  event.preventDefault();
  rootOf(event.currentTarget).querySelector<HTMLElement>('#main')?.focus();
}
