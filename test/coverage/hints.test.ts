import { expect, test } from 'vitest';
import { createBackOffice, type NodeBackOffice } from '../../src/adapters/node.ts';
import { contractItems } from '../../src/coverage/measures.ts';
import { hintFor } from '../../src/coverage/hints.ts';
import { activeCoverage } from '../../src/coverage/active.ts';
import { Coverage, type CoverageRecorder } from '../../src/coverage/recorder.ts';

type Take = (office: NodeBackOffice) => Promise<void>;

const AsyncFunction = (async () => {}).constructor as new (...parts: string[]) => Take;

/** Runs a hint with a back office of its own, and returns the keys of what it met. */
async function taken(hint: string): Promise<string[]> {
  const coverage = new Coverage();
  const office = createBackOffice({ coverage: both(coverage, activeCoverage()) });
  await new AsyncFunction('office', hint)(office);
  return Object.keys(coverage.counts().items);
}

/** Counts for this test, and for the run if it counts: together the hints meet everything. */
function both(one: CoverageRecorder, other: CoverageRecorder | undefined): CoverageRecorder {
  return {
    record(exchange) {
      one.record(exchange);
      other?.record(exchange);
    },
    readValue(...shown) {
      one.readValue(...shown);
      other?.readValue(...shown);
    },
    transition(...change) {
      one.transition(...change);
      other?.transition(...change);
    },
  };
}

const items = contractItems();

test.each(['statuses', 'steps', 'states', 'transitions', 'enums', 'rules'])(
  'the hint for every gap of %s closes it',
  async (measure) => {
    const open: unknown[] = [];
    for (const item of items.filter((one) => one.measure === measure)) {
      const hint = hintFor(item);
      const met = await taken(hint).catch(String);
      if (!met.includes(item.key)) open.push({ item: item.id, hint, met });
    }
    expect(open).toEqual([]);
  },
);
