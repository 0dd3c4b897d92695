// Checks the report of contract coverage that the run of Playwright has left.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';

const { requests, summary, counts } = JSON.parse(
  readFileSync('coverage/backlot/coverage.json', 'utf8'),
);
// Three of four buy, one of four meets a fault, and each page and request reads; see tests/isolation.spec.ts.
const tests = 200;
assert.equal(counts.items['statuses: POST /api/orders/ 201'], (tests * 3) / 4);
assert.equal(counts.items['statuses: POST /api/orders/ 503'], tests / 4);
assert.equal(counts.items['statuses: GET /api/products/:product_id 200'], tests + 1);
assert.equal(counts.items['statuses: GET /api/zones/ 200'], 1, 'a retried test counts once');
assert.equal(counts.items['statuses: GET /api/zones/:zone_id 404'], undefined);
assert.ok(summary.statuses.met > 0);

const below = spawnSync(
  'npx',
  ['playwright', 'test', '--config', 'below.config.ts', '--grep', 'with a start'],
  { encoding: 'utf8' },
);
assert.equal(below.status, 1);
assert.match(below.stderr, /Contract coverage of steps is 0%, below the threshold of 50%\./);
assert.match(below.stdout, /1 passed/);
console.log(`measured: contract coverage of ${requests} requests: ${summary.all.percent} %`);
