/** A page loads everything from its own server, and its script never parses text as HTML. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'self'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

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
 */
export function studioPage(root: string): string {
  return document(
    'Backlot',
    '<noscript>The studio is a script: allow JavaScript on this page.</noscript>',
    `<link rel="stylesheet" href="${root}studio.css">
<script src="${root}studio.js" defer></script>`,
  );
}

/**
 * Returns the former page that shows and controls a back office.
 *
 * @param root the relative path from the page to `/_backlot/`: `./`
 * @param shop the shop to show: `session ada`
 */
export function dashboardPage(root: string, shop: string): string {
  const header = `<header><h1>Backlot</h1><span class="soft">${escaped(shop)}</span>
<nav><a href="${root}docs">API reference</a><a href="${root}openapi.json">OpenAPI document</a></nav></header>`;
  const script = `<script src="${root}dashboard.js" defer></script>`;
  return page(
    'Backlot',
    `${header}
${dashboardBody}`,
    root,
    `
${script}`,
  );
}

const dashboardBody = `<div id="notice" class="card warm" role="status"></div>
<form id="token" class="card row" hidden><label for="token-text">Token of the control API</label>
<input id="token-text" type="password" autocomplete="off" required><button>Use token</button></form>
<main id="controls" class="grid" hidden>
<section class="card"><h2>Scenario</h2>
<form id="reset" class="row"><select id="scenario" class="grow" aria-label="Scenario"></select><button>Reset</button></form>
<p id="description" class="soft"></p></section>
<section class="card"><h2>Clock</h2><p id="now" class="mono"></p>
<div class="row"><button data-advance="PT10M">+10 min</button><button data-advance="PT1H">+1 h</button><button data-advance="P1D">+1 day</button>
<button id="tick"></button></div>
<form id="advance" class="row"><input id="duration" class="grow" aria-label="Duration" placeholder="PT3H, P2W, -P1D" required><button>Advance</button></form></section>
<section class="card"><h2>Snapshots</h2>
<form id="snapshot" class="row"><input id="snapshot-name" class="grow" aria-label="Snapshot name" placeholder="before-payment" required><button>Take snapshot</button></form>
<div id="snapshots"></div></section>
<section class="card"><h2>Faults</h2>
<div class="row"><button data-fault='{"status":503}'>Return 503</button><button data-fault='{"delay":2000}'>Delay 2 s</button>
<button data-fault='{"status":500,"probability":0.3}'>Fail 30 %</button><button data-fault='{"connection":"drop","first":1}'>Drop next</button></div>
<div id="faults"></div><div id="holds"></div></section>
<section class="card"><h2>Sessions</h2>
<form id="session" class="row"><input id="session-name" class="grow" aria-label="Session name" placeholder="ada" required><button>Create</button></form>
<div id="sessions"></div></section>
<section class="card"><h2>Transitions</h2>
<form id="select-record" class="row"><select id="machine" aria-label="Record type"><option value="order">order</option><option value="payment">payment</option>
<option value="shipment">shipment</option><option value="inventory_unit">inventory unit</option></select>
<input id="record" inputmode="numeric" size="6" aria-label="Record id" placeholder="id" required><button>Show</button></form>
<div id="transitions"></div></section>
<section class="card wide"><h2>Orders</h2><div id="orders" class="scroll"></div></section>
<section class="card wide"><h2>Requests</h2><div class="row"><span id="entry-count" class="soft grow"></span><button id="clear">Clear</button></div>
<div id="journal"></div></section>
</main>`;

/**
 * Returns the HTML document of a page. Its style sheet and script are separate files, as its Content-Security-Policy requires.
 *
 * @param root the relative path from the page to `/_backlot/`: `./`
 * @param head markup to append to the head
 */
export function page(title: string, body: string, root: string, head = ''): string {
  return document(title, body, `<link rel="stylesheet" href="${root}page.css">${head}`);
}

function document(title: string, body: string, head: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(title)}</title>
<link rel="icon" href="data:,">
${head}
</head>
<body>
${body}
</body>
</html>
`;
}

/** Escapes text for use in markup and attributes. */
export function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
