import type { StateExplanation, StateMove } from '../../engine/definition/explanation.ts';
import { requestLine } from '../../engine/definition/explanation-text.ts';
import { LostChanges, unchangedText } from '../lost-changes.tsx';
import { hrefToEntry } from '../route.ts';
import { toneOf } from '../tones.ts';
import { Facts, verdict } from './facts.tsx';
import type { ReasonsProps } from './reasons.ts';
import { useStudio } from '../studio.ts';

/** Explains the state of a record: its previous transitions, and the possible next ones. */
export function StateWhy({
  explanation: { machine, id, state, changesFrom, moves, next },
}: ReasonsProps<StateExplanation>) {
  const studio = useStudio();
  const name = `${machine.replace('_', ' ')} ${id}`;
  return (
    <>
      <h2>
        {`Why is ${name} `}
        <span class={toneOf(studio, state)}>{state}</span>?
      </h2>
      <LostChanges changesFrom={changesFrom} />
      {moves.length === 0 && (
        <p class="soft">
          {unchangedText(
            studio,
            changesFrom,
            'The history has no move of it: it began in this state.',
          )}
        </p>
      )}
      <ol class="falls" aria-label={`The way of ${name}`}>
        {moves.map((move, at) => (
          <li key={at}>
            <div>
              {`${move.from ?? 'new'} → `}
              <b class={toneOf(studio, move.to)}>{move.to}</b>
              {move.transition !== undefined && ` by ${move.transition}`}
              {', '}
              {causeOf(move)}
              {afterOf(move)}
              <Facts facts={move.because} />
            </div>
          </li>
        ))}
      </ol>
      {next.length > 0 && (
        <>
          <h3>What is possible next</h3>
          <ul class="reasons" aria-label={`Possible next of ${name}`}>
            {next.map(({ transition, to, possible, request, reason }) => (
              <li key={transition}>
                {verdict(
                  possible,
                  possible ? 'possible: ' : 'not possible: ',
                  <>
                    {possible ? `${transition} → ${to}` : transition}
                    {request !== undefined && (
                      <code class="soft detail-of">{requestLine(request)}</code>
                    )}
                    {reason !== undefined && (
                      <>
                        : <bdi>{reason}</bdi>
                      </>
                    )}
                  </>,
                )}
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}

/** Links to the entry that made a move. */
export function causeOf({ entry, title }: { readonly entry: number; readonly title: string }) {
  return (
    <a href={hrefToEntry(entry)}>
      {`#${entry} `}
      <bdi>{title}</bdi>
    </a>
  );
}

function afterOf({ after }: StateMove) {
  if (after.length === 0) return null;
  const text = after.map(({ machine, ids, transition, to }) => {
    const name = machine.replace('_', ' ');
    return `${name} ${ids.join(', ')}: ${transition ?? to}`;
  });
  return <span class="soft detail-of">{`after ${text.join('; ')}`}</span>;
}
