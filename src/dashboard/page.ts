/**
 * A page in the style of the others. Style and script are files of their own, as its Content-Security-Policy requires.
 *
 * @param root the relative path from the page to `/_backlot/`: `./`
 * @param head markup for the end of its head
 */
export function page(title: string, body: string, root: string, head = ''): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(title)}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${root}page.css">${head}
</head>
<body>
${body}
</body>
</html>
`;
}

/** Text as markup shows it. */
export function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

/** The style of every page, as a file for a browser. */
export const pageStyle = `:root {
  --ink: light-dark(#1d2129, #e4e6ea); --soft: light-dark(#5d6573, #9aa3b2); --paper: light-dark(#f6f6f3, #14161a);
  --card: light-dark(#fff, #1c1f25); --line: light-dark(#dfe0dc, #31353d); --accent: light-dark(#0b6e4f, #5fd0a5);
  --bad: light-dark(#b3261e, #ff8a80); --warm: light-dark(#8a5a00, #f0c060);
  color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper);
}
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1.25rem clamp(.75rem, 3vw, 2rem) 4rem; max-width: 76rem; }
header { display: flex; flex-wrap: wrap; gap: .25rem 1.5rem; align-items: baseline; margin-bottom: 1.25rem; }
h1 { font-size: 1.35rem; margin: 0; } h2 { font-size: 1rem; margin: 0 0 .6rem; }
a { color: var(--accent); } p { margin: 0 0 .6rem; }
nav { display: flex; flex-wrap: wrap; gap: .25rem 1rem; }
code, pre, .mono { font-family: ui-monospace, monospace; font-size: .86em; }
pre { margin: .5rem 0 0; padding: .6rem; overflow: auto; background: var(--paper); border-radius: 6px; max-height: 22rem; }
.soft { color: var(--soft); } .bad { color: var(--bad); } .warm { color: var(--warm); } .good { color: var(--accent); }
.grid { display: grid; gap: 1rem; grid-template-columns: repeat(auto-fit, minmax(min(100%, 21rem), 1fr)); align-items: start; }
.wide { grid-column: 1 / -1; }
ul { margin: 0 0 .6rem; padding-left: 1.2rem; }
.card > :last-child, .card > :last-child > :last-child { margin-bottom: 0; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: 1rem; min-width: 0; overflow-wrap: anywhere; }
.row { display: flex; flex-wrap: wrap; gap: .4rem; align-items: center; margin-bottom: .5rem; }
.row > .grow { flex: 1 1 8rem; min-width: 0; overflow-wrap: anywhere; }
button, select, input {
  font: inherit; color: inherit; background: var(--paper); border: 1px solid var(--line); border-radius: 6px; padding: .25rem .6rem;
  min-width: 0; max-width: 100%;
}
button { cursor: pointer; } button:hover { border-color: var(--accent); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 1px; }
table { border-collapse: collapse; width: 100%; } .scroll { overflow-x: auto; }
th, td { text-align: left; padding: .3rem 1rem .3rem 0; border-top: 1px solid var(--line); white-space: nowrap; }
th { font-weight: 600; color: var(--soft); border-top: 0; } .num { text-align: right; } td.end, th.end { padding-right: 0; text-align: right; }
details { border-top: 1px solid var(--line); padding: .45rem 0; } details[open] > summary { margin-bottom: .4rem; } summary { cursor: pointer; } details > :not(summary) { margin-left: 1.1rem; }
.method { display: inline-block; min-width: 4.6em; font-weight: 600; }
@media (max-width: 40rem) {
  .roomy { display: none; } td.name { max-width: 9rem; overflow: hidden; text-overflow: ellipsis; }
  summary .soft { display: block; padding-left: 1.1rem; }
}
#notice:empty { display: none; } #notice { margin-bottom: 1rem; border-color: var(--warm); }
[hidden] { display: none !important; }
`;
