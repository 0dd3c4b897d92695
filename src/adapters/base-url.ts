/** The paths of a back office under its base URL: the store API and its tokens. */
const roots = /\/(?:api|oauth)(?=\/|$)/;

/** The base URL of a back office: `*` for any origin and path, `https://shop.example/backend`, `/backend`. */
export interface BaseUrl {
  /** Whether the back office answers requests to this URL. */
  covers(url: URL): boolean;
  /** The path in front of `/api` in this URL, or an empty string. */
  prefixOf(url: URL): string;
}

/** Parses a base URL. Memoized, because it is called for each request. */
export function baseUrlOf(text: string): BaseUrl {
  const read = known.get(text) ?? parseBaseUrl(text);
  if (known.size < 1000) known.set(text, read);
  return read;
}

const known = new Map<string, BaseUrl>();

function parseBaseUrl(text: string): BaseUrl {
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
