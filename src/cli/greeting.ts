import { styleText } from 'node:util';
import type { BackOffice } from '../office/open-back-office.ts';
import type { Reach } from './reach.ts';
import type { SessionArguments } from './session-arguments.ts';
import { version } from './usage.ts';
import { wrapped } from './wrapped.ts';

/** What a person sees when the server has started. */
export function greeting(backOffice: BackOffice, reach: Reach, args: SessionArguments): string {
  const { scenario, clock } = backOffice;
  const { url, network, isLoopback } = reach;
  const rows: [string, string][] = [
    ['address', styleText('cyan', `${url}/api/`)],
    ...network.map((one, at): [string, string] => [
      at === 0 ? 'network' : '',
      styleText('cyan', `${one}/api/`),
    ]),
    ...(isLoopback ? [] : [['open to', openTo(args)] as [string, string]]),
    ['scenario', `${scenario.name}: ${scenario.description}`],
    ['holds', holdings(backOffice)],
    ['clock', `${clock.now()}, ${clock.mode === 'ticking' ? 'ticking' : 'standing still'}`],
    ['sessions', sessionWays[args.sessions]],
    ['control', controlOf(url, args)],
    ['try', `curl '${url}/api/orders/?limit=1'`],
    ['stop', 'Ctrl+C'],
  ];
  const lines = rows.map(
    ([name, text]) =>
      `  ${styleText('dim', name.padEnd(9))} ${wrapped(text, 12, process.stdout.columns)}`,
  );
  return ['', `  ${styleText('bold', 'backlot')} ${version()}`, '', ...lines, ''].join('\n');
}

const sessionWays: Readonly<Record<SessionArguments['sessions'], string>> = {
  optional: 'by the header X-Backlot-Session, or /s/<name>/api/; the shared one without',
  required: 'by the header X-Backlot-Session, or /s/<name>/api/; never without',
  own: 'one for each visitor, by cookie',
};

/** What other machines can use. */
function openTo({ control, controlToken }: SessionArguments): string {
  const start = 'any machine that can reach this one: the store API';
  if (!control) return `${start}; not the control API`;
  if (controlToken !== undefined) return `${start}, and with the token the control API`;
  return `${start} and the control API; --control-token <token> or --no-control closes that`;
}

function controlOf(url: string, { control, controlToken }: SessionArguments): string {
  if (!control) return 'switched off';
  const page = styleText('cyan', `${url}/_backlot/`);
  return controlToken === undefined ? page : `${page} with its token`;
}

function holdings({ db }: BackOffice): string {
  const carts = db.orders.count() - db.orders.countBy('placed');
  return [
    `${db.products.count()} products`,
    `${db.users.count()} users`,
    `${db.orders.countBy('placed')} orders`,
    `${carts} carts`,
    `${db.promotions.count()} promotions`,
    `${db.channels.count()} channels`,
  ].join(', ');
}
