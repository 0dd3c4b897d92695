import type { Entry, Fault, Order } from './control.ts';
import { el } from './dom.ts';

/** The requests that a fault matches, its effect and how often it has matched. */
export function describeFault({
  id,
  match,
  first,
  every,
  probability,
  fitted = 0,
  matched = fitted,
  ...effect
}: Fault): HTMLElement {
  const { method, path, step, ...rest } = match;
  const requests = [method, path, step, ...properties(rest)].filter(isText).join(' ');
  const frequency = [
    first === undefined ? '' : `the first ${first}`,
    every === undefined ? '' : `one in ${every}`,
    probability === undefined ? '' : `${probability * 100} %`,
    `matched ${matched} ×`,
  ];
  return el(
    'span',
    {},
    el('b', {}, `#${id} `),
    el('code', {}, requests === '' ? 'all' : requests),
    ' → ',
    el('code', {}, properties(effect).join(', ')),
    el('span', { className: 'soft' }, `, ${frequency.filter(isText).join(', ')}`),
  );
}

/** One request of the journal. Its details are closed unless `isOpen`. */
export function entryDetails(entry: Entry, isOpen: boolean): HTMLElement {
  const { id, at, method, url, step, request, answer, faults, script } = entry;
  const { status } = answer;
  const isError = status === 0 || status >= 400;
  const notes = [
    at.slice(11, 19),
    step,
    ...faults.map((fault) => `fault ${fault}`),
    ...script.map((rule) => `rule ${rule}`),
  ];
  return el(
    'details',
    { id: `journal/${id}`, open: isOpen },
    el(
      'summary',
      {},
      el(
        'span',
        { className: `method mono ${isError ? 'bad' : 'good'}` },
        status === 0 ? 'dropped' : String(status),
      ),
      el('code', {}, `${method} ${url}`),
      el('span', { className: 'soft' }, ` ${notes.filter(isText).join(', ')}`),
    ),
    el('pre', {}, JSON.stringify({ request, answer }, null, 2)),
  );
}

interface Column {
  readonly title: string;
  readonly className: string;
  readonly cell: (order: Order) => Node | string;
}

/** @param showButton makes the button of an order */
export function orderTable(
  orders: readonly Order[],
  showButton: (id: number) => HTMLButtonElement,
): HTMLElement {
  const columns: readonly Column[] = [
    { title: 'id', className: '', cell: ({ id }) => String(id) },
    { title: 'number', className: 'mono roomy', cell: ({ number }) => number ?? '' },
    { title: 'customer', className: 'name', cell: ({ email }) => email },
    {
      title: 'total',
      className: 'num mono',
      cell: ({ total, currency }) => `${(total / 100).toFixed(2)} ${currency}`,
    },
    { title: 'state', className: '', cell: ({ state }) => state },
    { title: 'checkout', className: '', cell: (order) => order.checkout_state },
    { title: 'awaits', className: '', cell: ({ awaits }) => awaits ?? '' },
    { title: '', className: 'end', cell: ({ id }) => showButton(id) },
  ];
  const heads = columns.map(({ title, className }) =>
    el('th', { className: className.replace('mono', '') }, title),
  );
  const rows = orders.map((order) =>
    el(
      'tr',
      { id: `orders/${order.id}` },
      ...columns.map(({ className, cell }) => el('td', { className }, cell(order))),
    ),
  );
  return el('table', {}, el('thead', {}, el('tr', {}, ...heads)), el('tbody', {}, ...rows));
}

/** The properties of an effect or a filter: `503`, `delay 2000`. */
function properties(record: object): string[] {
  return Object.entries(record)
    .filter(([name]) => name !== 'window')
    .map(([name, value]: [string, unknown]) => {
      const text = typeof value === 'string' ? value : JSON.stringify(value);
      return `${name === 'status' ? '' : `${name} `}${truncate(text)}`;
    });
}

function truncate(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

function isText(text: string | null | undefined): text is string {
  return text !== undefined && text !== null && text !== '';
}
