import type { ComponentChildren } from 'preact';
import type { Fact, RecordRef } from '../../definition/explanation.ts';
import { hrefTo } from '../route.ts';
import { act } from '../store.ts';
import { Button } from '../ui.tsx';

/** Shows an action that meets a fact. */
export type ActionOf<Shown> = (fact: Shown) => ComponentChildren;

interface FactsProps<Shown> {
  readonly facts: readonly Shown[];
  readonly actionOf?: ActionOf<Shown> | undefined;
  /** What the facts decide, for screen readers. */
  readonly of?: string;
}

/** The conditions that decided something, each with what was there, and with what would meet it. */
export function Facts<Shown extends Fact>({ facts, actionOf, of = '' }: FactsProps<Shown>) {
  if (facts.length === 0) return null;
  return (
    <ul class="reasons">
      {facts.map((fact, place) => {
        const { wanted, actual, met, record, at } = fact;
        return (
          <li key={place}>
            <span class={met ? 'fact ok' : 'fact bad'}>
              <span aria-hidden="true">{met ? '✓' : '✗'} </span>
              <span class="unseen">{met ? 'met: ' : 'not met: '}</span>
              <bdi>{wanted}</bdi>
              {actual !== wanted && (
                <>
                  {': '}
                  <RecordLink record={record}>{actual}</RecordLink>
                </>
              )}
            </span>
            {at !== undefined && (
              <Button of={`${of}: ${wanted}`} title={at} onClick={() => goTo(at)}>
                Go there
              </Button>
            )}
            {actionOf?.(fact)}
          </li>
        );
      })}
    </ul>
  );
}

function goTo(at: string) {
  return act(`Clock to ${at.slice(0, 19).replace('T', ' ')}`, 'PUT /_backlot/clock', { now: at });
}

/** Links a text to its record, if it has one. */
export function RecordLink({
  record,
  children,
}: {
  readonly record: RecordRef | undefined;
  readonly children: ComponentChildren;
}) {
  if (record === undefined) return <bdi>{children}</bdi>;
  return (
    <a href={hrefTo('data', record.table, record.id)}>
      <bdi>{children}</bdi>
    </a>
  );
}
