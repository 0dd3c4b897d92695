import { useEffect, useRef } from 'preact/hooks';
import { useStudio } from './studio.ts';

const end = encodeURIComponent('</svg>');
const dot = encodeURIComponent('<circle cx="13" cy="13" r="5" fill="#d92d20"/></svg>');

/** Shows a dot in the icon of the page while requests were refused that Activity has not shown. */
export function useFavicon(): void {
  const studio = useStudio();
  const seen = useRef(0);
  const last = studio.history.lastId.value;
  const isShown = studio.router.route.value.section === 'activity' && !document.hidden;
  // What was refused before the page was opened is no news.
  if (isShown || !studio.connection.isReady.value || last < seen.current) seen.current = last;
  const known = seen.current;
  const isTrouble = studio.history.summaries.value.some(
    ({ id, outcome }) => id > known && outcome !== 'ok',
  );
  useEffect(() => {
    const link = document.querySelector<HTMLLinkElement>('link[rel=icon]');
    if (link === null || !studio.router.ownsPage) return;
    link.href = link.href.replace(isTrouble ? end : dot, isTrouble ? dot : end);
  }, [isTrouble]);
}
