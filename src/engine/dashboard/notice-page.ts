import { escapeMarkup } from '../lib/printable.ts';
import { page } from './dashboard.ts';

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
      : `\n<meta http-equiv="refresh" content="${retryAfter}; url=${escapeMarkup(link.href)}">`;
  return page(
    title,
    `<main class="card"><h1>${escapeMarkup(title)}</h1>
<p>${escapeMarkup(text)}</p>
${detail === undefined ? '' : `<p class="soft">${escapeMarkup(detail)}</p>`}
${items.length === 0 ? '' : `<ul>${items.map(itemOf).join('')}</ul>`}
<p><a href="${escapeMarkup(link.href)}">${escapeMarkup(link.text)}</a></p></main>`,
    root,
    refresh,
  );
}

function itemOf([href, text]: readonly [href: string, text: string]): string {
  return `<li><a href="${escapeMarkup(href)}">${escapeMarkup(href)}</a> <span class="soft">${escapeMarkup(text)}</span></li>`;
}
