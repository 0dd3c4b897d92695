// Checks the report of contract coverage that the run of vitest has left.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';

const { requests, counts, summary } = JSON.parse(
  readFileSync('coverage/backlot/coverage.json', 'utf8'),
);
assert.ok(counts.items['statuses: GET /api/orders/ 200'] > 0);
assert.ok(counts.items['states: payment.completed'] > 0);
console.log(`measured: contract coverage of ${requests} requests: ${summary.all.percent} %`);
