import { useState } from 'preact/hooks';
import { call } from '../../../engine/studio/calls.ts';
import { Composer } from '../../../engine/studio/composer.tsx';
import type { Next, OrderData } from './order-data.ts';
import { Menu } from '../../../engine/studio/menu.tsx';
import type { Reply } from '../../../engine/studio/source.ts';
import { capitalize, singularOf } from '../../../engine/studio/format.ts';
import { isInEffect, preview } from '../../../engine/studio/past.ts';
import { hrefToEntry } from '../../../engine/studio/route.ts';
import { act, health, notice } from '../../../engine/studio/store.ts';
import { Button } from '../../../engine/studio/ui.tsx';

type Steps = OrderData['steps'];

interface RailProps {
  readonly data: OrderData;
}

/** The steps of the checkout, with buttons that do the next one. */
export function Rail({ data }: RailProps) {
  const { id, names, order, next, steps } = data;
  const done = steps.findIndex(({ to }) => to === order['checkout_state']) + 1;
  return (
    <div class="steps">
      <ol class="rail" aria-label={`Steps of order ${id}`}>
        {steps.map(({ name: step }, at) => (
          <li key={step} class={at < done ? 'done' : step === next.step ? 'awaited' : ''}>
            <span aria-hidden="true">{at < done ? '✓' : '○'}</span> {capitalize(step)}
            {at < done && <span class="unseen">, done</span>}
            <small>
              {at < done ? <StepDone step={step} data={data} /> : step === next.step && 'next'}
            </small>
          </li>
        ))}
      </ol>
      {preview.value === undefined && (
        <NextStep
          id={id}
          known={names[`orders/${id}`] ?? id}
          next={next}
          steps={steps}
          left={steps.length - done}
          state={String(order['state'])}
        />
      )}
    </div>
  );
}

/** The entry that did a step, and the first thing that it did. */
function StepDone({ step, data }: { readonly step: string; readonly data: OrderData }) {
  const entry = data.entries.findLast((one) => one.step === step && isInEffect(one));
  if (entry === undefined) return null;
  const [did = ''] = (entry.meaning ?? '').split(', ');
  return (
    <>
      <a href={hrefToEntry(entry.id)}>{`#${entry.id}`}</a> <bdi>{did}</bdi>
    </>
  );
}

function NextStep({
  id,
  known,
  next,
  steps,
  left,
  state,
}: {
  readonly id: number;
  /** What clients know it by. */
  readonly known: number | string;
  readonly next: Next;
  readonly steps: Steps;
  /** Number of steps that are not done. */
  readonly left: number;
  readonly state: string;
}) {
  const { step, request, reason, action = `Do ${step}`, alternatives = [] } = next;
  // The step for which the composer was opened: its response stays while the order goes on.
  const [composed, setComposed] = useState<Next>();
  if (step === undefined)
    return left === 0 ? null : <p class="soft">{`No step is left: the order is ${state}.`}</p>;
  if (request === undefined) return <NoStep known={known} step={step} reason={reason} />;
  const of = `of order ${id}`;
  return (
    <>
      <div class="row actions">
        <Button kind="primary" of={of} onClick={() => submit(id, next, steps)}>
          {action}
        </Button>
        <Menu of={of}>
          {left > 1 && (
            <Button of={of} onClick={() => submitAll(id, steps, left)}>
              Do all that are left
            </Button>
          )}
          {alternatives.map((one) => (
            <Button key={one.action} of={of} onClick={() => submit(id, next, steps, one.body)}>
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
function NoStep({
  known,
  step,
  reason = '',
}: {
  readonly known: number | string;
  readonly step: string;
  readonly reason?: string | undefined;
}) {
  const draft = {
    method: 'POST',
    url: `${health.value?.api_path ?? '/api'}/orders/${known}/items/`,
    body: { variant: 7, unitPrice: 1450, quantity: 1 },
  };
  return (
    <>
      <p class="warn">{`${step}: ${reason}`}</p>
      <Composer draft={draft} />
    </>
  );
}

/** Sends the request of a step as an app does, so that the history shows it as one. */
async function submit(
  id: number,
  { step, request, needsToken }: Next,
  steps: Steps,
  changes: object = {},
): Promise<boolean> {
  if (step === undefined || request === undefined) return false;
  const reply = await act(
    `Order ${id}: ${step}`,
    `${request.method} ${request.url}`,
    undefined,
    () => send(id, request, changes, needsToken),
  );
  if (reply === undefined) return false;
  const failure = failureIn(reply.body, steps.find(({ name }) => name === step)?.settles);
  if (failure === undefined) return true;
  const { undo } = notice.value ?? {};
  const text = `Order ${id}: ${failure}. “What touched it” says why.`;
  notice.value = { kind: 'error', text, ...(undo !== undefined && { undo }) };
  return false;
}

/** Returns what the last record of a response says, if that is a failure: `payment failed`. */
function failureIn(body: unknown, settles: Steps[number]['settles']): string | undefined {
  if (settles === undefined) return undefined;
  const lists = { ...(body as Readonly<Record<string, readonly { readonly state: string }[]>>) };
  const state = lists[settles.table]?.at(-1)?.state ?? '';
  return settles.failed.includes(state) ? `${singularOf(settles.table)} ${state}` : undefined;
}

/** Where the store API requires a token, the control API submits the step. */
function send(
  id: number,
  { method, url, body }: NonNullable<Next['request']>,
  changes: object,
  needsToken: boolean | undefined,
): Promise<Reply<unknown>> {
  return needsToken === true
    ? call(`POST /_backlot/orders/${id}/next`, changes)
    : call(`${method} ${url}`, { ...body, ...changes });
}

/** Does one step after the other, until one is refused. */
async function submitAll(id: number, steps: Steps, left: number): Promise<void> {
  for (let at = 0; at < left; at++) {
    const { body } = await call<Next>(`GET /_backlot/orders/${id}/next`);
    if (!(await submit(id, body, steps))) return;
  }
}
