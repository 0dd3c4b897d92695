import { escaped, page } from './dashboard.ts';

/** A page with one message, in place of a JSON response. */
export interface Notice {
  readonly title: string;
  readonly text: string;
  /** For those who run the server. */
  readonly detail?: string;
  /** Links with what they lead to. */
  readonly items?: readonly (readonly [href: string, text: string])[];
  /** A link to go on with. */
  readonly link: { readonly text: string; readonly href: string };
  /** Loads the link after this time in seconds. */
  readonly retryAfter?: number | undefined;
}

/** @param root the path of `/_backlot/` as the client sees it */
export function noticePage(
  { title, text, detail, items = [], link, retryAfter }: Notice,
  root: string,
): string {
  const refresh =
    retryAfter === undefined
      ? ''
      : `\n<meta http-equiv="refresh" content="${retryAfter}; url=${escaped(link.href)}">`;
  return page(
    title,
    `<main class="card"><h1>${escaped(title)}</h1>
<p>${escaped(text)}</p>
${detail === undefined ? '' : `<p class="soft">${escaped(detail)}</p>`}
${items.length === 0 ? '' : `<ul>${items.map(itemOf).join('')}</ul>`}
<p><a href="${escaped(link.href)}">${escaped(link.text)}</a></p></main>`,
    root,
    refresh,
  );
}

function itemOf([href, text]: readonly [href: string, text: string]): string {
  return `<li><a href="${escaped(href)}">${escaped(href)}</a> <span class="soft">${escaped(text)}</span></li>`;
}
