import { useEffect, useRef } from 'preact/hooks';
import { useStudio } from './studio.ts';

/**
 * Shows in the icon of the page how many requests wait for their responses, or else a dot while requests were rejected that
 * Activity has not shown.
 */
export function useFavicon(): void {
  const studio = useStudio();
  const plain = useRef('');
  const seen = useRef(0);
  const last = studio.history.lastId.value;
  const isShown = studio.router.route.value.section === 'activity' && !document.hidden;
  // What was rejected before the page was opened is no news.
  if (isShown || !studio.connection.isReady.value || last < seen.current) seen.current = last;
  const known = seen.current;
  const pending = studio.history.pending.value;
  const isTrouble = studio.history.summaries.value.some(
    ({ id, outcome }) => id > known && outcome !== 'ok',
  );
  const badge = pending > 0 ? badgeOf('#955200', pending) : isTrouble ? badgeOf('#d92d20') : '';
  useEffect(() => {
    const link = document.querySelector<HTMLLinkElement>('link[rel=icon]');
    if (link === null || !studio.router.ownsPage) return;
    plain.current ||= link.href;
    const end = encodeURIComponent('</svg>');
    link.href = plain.current.replace(end, encodeURIComponent(badge) + end);
  }, [badge]);
}

function badgeOf(color: string, count?: number): string {
  const text = count === undefined ? '' : count > 9 ? '9+' : String(count);
  return `<circle cx="12" cy="12" r="6" fill="${color}"/><text x="12" y="15" font-size="9" text-anchor="middle" fill="#fff">${text}</text>`;
}
