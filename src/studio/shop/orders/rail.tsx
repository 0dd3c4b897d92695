import { capitalize, singularOf } from '../../../engine/lib/words.ts';
import { useState } from 'preact/hooks';
import { valueAt } from '../../../engine/lib/json-value.ts';
import { sentenceIn } from '../../entries.ts';
import { Composer } from '../../lazy-view.tsx';
import type { Next, OrderData } from './order-data.ts';
import { Menu } from '../../menu.tsx';
import { hrefToEntry } from '../../route.ts';
import { Button } from '../../ui.tsx';
import { useStudio, type Studio } from '../../studio.ts';

type Steps = OrderData['steps'];

/** The steps of the checkout, with buttons that do the next one. */
export function Rail({ data }: { readonly data: OrderData }) {
  const studio = useStudio();
  const { id, order, next, steps } = data;
  const done = steps.findIndex(({ to }) => to === order['checkout_state']) + 1;
  return (
    <div class="steps">
      <ol class="rail" aria-label={`Steps of order ${id}`}>
        {steps.map(({ name: step }, at) => (
          <li key={step} class={at < done ? 'done' : step === next.step ? 'awaited' : ''}>
            <span aria-hidden="true">{at < done ? '✓' : '○'}</span> {capitalize(step)}
            {at < done && <span class="unseen">, done</span>}
            <small>{at < done ? stepDone(studio, step, data) : step === next.step && 'next'}</small>
          </li>
        ))}
      </ol>
      {studio.preview.shown.value === undefined && (
        <NextStep data={data} left={steps.length - done} />
      )}
    </div>
  );
}

/** The entry that did a step. */
function stepDone(studio: Studio, step: string, { entries }: OrderData) {
  const entry = entries.findLast((one) => one.step === step && studio.preview.isInEffect(one));
  if (entry === undefined) return null;
  return <a href={hrefToEntry(entry.id)} title={sentenceIn(studio, entry)}>{`#${entry.id}`}</a>;
}

/** @param left number of steps that are not done */
function NextStep({ data, left }: { readonly data: OrderData; readonly left: number }) {
  const studio = useStudio();
  const { id, names, order, next, steps } = data;
  const { step, request, reason, action = `Do ${step}`, alternatives = [] } = next;
  // The step for which the composer was opened: its response stays while the order goes on.
  const [composed, setComposed] = useState<Next>();
  if (step === undefined)
    return left === 0 ? null : (
      <p class="soft">{`No step is left: the order is ${String(order['state'])}.`}</p>
    );
  if (request === undefined) return noStep(studio, names[`orders/${id}`] ?? id, step, reason);
  const of = `of order ${id}`;
  return (
    <>
      <div class="row actions">
        <Button kind="primary" of={of} onClick={() => submit(studio, id, next, steps)}>
          {action}
        </Button>
        <Menu of={of}>
          {left > 1 && (
            <Button of={of} onClick={() => submitAll(studio, id, steps, left)}>
              Do all that are left
            </Button>
          )}
          {alternatives.map((one) => (
            <Button
              key={one.action}
              of={of}
              onClick={() => submit(studio, id, next, steps, one.body)}
            >
              {one.action}
            </Button>
          ))}
          <Button
            of={`${step} ${of}`}
            onClick={() => setComposed(composed?.step === step ? undefined : next)}
          >
            Other values…
          </Button>
        </Menu>
      </div>
      {composed?.request && <Composer key={composed.step} draft={composed.request} />}
    </>
  );
}

/** The reason why there is no request for the next step: mostly, a cart is empty. */
function noStep(studio: Studio, known: number | string, step: string, reason = '') {
  const draft = {
    method: 'POST',
    url: `${studio.shop.health.value?.api_path ?? '/api'}/orders/${known}/items/`,
    body: { variant: 7, unitPrice: 1450, quantity: 1 },
  };
  return (
    <>
      <p class="warn">{`${step}: ${reason}`}</p>
      <Composer draft={draft} />
    </>
  );
}

/**
 * Sends the request of a step as an app does, so that the history shows it as one. Where the store API requires a token, the
 * control API submits the step.
 */
async function submit(
  studio: Studio,
  id: number,
  { step, request, needsToken }: Next,
  steps: Steps,
  changes: object = {},
): Promise<boolean> {
  if (step === undefined || request === undefined) return false;
  const { method, url, body } = request;
  const reply = await studio.actions.act(
    `Order ${id}: ${step}`,
    `${method} ${url}`,
    undefined,
    () =>
      needsToken === true
        ? studio.client.call(`POST /_backlot/orders/${id}/next`, changes)
        : studio.client.call(`${method} ${url}`, { ...body, ...changes }),
  );
  if (reply === undefined) return false;
  const failure = failureIn(reply.body, steps.find(({ name }) => name === step)?.settles);
  if (failure === undefined) return true;
  studio.notices.show(`Order ${id}: ${failure}. “What touched it” says why.`);
  return false;
}

/** Returns the failure of the last record of a response, if it has one: `payment failed`. */
function failureIn(body: unknown, settles: Steps[number]['settles']): string | undefined {
  if (settles === undefined) return undefined;
  const { table, failed } = settles;
  const records = valueAt(body, [table]);
  const state = valueAt(Array.isArray(records) ? records.at(-1) : undefined, ['state']);
  return failed.some((one) => one === state) ? `${singularOf(table)} ${String(state)}` : undefined;
}

/** Does one step after the other, until one is refused. */
async function submitAll(studio: Studio, id: number, steps: Steps, left: number): Promise<void> {
  for (let at = 0; at < left; at++) {
    const { body } = await studio.client.call<Next>(`GET /_backlot/orders/${id}/next`);
    if (!(await submit(studio, id, body, steps))) return;
  }
}
