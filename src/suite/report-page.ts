import { escapeMarkup, printable } from '../engine/lib/printable.ts';

/**
 * Returns the page of a report, which requires no network and runs no script.
 *
 * @param title text without markup
 * @param content markup
 */
export function reportPage(title: string, content: string): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'" />
    <title>${title}</title>
    <style>${style}</style>
  </head>
  <body>
    <main>
      <h1>${title}</h1>
      ${content}
    </main>
  </body>
</html>
`;
}

/** Returns a table. @param label names it. @param heads those of its columns. @param rows markup */
export function tableHtml(
  label: string,
  heads: readonly string[],
  rows: readonly string[],
): string {
  const columns = heads.map((head) => `<th scope="col">${head}</th>`);
  return `<div class="grid" role="region" aria-label="${label}" tabindex="0"><table>
        <thead><tr>${columns.join('')}</tr></thead>
        <tbody>${rows.join('\n')}</tbody>
      </table></div>`;
}

/** Returns a text of a test, a page or an API as markup. */
export function shown(text: string): string {
  return escapeMarkup(printable(text));
}

const style = `
:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; }
body { margin: 0; } main { max-width: 75rem; margin: 0 auto; padding: 1rem; }
.grid { overflow-x: auto; } table { border-collapse: collapse; }
th, td { padding: .25rem .6rem; border-bottom: 1px solid light-dark(#ddd, #444); text-align: left; font-weight: normal; vertical-align: top; }
thead th { font-size: .85rem; } .test th { padding-top: 1rem; font-weight: 600; } small { font-weight: normal; color: light-dark(#595959, #aaa); }
td.number { text-align: right; font-variant-numeric: tabular-nums; }
th code, td.number { white-space: nowrap; } pre { white-space: pre-wrap; overflow-wrap: anywhere; }
.verdict { text-align: center; } .verdict a { color: inherit; }
.red { background: light-dark(#fbd5d5, #6b1f1f); } .green { background: light-dark(#d9f2dd, #1d4d2a); } .yellow { background: light-dark(#fdf0c4, #57460f); }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
code { overflow-wrap: anywhere; } details { margin: .6rem 0; } summary { cursor: pointer; }
li { margin-bottom: .6rem; } dt { font-weight: 600; } dd { margin: 0 0 .4rem 1rem; }
`;
