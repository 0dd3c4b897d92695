import { parsedUrl } from '../lib/api-path.ts';
/**
 * Returns the URL that a link may lead to: a path of the same host, or a URL of a named origin. Prevents open redirects:
 * https://cwe.mitre.org/data/definitions/601.html
 *
 * @returns undefined if the link would lead elsewhere
 */
export function linkTarget(
  text: string,
  isNamedOrigin: (origin: string) => boolean,
): string | undefined {
  // Browsers drop control characters from URLs, and read a backslash as a slash.
  if (/[\p{Cc}\s\\]/u.test(text)) return undefined;
  const isPath = text.startsWith('/');
  const base = isPath ? placeholder : undefined;
  const url = parsedUrl(text, base);
  if (url === undefined) return undefined;
  const { origin, protocol, pathname, search, hash, username, password } = url;
  if (!isPath) {
    const isPlain = username === '' && password === '';
    return isPlain && /^https?:$/.test(protocol) && isNamedOrigin(origin) ? url.href : undefined;
  }
  // `/.//evil.example` becomes `//evil.example`, which names a host.
  const isOwn = origin === placeholder && !text.startsWith('//') && !pathname.startsWith('//');
  return isOwn ? `${pathname}${search}${hash}` : undefined;
}

const placeholder = 'http://placeholder.invalid';
