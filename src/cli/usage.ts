import { readFileSync } from 'node:fs';

export const usage = `backlot: a store back office to build and test against, in memory

Usage
  backlot [serve] [flags]     start the server
  backlot scenarios           list the scenarios that come with it
  backlot openapi             print the interface as an OpenAPI 3.1 document
  backlot --help, --version

Flags of serve
  --port <number>             where it listens (4000; 0 takes a free one)
  --host <address>            on which address (127.0.0.1)
  --allowed-host <name>       host name to serve beside localhost and IP addresses: shop.test,
                              .shop.test with its subdomains, * for any (repeatable)
  --scenario <name|file>      where the shop starts (default)
  --seed <number>             what passwords and tokens are computed from
  --now <moment>              what time it is there: 2026-03-02T09:00:00Z
  --latency <ms|from-to>      how long every answer takes (0): 200, or 100-800
  --cors-origin <origin|*>    origin of pages that may call (*; repeatable). Pages of a named one
                              may use cookies and the control plane, all others cannot write
  --base-path <path>          what every path begins with: /demo (nothing)
  --clock <frozen|ticking>    whether its time goes by (frozen)
  --quiet                     no line for each request

Sessions: isolated back offices, by X-Backlot-Session, a cookie, or /s/<name>/api/…
  --sessions <way>            what a request without one gets: the shared one (optional),
                              an error (required), or one of its own by cookie (own)
  --max-sessions <number>     how many there can be at once (1000)
  --session-idle <duration>   after how long without a request one is dropped (PT1H)

Limits and demos
  --max-rows <number>         records that each can add (any number)
  --max-snapshots <number>    snapshots that each can keep (1000)
  --max-body <bytes>          how large a body can be (1048576)
  --max-control-body <bytes>  the same for the control plane (1048576)
  --max-import <bytes>        the same for exports that it takes back (67108864)
  --max-waiting <number>      answers that are kept waiting at once (any number)
  --client-share <percent>    how much of --max-sessions and --max-waiting one client may
                              hold, by its address (100; --demo: 20)
  --rate <number>             requests a second of each session, and of each client
                              outside of sessions (any number)
  --proxies <number>          how many proxies stand in front, whose X-Forwarded-For,
                              -Proto and -Prefix are trusted (0)
  --reset-every <duration>    when everything begins anew: PT12H (never)
  --no-control                no control plane under /_backlot/
  --control-token <token>     only who sends it may use the control plane
  --demo                      a public demo: --sessions own, and every limit above set`;

/** The version in package.json, two folders up from the sources and from the build alike. */
export function version(): string {
  const file = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  const { version: found } = JSON.parse(file) as { version: string };
  return found;
}
