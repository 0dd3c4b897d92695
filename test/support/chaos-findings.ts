import type { ChaosFindings } from '../../src/engine/control/chaos-findings.ts';
import type { ChaosReportView } from '../../src/engine/control/endpoints/chaos.ts';
import { faults } from '../../src/suite/fault-names.ts';

type Tone = 'red' | 'green' | 'grey';

const tones: Readonly<Record<string, Tone>> = { '✗': 'red', '✓': 'green', '·': 'grey' };

/** The file of the only trace of the findings. */
export const traceFile = '.backlot/chaos/a-page-pays.html';

const cells = [
  ...cellsOf('a page pays', 'PUT /api/checkouts/:order_id', 1, '✗✗✓✓✗··✗'),
  ...cellsOf('a page pays', 'GET /api/orders/:order_id/', 0, '✗ ✗✗✗✗✗✓'),
  ...cellsOf('a list shows its orders', 'GET /api/orders/', 0, '✓ ✓✓✓✓✓✓'),
];

/** Findings of a suite of two tests, of which one pays. */
export const findings: ChaosReportView = {
  backlot: 'chaos',
  version: 1,
  ended: '2026-03-02T09:40:12.000Z',
  columns: faults.map((one) => ({ ...one })),
  findings: ['PUT /api/checkouts/:order_id', 'GET /api/orders/:order_id/'].map(findingOf),
  cells,
};

/** Returns the red cells of an endpoint as one finding. */
function findingOf(endpoint: string): ChaosReportView['findings'][number] {
  const red = cells.flatMap((cell, at) =>
    cell.endpoint === endpoint && cell.tone === 'red' ? [at] : [],
  );
  const under = red.map((at) => cells[at]?.column).join(', ');
  return { title: `${endpoint} under ${under}`, cells: red };
}

/** @param signs a sign for each fault; none for a cell that there is not */
function cellsOf(
  test: string,
  endpoint: string,
  row: number,
  signs: string,
): ChaosReportView['cells'] {
  return faults.flatMap(({ name: column }, at) => {
    const tone = tones[signs[at] ?? ''];
    if (tone === undefined) return [];
    const reason = tone === 'red' ? `The page says nothing under ${column}.` : 'The page goes on.';
    const change = { before: 'Pay', after: 'Loading …' };
    const trace = tone === 'red' ? { ...change, trace: traceFile } : {};
    const place = { row, title: endpoint, column, endpoint };
    return [{ test, file: 'page.test.ts', ...place, tone, reason, ...trace }];
  });
}

/** Returns findings as a server gets them from its folder. */
export function findingsFrom(report: object = findings): ChaosFindings {
  return {
    exist: () => true,
    read: () => report,
    readTrace: (file) => (file === traceFile ? '<!doctype html><title>A trace</title>' : undefined),
  };
}
