import { escaped, page } from './page.ts';

/**
 * The page to look at a back office with, and to steer it. It works under any prefix, since all its links are relative.
 *
 * @param root the relative path from the page to `/_backlot/`: `./`
 * @param shop whose shop it shows: `session ada`
 */
export function dashboardPage(root: string, shop: string): string {
  const header = `<header><h1>Backlot</h1><span class="soft">${escaped(shop)}</span>
<nav><a href="${root}docs">Interface</a><a href="${root}openapi.json">OpenAPI document</a></nav></header>`;
  const script = `<script src="${root}dashboard.js" defer></script>`;
  return page(
    'Backlot',
    `${header}
${body}`,
    root,
    `
${script}`,
  );
}

const body = `<div id="notice" class="card warm" role="status"></div>
<form id="token" class="card row" hidden><label for="token-text">Token of the control plane</label>
<input id="token-text" type="password" autocomplete="off" required><button>Use it</button></form>
<main id="steer" class="grid" hidden>
<section class="card"><h2>Scenario</h2>
<form id="reset" class="row"><select id="scenario" class="grow" aria-label="Scenario"></select><button>Begin anew</button></form>
<p id="description" class="soft"></p></section>
<section class="card"><h2>Clock</h2><p id="now" class="mono"></p>
<div class="row"><button data-advance="PT10M">+10 min</button><button data-advance="PT1H">+1 h</button><button data-advance="P1D">+1 day</button>
<button id="tick"></button></div>
<form id="advance" class="row"><input id="duration" class="grow" aria-label="Duration" placeholder="PT3H, P2W, -P1D" required><button>Advance</button></form></section>
<section class="card"><h2>Snapshots</h2>
<form id="snapshot" class="row"><input id="name" class="grow" aria-label="Name of the snapshot" placeholder="before-payment" required><button>Take</button></form>
<div id="snapshots"></div></section>
<section class="card"><h2>Faults</h2>
<div class="row"><button data-fault='{"status":503}'>All 503</button><button data-fault='{"delay":2000}'>2 s slower</button>
<button data-fault='{"status":500,"probability":0.3}'>3 in 10 fail</button><button data-fault='{"connection":"drop","first":1}'>Drop the next</button></div>
<div id="faults"></div></section>
<section class="card"><h2>Sessions</h2>
<form id="session" class="row"><input id="session-name" class="grow" aria-label="Name of the session" placeholder="ada" required><button>Open</button></form>
<div id="sessions"></div></section>
<section class="card"><h2>Move on</h2>
<form id="look" class="row"><select id="machine" aria-label="What"><option value="order">order</option><option value="payment">payment</option>
<option value="shipment">shipment</option><option value="inventory_unit">inventory unit</option></select>
<input id="record" inputmode="numeric" size="6" aria-label="Id" placeholder="id" required><button>Look</button></form>
<div id="transitions"></div></section>
<section class="card wide"><h2>Orders</h2><div id="orders" class="scroll"></div></section>
<section class="card wide"><h2>Requests</h2><div class="row"><span id="counted" class="soft grow"></span><button id="forget">Forget them</button></div>
<div id="journal"></div></section>
</main>`;
