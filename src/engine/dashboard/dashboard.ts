import { escapeMarkup } from '../lib/printable.ts';

/** A page loads everything from its own server, and its script never parses text as HTML. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  'img-src data:',
  'font-src data:',
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'self'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

/** The mark of the studio. Its page adds a dot while there is trouble. */
const icon = `data:image/svg+xml,${encodeURIComponent(
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="-4 -4 22 22"><rect x="-4" y="-4" width="22" height="22" rx="6" fill="#0b6e4f"/><path d="M1.5 5.5h11v6h-11zM1.5 5.5l2-3.5 2.6 3.5M6.1 2l2.6 3.5M9 2l3 3.5" fill="none" stroke="#fff" stroke-width="1.6"/></svg>`,
)}`;

/** The next version of the server may serve other content at the same URL. */
export const noCache = { 'cache-control': 'no-cache' };
/** The headers of every page. */
export const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': policy,
  ...noCache,
};

/**
 * Returns the page that shows and controls a back office. All of its links are relative, so it works under every prefix.
 *
 * @param root the relative path from the page to `/_backlot/`: `./`
 * @param shop the shop to show: `session ada`
 */
export function studioPage(root: string, shop: string): string {
  return document(
    `Backlot: ${shop}`,
    '<noscript>The studio is a script: allow JavaScript on this page.</noscript>',
    `${sheet(root, 'inter')}
${sheet(root, 'studio')}
<script src="${root}studio.js" type="module"></script>`,
  );
}

/**
 * Returns the HTML document of a page. Its style sheet and script are separate files, as its Content-Security-Policy requires.
 *
 * @param root the relative path from the page to `/_backlot/`: `./`
 * @param head markup to append to the head
 */
export function page(title: string, body: string, root: string, head = ''): string {
  return document(title, body, `${sheet(root, 'inter')}\n${sheet(root, 'page')}${head}`);
}

function sheet(root: string, name: 'inter' | 'page' | 'studio'): string {
  return `<link rel="stylesheet" href="${root}${name}.css">`;
}

function document(title: string, body: string, head: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeMarkup(title)}</title>
<link rel="icon" href="${icon}">
${head}
</head>
<body>
${body}
</body>
</html>
`;
}
