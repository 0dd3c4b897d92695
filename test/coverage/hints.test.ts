import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createBackOffice, type NodeBackOffice } from '../../src/mounts/node.ts';
import { storeItems } from '../../src/shop/coverage/listed-items.ts';
import { hintFor } from '../../src/engine/coverage/hints.ts';
import { storeHint } from '../../src/shop/coverage/hint-lines.ts';
import { Coverage } from '../../src/engine/coverage/recorder.ts';
import { sample } from '../support/runs.ts';
import { root } from '../support/tree.ts';

type Take = (office: NodeBackOffice) => Promise<void>;

const AsyncFunction = (async () => {}).constructor as new (...parts: string[]) => Take;

/**
 * Runs a hint with a back office of its own, and returns the keys of what it met. A run that counts does not count hints:
 * they would meet everything.
 */
async function taken(hint: string): Promise<string[]> {
  const coverage = new Coverage();
  const office = createBackOffice({ coverage });
  await new AsyncFunction('office', hint)(office);
  return Object.keys(coverage.counts().items);
}

const items = storeItems();

test.each(['statuses', 'steps', 'states', 'transitions', 'enums', 'rules'])(
  'the hint for every gap of %s closes it',
  async (measure) => {
    const open: unknown[] = [];
    const measured = items.filter((one) => one.measure === measure);
    expect(measured.length).toBeGreaterThan(3);
    for (const item of sample(measured, measured.length / 4)) {
      const hint = hintFor(item, storeHint);
      const met = await taken(hint).catch(String);
      if (!met.includes(item.key)) open.push({ item: item.id, hint, met });
    }
    expect(open).toEqual([]);
  },
);

test('hints use only methods that the docs have', () => {
  const pages = globSync(['README.md', 'docs/*.md'], { cwd: root });
  const docs = pages.map((page) => readFileSync(join(root, page), 'utf8')).join('\n');
  const methods = items.flatMap((item) => hintFor(item, storeHint).match(/office(\.\w+)+/g) ?? []);
  const unknown = [...new Set(methods)].filter((method) => !docs.includes(`${method}(`));
  expect(unknown).toEqual([]);
});
