import { Fragment } from 'preact';
import { useState } from 'preact/hooks';
import type { ChaosReportView } from '../../engine/control/endpoints/chaos.ts';
import { formatTime } from '../format.ts';
import { hrefTo } from '../route.ts';
import { unfold } from '../scroller.ts';
import { useStudio, type Studio } from '../studio.ts';
import { Button, Disclosure, Empty, useLoaded } from '../ui.tsx';

type Cell = ChaosReportView['cells'][number];
type Column = ChaosReportView['columns'][number];

const marks = {
  red: ['bad', '✗'],
  yellow: ['warn', '!'],
  green: ['ok', '✓'],
  grey: ['faint', '·'],
} as const;

/** The findings of the last run of `backlot chaos`: a grid of calls of tests, and of faults. */
export function Chaos() {
  const { body, error } = useLoaded<ChaosReportView | { readonly help: string }>(
    'GET /_backlot/chaos',
    '',
  );
  if (body === undefined) return <Empty>{error ?? 'Loading …'}</Empty>;
  if (!('cells' in body)) return <Empty>{`No findings. ${body.help}`}</Empty>;
  const { columns, cells, findings, ended } = body;
  const counts = Object.keys(marks).flatMap((tone) => {
    const { length } = cells.filter((one) => one.tone === tone);
    return length === 0 ? [] : [`${length} ${tone}`];
  });
  return (
    <section class="card">
      <h1>What the pages survive</h1>
      <p class="soft">
        {`Each cell is a run of a test with one fault in one request: ${counts.join(', ')}. The run ended at ${formatTime(ended)}.`}
      </p>
      <ol class="list" aria-label="Findings">
        {findings.map(({ title, cells: [first = 0, ...others] }) => (
          <li key={title + first}>
            <b class="bad">{title}</b>: {cells[first]?.reason}
            {others.length > 0 && <span class="soft">{` ${others.length + 1} cells.`}</span>}
            {cells[first] && changeOf(cells[first])}
          </li>
        ))}
      </ol>
      <div class="scroll chaos" tabIndex={0} role="group" aria-label="Tests and faults">
        <table>
          <thead>
            <tr>
              <th scope="col">Request</th>
              {columns.map(({ name, text }) => (
                <th key={name} scope="col" title={text}>
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          {Array.from(
            Map.groupBy(cells, ({ file, test }) => `${file} ${test}`),
            ([key, ofTest]) => (
              <TestRows key={key} cells={ofTest} columns={columns} />
            ),
          )}
        </table>
      </div>
      <Disclosure title="Faults">
        <dl>
          {columns.map(({ name, text }) => (
            <Fragment key={name}>
              <dt>{name}</dt>
              <dd>{text}</dd>
            </Fragment>
          ))}
        </dl>
      </Disclosure>
    </section>
  );
}

/** The rows of a test, of which one cell at a time is open. */
function TestRows({
  cells,
  columns,
}: {
  readonly cells: readonly Cell[];
  readonly columns: readonly Column[];
}) {
  const studio = useStudio();
  const [open, setOpen] = useState<Cell>();
  return (
    <tbody>
      <tr>
        <th scope="rowgroup" colSpan={columns.length + 1}>
          {cells[0]?.test} <small class="soft">{cells[0]?.file}</small>
        </th>
      </tr>
      {rowsOf(cells).map((ofRow) => (
        <Fragment key={ofRow[0]?.row}>
          <tr>
            <th scope="row">
              <code>{ofRow[0]?.title}</code>
            </th>
            {columns.map(({ name }) => {
              const cell = ofRow.find(({ column }) => column === name);
              const toggle = () => setOpen(cell === open ? undefined : cell);
              return <td key={name}>{cell && mark(cell, cell === open, toggle)}</td>;
            })}
          </tr>
          {open !== undefined && ofRow.includes(open) && (
            <tr key={open.column} class="unfolded" ref={unfold}>
              <td colSpan={columns.length + 1}>{finding(studio, open, columns)}</td>
            </tr>
          )}
        </Fragment>
      ))}
    </tbody>
  );
}

/** Returns the cells of each row of a test, in their order. */
function rowsOf(cells: readonly Cell[]): readonly (readonly Cell[])[] {
  const byRow = Map.groupBy(cells, ({ row }) => row);
  return [...byRow].toSorted(([one], [other]) => one - other).map(([, some]) => some);
}

/** A cell; one with a finding opens. */
function mark(cell: Cell, isOpen: boolean, toggle: () => void) {
  if (cell.tone === undefined) return null;
  const [tone, sign] = marks[cell.tone];
  const shown = { class: tone, title: [cell.reason, changeText(cell)].join(' ').trim() };
  const content = (
    <>
      <span aria-hidden="true">{sign}</span>
      <span class="unseen">{`${cell.tone}, ${cell.column}`}</span>
    </>
  );
  if (cell.tone !== 'red') return <span {...shown}>{content}</span>;
  return (
    <button type="button" {...shown} aria-expanded={isOpen} onClick={toggle}>
      {content}
    </button>
  );
}

/** `Before: “Pay”. After: “Loading …”.`, as the command prints it. */
function changeText({ before, after }: Cell): string | undefined {
  if (before === undefined || after === undefined) return undefined;
  const [first, then] = [before, after].map((text) => (text === '' ? 'nothing' : `“${text}”`));
  return first === then ? `Before and after: ${first}.` : `Before: ${first}. After: ${then}.`;
}

function changeOf(cell: Cell) {
  const text = changeText(cell);
  return text && <p class="soft">{text}</p>;
}

/** Why a cell is red, its trace, and the fault once more in this shop. */
function finding(studio: Studio, cell: Cell, columns: readonly Column[]) {
  const { endpoint = '', column, reason, trace } = cell;
  const [method, path] = endpoint.split(' ');
  const { text, rule } = columns.find(({ name }) => name === column) ?? {};
  const repeat = () =>
    studio.actions.act(`The next ${endpoint} has the fault ${column}`, 'POST /_backlot/faults', {
      match: { method, path },
      first: 1,
      ...rule,
    });
  return (
    <div class="finding">
      <p>
        <b>{reason}</b> <span class="soft">{`${column}: ${text}.`}</span>
      </p>
      {changeOf(cell)}
      <div class="row">
        {rule !== undefined && (
          <>
            <Button kind="primary" of={`${column} in ${endpoint}`} onClick={repeat}>
              Repeat
            </Button>
            <span class="soft">
              {'puts it on the next such request of your app, by a '}
              <a href={hrefTo('rules')}>fault</a>
            </span>
          </>
        )}
        {trace?.endsWith('.html') === true && (
          <a
            class="end"
            target="_blank"
            rel="noreferrer"
            href={`${studio.client.source.root}/_backlot/chaos?trace=${encodeURIComponent(trace)}`}
          >
            Open its trace
          </a>
        )}
      </div>
    </div>
  );
}
