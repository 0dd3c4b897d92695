/** What a back office answers, under its base URL: the interface and its tokens. */
const roots = /\/(?:api|oauth)(?=\/|$)/;

/** Where a back office is reached: `*` for any origin and path, `https://shop.example/backend`, `/backend`. */
export interface BaseUrl {
  /** Whether a request to this URL is one for the back office. */
  covers(url: URL): boolean;
  /** The path that stands in front of `/api` in this URL; empty where nothing does. */
  prefixOf(url: URL): string;
}

/** The same text gives the same object, so that it is read once and not at each request. */
export function baseUrlOf(text: string): BaseUrl {
  const read = known.get(text) ?? readBaseUrl(text);
  if (known.size < 1000) known.set(text, read);
  return read;
}

const known = new Map<string, BaseUrl>();

function readBaseUrl(text: string): BaseUrl {
  if (text === '*') {
    const prefixOf = ({ pathname }: URL): string =>
      pathname.slice(0, Math.max(0, pathname.search(roots)));
    return { prefixOf, covers: ({ pathname }) => roots.test(pathname) };
  }
  const absolute = /^[a-z][a-z\d+.-]*:/i.test(text) ? new URL(text) : undefined;
  const path = (absolute?.pathname ?? text).replace(/\/+$/, '');
  return {
    prefixOf: () => path,
    covers: ({ origin, pathname }) =>
      (absolute === undefined || absolute.origin === origin) &&
      pathname.startsWith(path) &&
      pathname.slice(path.length).search(roots) === 0,
  };
}
