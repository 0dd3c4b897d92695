import type { CommandName } from './commands.ts';

/** What follows the name of the program, and what it does. */
export type Examples = readonly (readonly [line: string, about: string])[];

/** Examples of commands. */
export const examples: { readonly [Name in CommandName]?: Examples } = {
  serve: [
    ['--scenario sale', 'a shop with a sale'],
    ['--sessions own --latency 100-800', 'a shop per browser, slow'],
    ['--demo --host 0.0.0.0', 'a public demo'],
  ],
  init: [
    ['init --dry-run', 'what it would write'],
    ['init --api-path /api/v1', 'for a shop at another path'],
  ],
  states: [['states order.shipped', 'each way to open it']],
  open: [
    ['open order.awaiting-payment', 'an order that can be paid for'],
    ['open sale http://127.0.0.1:4000', 'the scenario sale'],
  ],
  verify: [
    ['verify --against https://shop.test', 'with reads only'],
    ['verify --against https://shop.test --write', 'with a checkout, too'],
  ],
  completion: [['completion bash >> ~/.bashrc', 'for the next shell']],
  openapi: [
    ['openapi > openapi.json', 'for code generators'],
    ["openapi --only 'POST /api/orders/'", 'one operation, with what it needs'],
  ],
  contract: [
    ["contract 'POST /api/orders/'", 'one endpoint'],
    ['contract checkouts', 'each step of the checkout'],
  ],
  check: [['check --config shop.ts', 'another file than backlot.config.ts']],
  coverage: [['coverage merge a.json b.json --min 80', 'one report, with a minimum']],
  chaos: [
    ['chaos -- vitest run', 'all tests'],
    ['chaos --races -- vitest run', 'orders of responses'],
    ['chaos --fault drop --out grid.html -- vitest run', 'one fault, as a page'],
  ],
  mocks: [
    ['mocks --openapi openapi.yaml -- vitest run', 'all tests'],
    ['mocks --openapi openapi.yaml --out mocks.html -- npx jest', 'as a page'],
  ],
  mutate: [
    ['mutate -- vitest run', 'all tests'],
    [
      "mutate --only 'GET /api/orders/' --out mutants.html -- vitest run",
      'one response, as a page',
    ],
  ],
  merge: [['merge shard-*.json --out mutants.html', 'one report of all shards']],
  arazzo: [['arazzo checkout refund', 'two of the workflows']],
  proxy: [['proxy --to https://shop.test', 'for an app at port 4000']],
  tail: [
    ['tail is:rejected step:purchase', 'rejected purchases'],
    ['tail http://127.0.0.1:4000 order:105', 'all that concerns one order'],
  ],
  explain: [
    ['explain order 1', 'its total'],
    ['explain order 1 --at 12', 'its total after entry 12'],
    ['explain stock 7', 'of variant 7'],
    ['explain state payment 3', 'and what led there'],
    ['explain entry 12', 'a request, rejected or not'],
  ],
  replay: [
    ['replay backlot-trace.html', 'after an update of Backlot'],
    ['replay trace.json --config shop.ts', 'by an API of your own'],
    ['replay shop.har --trace shop.html', 'to look at what differs'],
  ],
  pull: [
    ['pull https://shop.test --anonymise -o shop.json', 'all records, other persons'],
    ['pull shop.har -o shop.json', 'what a recording shows'],
  ],
};
