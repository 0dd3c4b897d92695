import type { ComponentChildren } from 'preact';
import type { Fact, RecordRef } from '../../engine/definition/explanation.ts';
import { withoutZone } from '../format.ts';
import { hrefTo } from '../route.ts';
import { Button } from '../ui.tsx';
import { useStudio, type Studio } from '../studio.ts';

/** Shows an action that meets a fact. */
export type ActionOf<Shown> = (fact: Shown) => ComponentChildren;

interface FactsProps<Shown> {
  readonly facts: readonly Shown[];
  readonly actionOf?: ActionOf<Shown> | undefined;
  /** The subject of the facts, for screen readers. */
  readonly of?: string;
}

/** The conditions that decided something, each with what was there, and with what would meet it. */
export function Facts<Shown extends Fact>({ facts, actionOf, of = '' }: FactsProps<Shown>) {
  const studio = useStudio();
  if (facts.length === 0) return null;
  return (
    <ul class="reasons">
      {facts.map((fact, place) => {
        const { wanted, actual, met, record, at } = fact;
        return (
          <li key={place}>
            {verdict(
              met,
              met ? 'met: ' : 'not met: ',
              <>
                <bdi>{wanted}</bdi>
                {actual !== wanted && <>: {recordLink(record, actual)}</>}
              </>,
            )}
            {at !== undefined && (
              <Button of={`${of}: ${wanted}`} title={at} onClick={() => goTo(studio, at)}>
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

function goTo(studio: Studio, at: string) {
  return studio.actions.act(`Clock to ${withoutZone(at)}`, 'PUT /_backlot/clock', { now: at });
}

/** A condition, with a mark that says whether it is met, and words that say it to screen readers. */
export function verdict(isMet: boolean, words: string, condition: ComponentChildren) {
  return (
    <span class={isMet ? 'fact ok' : 'fact bad'}>
      <span aria-hidden="true">{isMet ? '✓' : '✗'} </span>
      <span class="unseen">{words}</span>
      {condition}
    </span>
  );
}

/** Links a text to its record, if it has one. */
export function recordLink(record: RecordRef | undefined, text: ComponentChildren) {
  if (record === undefined) return <bdi>{text}</bdi>;
  return (
    <a href={hrefTo('data', record.table, record.id)}>
      <bdi>{text}</bdi>
    </a>
  );
}
