import type { ComponentType, TargetedEvent } from 'preact';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import type { ApiPages } from './api-pages.ts';
import { useFavicon } from './favicon.ts';
import { restoreFocus } from './focus.ts';
import { Header, MissingSession, NoticeBar, SharedState, TokenForm } from './frame.tsx';
import { lazyView } from './lazy-view.tsx';
import { Palette } from './palette/palette.tsx';
import { rootOf } from './scroller.ts';
import { restoreTheme } from './theme.ts';
import { Welcome } from './session-panel.tsx';
import { TimelineBar } from './timeline-bar.tsx';
import { useStudio, type Views, type Studio } from './studio.ts';

function viewsOf(
  { home, activity, rules, chaos, time, docs }: Views,
  { views: own, sections: others }: ApiPages,
): ReadonlyMap<string, ComponentType> {
  const named = { home, activity, data: own.data, rules, chaos, time, docs };
  return new Map(
    [...Object.entries(named), ...others.map(({ name, view }) => [name, view] as const)].map(
      ([name, load]) => [name, lazyView(load)],
    ),
  );
}

/** The whole page. */
export function App() {
  const studio = useStudio();
  useEffect(() => studio.connection.connect(), []);
  useFavicon();
  const { section, path } = studio.router.route.value;
  const pending = studio.history.pending.value;
  const main = useRef<HTMLElement>(null);
  useEffect(() => (main.current === null ? undefined : restoreFocus(main.current)), []);
  useEffect(() => restoreTheme(rootOf(main.current)), []);
  // Nothing can be done with a shop that the server has removed.
  const isEnded = studio.shop.health.value?.session?.ended !== undefined;
  const pages = studio.pages.value;
  const views = useMemo(() => viewsOf(studio.views, pages), [pages]);
  const View = views.get(section);
  // A page has one main element, which is that of the app around a panel.
  const Main = studio.router.ownsPage ? 'main' : 'section';
  useEffect(() => {
    if (!studio.router.ownsPage) return;
    const title = studio.router.sections.value.find(({ name }) => name === section)?.title;
    const count = pending === 0 ? '' : `(${pending}) `;
    document.title = `${count}${[...path.slice(0, 2), title].join(' · ')} · Backlot`;
  }, [section, path, pending]);
  return (
    <>
      {studio.router.ownsPage && (
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
        onDrop={(event) => void drop(studio, event)}
      >
        {studio.connection.isReady.value && <Welcome />}
        {section !== 'docs' && <TokenForm />}
        <MissingSession />
        {studio.connection.isReady.value && <SharedState />}
        {!isEnded && (studio.connection.isReady.value || section === 'docs') && View && <View />}
      </Main>
      <NoticeBar />
      <Palette />
    </>
  );
}

async function drop(studio: Studio, event: DragEvent): Promise<void> {
  const [file] = event.dataTransfer?.files ?? [];
  if (file === undefined) return;
  event.preventDefault();
  await (await studio.views.files()).openFile(studio, file);
}

/** The hash of the page is its route, so the link moves the focus itself. */
function skip(event: TargetedEvent<HTMLElement>): void {
  event.preventDefault();
  rootOf(event.currentTarget).querySelector<HTMLElement>('#main')?.focus();
}
